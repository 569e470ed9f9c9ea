/* Reading a region table: text to structures. What concerns more than one line is checked in table_check.c. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table_text.h"

uint64_t place_fnv1a(const void *bytes, size_t length) {
  const unsigned char *p = bytes;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* ---- lines of a region ---- */

/* The first field of a loop, array or access: its own number. */
static int read_number_of(struct reader *r, const char *what, size_t count) {
  long long n;
  if (table_int(r, what, 0, MAX_ITEMS, &n)) return -1;
  return (size_t)n + 1 == count ? 0 : ERROR(r, "%s is %lld, expected %zu", what, n, count - 1);
}

static int read_at(struct reader *r, struct place_region *region) {
  long long line;
  if (!table_take(r, "at")) return ERROR(r, "expected 'at' on the next line");
  if (table_int(r, "source line", 0, INT32_MAX, &line)) return -1;
  region->line = (unsigned)line;
  if (table_copy(r, table_field(r), "function", &region->function)) return -1;
  return table_copy(r, table_rest(r), "file", &region->file);
}

static int read_kind(struct reader *r, struct place_region *region) {
  if (!table_take(r, "kind")) return ERROR(r, "expected 'kind' on the next line");
  struct field f = table_field(r);
  if (table_is(f, "spmd")) {
    struct field why = table_rest(r);
    return why.length ? table_copy(r, why, "reason", &region->no_blocks) : 0;
  }
  if (table_is(f, "no-version") || table_is(f, "unsupported")) return table_copy(r, table_rest(r), "reason", &region->no_version);
  if (table_is(f, "nothing-to-place")) return table_copy(r, table_rest(r), "reason", &region->nothing_to_place);
  return ERROR(r, "kind is '%.*s', expected spmd, no-version or nothing-to-place", (int)f.length, f.text);
}

/* Numbers below 64, apart by commas. */
static int read_values(struct reader *r, struct place_region *region) {
  struct field f = table_field(r), list = f, item;
  unsigned number;
  if (!f.length) return ERROR(r, "expected numbers of parameters after 'values'");
  for (bool more = true; table_next_item(&list, &more, ',', &item); region->values |= UINT64_C(1) << number)
    if (!table_number(item, 63, &number))
      return ERROR(r, "values are '%.*s', expected numbers of parameters from 0 to 63, apart by commas", (int)f.length, f.text);
  return 0;
}

/* Words that may end the line, in this order. */
static int read_launch_words(struct reader *r, struct place_region *region) {
  const struct { const char *word; bool *is_there; } words[] = {
    {"open-threads", &region->open_threads}, {"set-threads", &region->set_threads}, {"apart", &region->apart},
    {"blocks", &region->asked_blocks}};
  struct field f = table_field(r);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if ((*words[i].is_there = table_is(f, words[i].word))) f = table_field(r);
  long long parameters = -1;
  if (table_is(f, "parameters")) {
    if (table_int(r, "parameters", 0, INT32_MAX, &parameters)) return -1;
    f = table_field(r);
    if (table_is(f, "values")) {
      if (read_values(r, region)) return -1;
      f = table_field(r);
    }
  }
  region->parameters = (int)parameters;
  if (f.length) return ERROR(r, "'%.*s' where open-threads, set-threads, apart, blocks, parameters or values may stand", (int)f.length, f.text);
  if (region->set_threads && !(region->open_threads && region->threads)) return ERROR(r, "set-threads without a known number of open threads");
  return table_line_done(r);
}

static int read_launch(struct reader *r, struct place_region *region) {
  static const char *const teams[] = {[PLACE_TEAMS_OPEN] = "open", [PLACE_TEAMS_OBSERVED] = "observed"};
  static const char *const reduction[] = {"-", "reduction"}, *const writes[] = {"-", "unknown-writes"};
  long long threads;
  if (!table_take(r, "launch")) return ERROR(r, "expected 'launch' on the next line");
  if (table_int(r, "threads", 0, 1024, &threads)) return -1;
  int clause = table_one_of(table_field(r), teams, 2), reduces = table_one_of(table_field(r), reduction, 2);
  int unknown = table_one_of(table_field(r), writes, 2);
  if (clause < 0) return ERROR(r, "expected open or observed after threads");
  if (reduces < 0) return ERROR(r, "expected reduction or -");
  if (unknown < 0) return ERROR(r, "expected unknown-writes or -");
  region->threads = (unsigned)threads;
  region->teams = (enum place_teams_clause)clause;
  region->reduction = reduces;
  region->unknown_writes = unknown;
  return read_launch_words(r, region);
}

static int read_loop(struct reader *r, struct place_region *region) {
  long long parent;
  struct place_loop *loop = APPEND(r, region->loops, region->loop_count);
  if (!loop || read_number_of(r, "loop", region->loop_count)) return -1;
  if (table_int(r, "parent loop", -1, (long long)region->loop_count - 2, &parent)) return -1;
  loop->parent = (int)parent;
  return table_rest_expr(r, &loop->trips);
}

static int read_rights(struct reader *r, struct place_array *array) {
  struct field f = table_field(r);
  if (table_is(f, "-")) return 0;
  for (size_t i = 0; i < f.length; i++) {
    bool *right = f.text[i] == 'r' ? &array->read : f.text[i] == 'w' ? &array->written : &array->atomic;
    if (!strchr("rwa", f.text[i]) || *right) return ERROR(r, "rights '%.*s', expected letters of rwa, each once, or -",
                                                          (int)f.length, f.text);
    *right = true;
  }
  return f.length ? 0 : ERROR(r, "rights are missing");
}

static int read_spaces(struct reader *r, struct place_array *array) {
  struct field f = table_field(r);
  while (f.length) {
    const char *comma = memchr(f.text, ',', f.length);
    size_t n = comma ? (size_t)(comma - f.text) : f.length;
    enum place_space space;
    if (place_space_parse(f.text, n, &space)) return ERROR(r, "no space is named '%.*s'", (int)n, f.text);
    if (array->candidates & PLACE_SPACE_BIT(space)) return ERROR(r, "space %s is listed twice", place_space_name(space));
    array->candidates |= PLACE_SPACE_BIT(space);
    f.text += n + (comma != NULL);
    f.length -= n + (comma != NULL);
    if (comma && !f.length) return ERROR(r, "a comma ends the list of spaces");
  }
  if (!(array->candidates & PLACE_SPACE_BIT(PLACE_GLOBAL))) return ERROR(r, "spaces lack global");
  return 0;
}

static int read_hint(struct reader *r, struct place_array *array) {
  struct field f = table_field(r);
  enum place_space space;
  array->hint = -1;
  if (table_is(f, "-")) return 0;
  if (place_space_parse(f.text, f.length, &space)) return ERROR(r, "no space is named '%.*s'", (int)f.length, f.text);
  array->hint = (int)space;
  return 0;
}

static int read_array(struct reader *r, struct place_region *region) {
  long long arg, bytes, placeable;
  struct place_array *array = APPEND(r, region->arrays, region->array_count);
  if (!array || read_number_of(r, "array", region->array_count)) return -1;
  if (table_int(r, "kernel argument", 0, 4095, &arg)) return -1;
  if (table_copy(r, table_field(r), "array name", &array->name)) return -1;
  if (table_int(r, "element bytes", 1, INT32_MAX, &bytes)) return -1;
  if (read_rights(r, array)) return -1;
  if (table_int(r, "placeable index", -1, PLACE_MAX_PLACEABLE - 1, &placeable)) return -1;
  array->arg = (int)arg;
  array->element_bytes = (unsigned)bytes;
  array->placeable = (int)placeable;
  region->placeable_count += placeable >= 0;
  if (read_spaces(r, array) || read_hint(r, array)) return -1;
  return table_copy_unless_dash(r, table_rest(r), "reason", &array->reason);
}

static int read_access(struct reader *r, struct place_region *region) {
  static const char *const kinds[] = {[PLACE_READ] = "read", [PLACE_WRITE] = "write", [PLACE_ATOMIC] = "atomic"};
  long long array, width, loop, guarded, line, log, source;
  struct place_access *access = APPEND(r, region->accesses, region->access_count);
  if (!access || read_number_of(r, "access", region->access_count)) return -1;
  if (table_int(r, "array", 0, (long long)region->array_count - 1, &array)) return -1;
  int kind = table_one_of(table_field(r), kinds, 3);
  if (kind < 0) return ERROR(r, "expected read, write or atomic");
  if (table_int(r, "width", 1, 4096, &width)) return -1;
  if (table_int(r, "loop", -1, (long long)region->loop_count - 1, &loop)) return -1;
  if (table_int(r, "guarded", 0, 1, &guarded) || table_int(r, "line", 0, INT32_MAX, &line)) return -1;
  if (table_int(r, "log", -1, PLACE_PROFILE_ACCESSES - 1, &log)) return -1;
  if (table_int(r, "index source", -1, (long long)region->array_count - 1, &source)) return -1;
  *access = (struct place_access){.array = (int)array, .kind = (enum place_access_kind)kind, .guarded = guarded,
                                  .width_bytes = (unsigned)width, .loop = (int)loop, .line = (unsigned)line,
                                  .log = (int)log, .index_source = (int)source};
  return table_rest_expr(r, &access->offset);
}

static int read_version(struct reader *r, struct place_region *region) {
  struct place_version *version = APPEND(r, region->versions, region->version_count);
  return version ? table_version(r, region, version) : -1;
}

static int read_region(struct reader *r) {
  unsigned first = r->number;
  struct place_region *region = APPEND(r, r->table->regions, r->table->region_count);
  if (!region || table_copy(r, table_field(r), "region's entry name", &region->entry) || table_line_done(r)) return -1;
  if (read_at(r, region) || read_kind(r, region) || read_launch(r, region)) return -1;
  while (table_take(r, "loop"))
    if (read_loop(r, region)) return -1;
  while (table_take(r, "array"))
    if (read_array(r, region)) return -1;
  while (table_take(r, "access"))
    if (read_access(r, region)) return -1;
  while (table_take(r, "version"))
    if (read_version(r, region)) return -1;
  return table_check_region(r->table, region, first, r->diag);
}

/* ---- the table as a whole ---- */

static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Finds the end line, checks the checksum, and cuts the text before it. */
static int check_end(struct reader *r) {
  enum { END_BYTES = 4 + 16 + 1 }; /* "end ", digits, newline */
  uint64_t sum = 0;
  unsigned lines = 1;
  while (r->length && r->text[r->length - 1] == 0) r->length--; /* the symbol in the image may end with a zero byte */
  for (size_t i = 0; i < r->length; i++) lines += r->text[i] == '\n';
  lines -= lines > 1;
  const char *end = r->length < END_BYTES ? NULL : r->text + r->length - END_BYTES;
  if (!end || memcmp(end, "end ", 4) || end[END_BYTES - 1] != '\n' || (end > r->text && end[-1] != '\n'))
    return table_error(r->diag, lines, "expected 'end' and a checksum: the table is cut off or not a table");
  for (int i = 4; i < END_BYTES - 1; i++) {
    if (hex_digit(end[i]) < 0) return table_error(r->diag, lines, "the checksum is not 16 hexadecimal digits");
    sum = sum << 4 | (uint64_t)hex_digit(end[i]);
  }
  r->length -= END_BYTES;
  if (sum != place_fnv1a(r->text, r->length))
    return table_error(r->diag, lines, "the checksum does not match: the table is damaged");
  return 0;
}

/* The version comes first: a table of another version may end otherwise. */
static int read_header(struct reader *r) {
  long long version;
  if (!table_take(r, "place-table")) {
    r->number = 1;
    return ERROR(r, "expected 'place-table'");
  }
  if (table_int(r, "ABI version", 0, INT32_MAX, &version)) return -1;
  if (version != PLACE_ABI_VERSION)
    return ERROR(r, "the table has ABI version %lld, this runtime reads version %d", version, PLACE_ABI_VERSION);
  return table_line_done(r);
}

static int read_all(struct reader *r) {
  if (read_header(r) || check_end(r)) return -1;
  while (table_take(r, "region"))
    if (read_region(r)) return -1;
  if (table_next_line(r)) return ERROR(r, "unexpected line '%.*s'", r->line.length < 60 ? (int)r->line.length : 60, r->line.text);
  return 0;
}

int place_table_read(const char *text, size_t length, struct place_table *table, struct place_diag *diag) {
  *table = (struct place_table){0};
  struct reader r = {.text = text, .length = length, .table = table, .diag = diag};
  if (read_all(&r) == 0) return 0;
  place_table_free(table);
  return -1;
}

static void region_free(struct place_region *region) {
  for (size_t i = 0; i < region->array_count; i++) {
    free(region->arrays[i].name);
    free(region->arrays[i].reason);
  }
  for (size_t i = 0; i < region->version_count; i++) {
    free(region->versions[i].entry);
    free(region->versions[i].kernel);
    free(region->versions[i].space);
    free(region->versions[i].route);
    free(region->versions[i].texel);
    free(region->versions[i].pitch);
    free(region->versions[i].ahead);
    free(region->versions[i].tiled);
    free(region->versions[i].needs);
  }
  free(region->entry);
  free(region->function);
  free(region->file);
  free(region->no_version);
  free(region->nothing_to_place);
  free(region->no_blocks);
  free(region->loops);
  free(region->arrays);
  free(region->accesses);
  free(region->versions);
}

void place_table_free(struct place_table *table) {
  for (size_t i = 0; i < table->region_count; i++) region_free(&table->regions[i]);
  free(table->regions);
  place_expr_pool_free(&table->exprs);
  *table = (struct place_table){0};
}

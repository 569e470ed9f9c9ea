/* Reading a region table: text to structures. What concerns more than one line is checked in table_check.c. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table_text.h"

enum { MAX_ITEMS = 1 << 16 }; /* of one kind in a region: a damaged number must not cost gigabytes */

struct field {
  const char *text;
  size_t length;
};

struct reader {
  const char *text; /* without the end line */
  size_t length, at;
  unsigned number;   /* of the current line, from 1 */
  struct field line; /* what is left of it */
  struct place_table *table;
  struct place_diag *diag;
};

int table_error(struct place_diag *diag, unsigned line, const char *format, ...) {
  char what[320];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return place_diag_set(diag, "region table, line %u: %s; recompile the program with the libplace.so that belongs to "
                              "this libplacert.so", line, what);
}

#define ERROR(reader, ...) table_error((reader)->diag, (reader)->number, __VA_ARGS__)

uint64_t place_fnv1a(const void *bytes, size_t length) {
  const unsigned char *p = bytes;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* ---- lines and fields ---- */

static bool next_line(struct reader *r) {
  if (r->at >= r->length) return false;
  const char *begin = r->text + r->at, *end = memchr(begin, '\n', r->length - r->at);
  size_t n = end ? (size_t)(end - begin) : r->length - r->at;
  r->line = (struct field){begin, n};
  r->at += n + 1;
  r->number++;
  return true;
}

static struct field next_field(struct reader *r) {
  struct field *line = &r->line;
  while (line->length && *line->text == ' ') line->text++, line->length--;
  struct field f = {line->text, 0};
  while (f.length < line->length && f.text[f.length] != ' ') f.length++;
  line->text += f.length;
  line->length -= f.length;
  return f;
}

static struct field rest_of_line(struct reader *r) {
  struct field f = r->line;
  while (f.length && *f.text == ' ') f.text++, f.length--;
  r->line.length = 0;
  return f;
}

static bool is(struct field f, const char *word) {
  return strlen(word) == f.length && memcmp(word, f.text, f.length) == 0;
}

/* A word out of a list, by its index; -1: none of them. */
static int one_of(struct field f, const char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (is(f, words[i])) return i;
  return -1;
}

/* The next line if it begins with that keyword; otherwise it is left to be read again. */
static bool take_keyword(struct reader *r, const char *keyword) {
  struct reader before = *r;
  if (next_line(r) && is(next_field(r), keyword)) return true;
  *r = before;
  return false;
}

static int read_int(struct reader *r, const char *what, long long least, long long most, long long *value) {
  struct field f = next_field(r);
  size_t i = 0;
  bool minus = f.length > 1 && f.text[0] == '-';
  long long v = 0;
  for (i = minus; i < f.length && f.text[i] >= '0' && f.text[i] <= '9' && v < (1LL << 40); i++)
    v = 10 * v + (f.text[i] - '0');
  *value = minus ? -v : v;
  if (!f.length || i < f.length) return ERROR(r, "%s: expected a number, found '%.*s'", what, (int)f.length, f.text);
  if (*value < least || *value > most)
    return ERROR(r, "%s is %lld, expected %lld to %lld", what, *value, least, most);
  return 0;
}

static int copy(struct reader *r, struct field f, const char *what, char **out) {
  if (!f.length) return ERROR(r, "%s is missing", what);
  for (size_t i = 0; i < f.length; i++)
    if ((unsigned char)f.text[i] < ' ') return ERROR(r, "%s holds a control character", what);
  *out = malloc(f.length + 1);
  if (!*out) return ERROR(r, "out of memory");
  memcpy(*out, f.text, f.length);
  (*out)[f.length] = 0;
  return 0;
}

static int copy_unless_dash(struct reader *r, struct field f, const char *what, char **out) {
  return is(f, "-") ? 0 : copy(r, f, what, out);
}

static int line_done(struct reader *r) {
  struct field f = next_field(r);
  return f.length ? ERROR(r, "unexpected '%.*s' at the end of the line", (int)f.length, f.text) : 0;
}

static int read_expr(struct reader *r, place_expr *expr) {
  struct field f = rest_of_line(r);
  struct place_diag why = {""};
  *expr = PLACE_EXPR_NONE;
  if (is(f, "?")) return 0;
  *expr = place_expr_parse(&r->table->exprs, f.text, f.length, &why);
  return *expr < 0 ? ERROR(r, "%s", why.text) : 0;
}

/* One more element at the end of an array of `count`; NULL and a diagnostic when there is no memory. */
static void *append(struct reader *r, void **array, size_t *count, size_t size) {
  void *grown = *array;
  if (*count >= MAX_ITEMS) return ERROR(r, "more than %d items of one kind", (int)MAX_ITEMS), NULL;
  if ((*count & (*count - 1)) == 0) grown = realloc(*array, size * (*count ? 2 * *count : 1)); /* at powers of two */
  if (!grown) return ERROR(r, "out of memory"), NULL;
  *array = grown;
  return memset((char *)grown + size * (*count)++, 0, size);
}

#define APPEND(reader, array, count) append(reader, (void **)&(array), &(count), sizeof *(array))

/* The first field of a loop, array or access: its own number. */
static int read_number_of(struct reader *r, const char *what, size_t count) {
  long long n;
  if (read_int(r, what, 0, MAX_ITEMS, &n)) return -1;
  return (size_t)n + 1 == count ? 0 : ERROR(r, "%s is %lld, expected %zu", what, n, count - 1);
}

/* ---- lines of a region ---- */

static int read_at(struct reader *r, struct place_region *region) {
  long long line;
  if (!take_keyword(r, "at")) return ERROR(r, "expected 'at' on the next line");
  if (read_int(r, "source line", 0, INT32_MAX, &line)) return -1;
  region->line = (unsigned)line;
  if (copy(r, next_field(r), "function", &region->function)) return -1;
  return copy(r, rest_of_line(r), "file", &region->file);
}

static int read_kind(struct reader *r, struct place_region *region) {
  if (!take_keyword(r, "kind")) return ERROR(r, "expected 'kind' on the next line");
  struct field f = next_field(r);
  if (is(f, "spmd")) {
    struct field why = rest_of_line(r);
    return why.length ? copy(r, why, "reason", &region->no_blocks) : 0;
  }
  if (is(f, "unsupported")) return copy(r, rest_of_line(r), "reason", &region->unsupported);
  return ERROR(r, "kind is '%.*s', expected spmd or unsupported", (int)f.length, f.text);
}

static int read_launch(struct reader *r, struct place_region *region) {
  static const char *const teams[] = {[PLACE_TEAMS_OPEN] = "open", [PLACE_TEAMS_FIXED] = "fixed",
                                      [PLACE_TEAMS_OBSERVED] = "observed"};
  static const char *const reduction[] = {"-", "reduction"}, *const writes[] = {"-", "unknown-writes"};
  long long threads;
  if (!take_keyword(r, "launch")) return ERROR(r, "expected 'launch' on the next line");
  if (read_int(r, "threads", 0, 1024, &threads)) return -1;
  int clause = one_of(next_field(r), teams, 3), reduces = one_of(next_field(r), reduction, 2);
  int unknown = one_of(next_field(r), writes, 2);
  if (clause < 0) return ERROR(r, "expected open, fixed or observed after threads");
  if (reduces < 0) return ERROR(r, "expected reduction or -");
  if (unknown < 0) return ERROR(r, "expected unknown-writes or -");
  region->threads = (unsigned)threads;
  region->teams = (enum place_teams_clause)clause;
  region->reduction = reduces;
  region->unknown_writes = unknown;
  return line_done(r);
}

static int read_loop(struct reader *r, struct place_region *region) {
  long long parent;
  struct place_loop *loop = APPEND(r, region->loops, region->loop_count);
  if (!loop || read_number_of(r, "loop", region->loop_count)) return -1;
  if (read_int(r, "parent loop", -1, (long long)region->loop_count - 2, &parent)) return -1;
  loop->parent = (int)parent;
  return read_expr(r, &loop->trips);
}

static int read_rights(struct reader *r, struct place_array *array) {
  struct field f = next_field(r);
  if (is(f, "-")) return 0;
  for (size_t i = 0; i < f.length; i++) {
    bool *right = f.text[i] == 'r' ? &array->read : f.text[i] == 'w' ? &array->written : &array->atomic;
    if (!strchr("rwa", f.text[i]) || *right) return ERROR(r, "rights '%.*s', expected letters of rwa, each once, or -",
                                                          (int)f.length, f.text);
    *right = true;
  }
  return f.length ? 0 : ERROR(r, "rights are missing");
}

static int read_spaces(struct reader *r, struct place_array *array) {
  struct field f = next_field(r);
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
  struct field f = next_field(r);
  enum place_space space;
  array->hint = -1;
  if (is(f, "-")) return 0;
  if (place_space_parse(f.text, f.length, &space)) return ERROR(r, "no space is named '%.*s'", (int)f.length, f.text);
  array->hint = (int)space;
  return 0;
}

static int read_array(struct reader *r, struct place_region *region) {
  long long arg, bytes, placeable;
  struct place_array *array = APPEND(r, region->arrays, region->array_count);
  if (!array || read_number_of(r, "array", region->array_count)) return -1;
  if (read_int(r, "kernel argument", 0, 4095, &arg)) return -1;
  if (copy(r, next_field(r), "array name", &array->name)) return -1;
  if (read_int(r, "element bytes", 1, 1 << 20, &bytes)) return -1;
  if (read_rights(r, array)) return -1;
  if (read_int(r, "placeable index", -1, PLACE_MAX_PLACEABLE - 1, &placeable)) return -1;
  array->arg = (int)arg;
  array->element_bytes = (unsigned)bytes;
  array->placeable = (int)placeable;
  region->placeable_count += placeable >= 0;
  if (read_spaces(r, array) || read_hint(r, array)) return -1;
  return copy_unless_dash(r, rest_of_line(r), "reason", &array->reason);
}

static int read_access(struct reader *r, struct place_region *region) {
  static const char *const kinds[] = {[PLACE_READ] = "read", [PLACE_WRITE] = "write", [PLACE_ATOMIC] = "atomic"};
  long long array, width, loop, guarded, line, log, source;
  struct place_access *access = APPEND(r, region->accesses, region->access_count);
  if (!access || read_number_of(r, "access", region->access_count)) return -1;
  if (read_int(r, "array", 0, (long long)region->array_count - 1, &array)) return -1;
  int kind = one_of(next_field(r), kinds, 3);
  if (kind < 0) return ERROR(r, "expected read, write or atomic");
  if (read_int(r, "width", 1, 4096, &width)) return -1;
  if (read_int(r, "loop", -1, (long long)region->loop_count - 1, &loop)) return -1;
  if (read_int(r, "guarded", 0, 1, &guarded) || read_int(r, "line", 0, INT32_MAX, &line)) return -1;
  if (read_int(r, "log", -1, PLACE_PROFILE_ACCESSES - 1, &log)) return -1;
  if (read_int(r, "index source", -1, (long long)region->array_count - 1, &source)) return -1;
  *access = (struct place_access){.array = (int)array, .kind = (enum place_access_kind)kind, .guarded = guarded,
                                  .width_bytes = (unsigned)width, .loop = (int)loop, .line = (unsigned)line,
                                  .log = (int)log, .index_source = (int)source};
  return read_expr(r, &access->offset);
}

static int space_of_letter(char letter) {
  const char *letters = "grcs", *found = letter ? strchr(letters, letter) : NULL;
  return found ? (int)(found - letters) : -1;
}

static int read_block(struct reader *r, const struct place_region *region, struct place_version *version) {
  long long threads;
  if (read_int(r, "threads", 1, 1024, &threads)) return -1;
  version->threads = (unsigned)threads;
  struct field f = next_field(r);
  if (f.length != region->array_count) return ERROR(r, "%zu letters for the tiles of %zu arrays", f.length, region->array_count);
  version->tiled = calloc(f.length + 1, sizeof *version->tiled);
  if (!version->tiled) return ERROR(r, "out of memory");
  for (size_t i = 0; i < f.length; i++) {
    if (f.text[i] != 't' && f.text[i] != '-') return ERROR(r, "tile letter '%c' is neither t nor -", f.text[i]);
    version->tiled[i] = f.text[i] == 't';
  }
  return read_expr(r, &version->teams);
}

static int read_version(struct reader *r, struct place_region *region) {
  static const char *const kinds[] = {[PLACE_SPECIAL] = "special", [PLACE_AGNOSTIC] = "agnostic",
                                      [PLACE_PROFILE] = "profile",
                                      [PLACE_BASE] = "base",
                                      [PLACE_BLOCK] = "block"};
  struct place_version *version = APPEND(r, region->versions, region->version_count);
  if (!version || copy(r, next_field(r), "version's entry name", &version->entry)) return -1;
  int kind = one_of(next_field(r), kinds, 5);
  if (kind < 0) return ERROR(r, "expected base, special, agnostic, profile or block");
  version->kind = (enum place_version_kind)kind;
  struct field f = next_field(r);
  if (f.length != region->array_count)
    return ERROR(r, "%zu letters for the spaces of %zu arrays", f.length, region->array_count);
  version->space = malloc(f.length + 1);
  if (!version->space) return ERROR(r, "out of memory");
  for (size_t i = 0; i < f.length; i++) {
    const struct place_array *array = &region->arrays[i];
    int space = space_of_letter(f.text[i]);
    bool legal = array->placeable < 0               ? f.text[i] == '-'
                 : version->kind == PLACE_AGNOSTIC ? f.text[i] == '*'
                 : version->kind == PLACE_BASE     ? space == PLACE_GLOBAL
                 : space >= 0                      ? (array->candidates & PLACE_SPACE_BIT(space)) != 0
                                                   : version->kind == PLACE_PROFILE && f.text[i] == '*';
    if (!legal) return ERROR(r, "letter '%c' is not possible for array %zu (%s)", f.text[i], i, array->name);
    version->space[i] = (int8_t)space;
  }
  version->teams = PLACE_EXPR_NONE;
  return version->kind == PLACE_BLOCK ? read_block(r, region, version) : line_done(r);
}

static int read_region(struct reader *r) {
  unsigned first = r->number;
  struct place_region *region = APPEND(r, r->table->regions, r->table->region_count);
  if (!region || copy(r, next_field(r), "region's entry name", &region->entry) || line_done(r)) return -1;
  if (read_at(r, region) || read_kind(r, region) || read_launch(r, region)) return -1;
  while (take_keyword(r, "loop"))
    if (read_loop(r, region)) return -1;
  while (take_keyword(r, "array"))
    if (read_array(r, region)) return -1;
  while (take_keyword(r, "access"))
    if (read_access(r, region)) return -1;
  while (take_keyword(r, "version"))
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
  if (!take_keyword(r, "place-table")) {
    r->number = 1;
    return ERROR(r, "expected 'place-table'");
  }
  if (read_int(r, "ABI version", 0, INT32_MAX, &version)) return -1;
  if (version != PLACE_ABI_VERSION)
    return ERROR(r, "the table has ABI version %lld, this runtime reads version %d", version, PLACE_ABI_VERSION);
  return line_done(r);
}

static int read_all(struct reader *r) {
  if (read_header(r) || check_end(r)) return -1;
  while (take_keyword(r, "region"))
    if (read_region(r)) return -1;
  if (next_line(r)) return ERROR(r, "unexpected line '%.*s'", r->line.length < 60 ? (int)r->line.length : 60, r->line.text);
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
    free(region->versions[i].space);
    free(region->versions[i].tiled);
  }
  free(region->entry);
  free(region->function);
  free(region->file);
  free(region->unsupported);
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

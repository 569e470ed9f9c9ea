/* Printing a region table in its canonical text form. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "table_text.h"

struct printer {
  char *out;
  size_t size, length;
  uint64_t hash; /* FNV-1a of everything printed so far, also of what did not fit */
};

static void put_bytes(struct printer *p, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    p->hash = (p->hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    if (p->length + i + 1 < p->size) p->out[p->length + i] = text[i];
  }
  p->length += n;
}

static void put_text(struct printer *p, const char *text) {
  while (*text) put_bytes(p, text++, 1);
}

__attribute__((format(printf, 2, 3))) static void put(struct printer *p, const char *format, ...) { /* short texts only */
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  put_text(p, text);
}

static void put_expr(struct printer *p, const struct place_table *table, place_expr expr) {
  size_t n = place_expr_print(&table->exprs, expr, NULL, 0);
  char *text = malloc(n + 1);
  if (!text) return put_text(p, "?");
  place_expr_print(&table->exprs, expr, text, n + 1);
  put_bytes(p, text, n);
  free(text);
}

static void put_values(struct printer *p, uint64_t values) {
  const char *before = " values ";
  for (unsigned n = 0; n < 64; n++)
    if (values >> n & 1) put(p, "%s%u", before, n), before = ",";
}

static void put_loops(struct printer *p, const struct place_table *table, const struct place_region *region) {
  for (size_t i = 0; i < region->loop_count; i++) {
    put(p, "loop %zu %d ", i, region->loops[i].parent);
    put_expr(p, table, region->loops[i].trips);
    put(p, "\n");
  }
}

static void put_arrays(struct printer *p, const struct place_region *region) {
  for (size_t i = 0; i < region->array_count; i++) {
    const struct place_array *a = &region->arrays[i];
    bool any = a->read || a->written || a->atomic;
    put(p, "array %zu %d ", i, a->arg);
    put_text(p, a->name);
    put(p, " %u %s%s%s%s %d global", a->element_bytes, a->read ? "r" : "", a->written ? "w" : "", a->atomic ? "a" : "",
        any ? "" : "-", a->placeable);
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
      if (s != PLACE_GLOBAL && a->candidates & PLACE_SPACE_BIT(s)) put(p, ",%s", place_space_name((enum place_space)s));
    put(p, " %s ", a->hint < 0 ? "-" : place_space_name((enum place_space)a->hint));
    put_text(p, a->reason ? a->reason : "-");
    put(p, "\n");
  }
}

static void put_accesses(struct printer *p, const struct place_table *table, const struct place_region *region) {
  static const char *const kinds[] = {"read", "write", "atomic"};
  for (size_t i = 0; i < region->access_count; i++) {
    const struct place_access *a = &region->accesses[i];
    put(p, "access %zu %d %s %u %d %d %u %d %d ", i, a->array, kinds[a->kind], a->width_bytes, a->loop, a->guarded,
        a->line, a->log, a->index_source);
    put_expr(p, table, a->offset);
    put(p, "\n");
  }
}

/* A version's values have no blanks in them. */
static void put_value(struct printer *p, const struct place_table *table, place_expr expr) {
  size_t n = place_expr_print(&table->exprs, expr, NULL, 0);
  char *text = malloc(n + 1);
  if (!text) return put_text(p, "any");
  place_expr_print(&table->exprs, expr, text, n + 1);
  for (size_t i = 0; i < n; i++)
    if (text[i] != ' ') put_bytes(p, text + i, 1);
  free(text);
}

static void put_space(struct printer *p, const struct place_region *region, const struct place_version *v) {
  for (size_t a = 0; a < region->array_count; a++)
    put(p, "%s%c", a ? "," : " space=",
        region->arrays[a].placeable < 0 ? '-' : v->space[a] < 0 ? '*' : place_space_letter((enum place_space)v->space[a]));
}

static void put_texels(struct printer *p, const struct place_region *region, const struct place_version *v) {
  for (size_t a = 0; v->texel && a < region->array_count; a++) {
    put(p, "%s", a ? "," : " texels=");
    if (v->texel[a]) put(p, "%u", v->texel[a]);
    else put(p, "-");
  }
}

static void put_by_array(struct printer *p, const struct place_table *table, const struct place_region *region, const char *key,
                         const place_expr *of) {
  for (size_t a = 0; of && a < region->array_count; a++) {
    put(p, a ? ";" : " %s=", key);
    if (of[a] == PLACE_EXPR_NONE) put(p, "-");
    else put_value(p, table, of[a]);
  }
}

static void put_routes(struct printer *p, const struct place_region *region, const struct place_version *v) {
  for (size_t a = 0; v->route && a < region->array_count; a++) {
    put(p, "%s", a ? "," : " routes=");
    put_text(p, v->route[a] == PLACE_ROUTE_DEFAULT ? "-" : place_route_name((enum place_route)v->route[a]));
  }
}

static void put_block(struct printer *p, const struct place_block *b) {
  if (!b->dims) return;
  for (unsigned d = 0; d < b->dims; d++) put(p, "%s%u", d ? "x" : " block=", place_block_extent(b, d));
  for (unsigned d = 0; d < b->dims; d++) put(p, "%s%u", d ? "x" : " team=", b->threads[d]);
  if (b->alike > 1) put(p, " alike=%u", b->alike);
  if (b->lanes) put(p, " lanes=%u", b->lanes);
  for (unsigned d = 0; d < b->dims; d++) put(p, "%s%d", d ? "x" : " adjacent=", b->adjacent[d]);
  if (b->strip) put(p, " strip=%u", b->strip);
  if (b->pipelined) put(p, " pipelined=1");
  if (b->turned) put(p, " turned=1");
  if (b->wide) put(p, " wide=1");
}

static void put_version(struct printer *p, const struct place_table *table, const struct place_region *region,
                        const struct place_version *v) {
  const char *separator = " tiles=";
  put(p, "version ");
  put_text(p, v->entry);
  put(p, " role=%s loop=%s", place_role_name(v->role), place_loop_name(v->loop));
  put_space(p, region, v);
  put_routes(p, region, v);
  put_texels(p, region, v);
  put_by_array(p, table, region, "pitches", v->pitch);
  put_block(p, &v->block);
  if (v->kernel) put(p, " kernel="), put_text(p, v->kernel);
  if (v->threads) put(p, " threads=%u", v->threads);
  if (v->each) put(p, " each=%u", v->each);
  if (v->brief) put(p, " short=%u", v->brief);
  if (v->rows) put(p, " rows=%u", v->rows);
  if (v->fill) put(p, " fill=%u", v->fill);
  if (v->even) put(p, " even=1");
  if (v->teams != PLACE_EXPR_NONE) put(p, " teams="), put_value(p, table, v->teams);
  if (v->slice) put(p, " slice=%u", v->slice);
  if (v->origin) put(p, " origin=%u", v->origin);
  put_by_array(p, table, region, "ahead", v->ahead);
  for (unsigned d = 0; d < v->extent_count; d++) put(p, d ? ";" : " extents="), put_value(p, table, v->extent[d]);
  for (size_t a = 0; v->tiled && a < region->array_count; a++)
    if (v->tiled[a]) put(p, "%s%zu", separator, a), separator = ",";
  for (size_t i = 0; i < v->need_count; i++) {
    put(p, "%s%s", i ? "," : " needs=", place_need_name(v->needs[i].kind));
    if (place_need_is_numbered(v->needs[i].kind)) put(p, ":%u", v->needs[i].value);
  }
  put(p, "\n");
}

static void put_region(struct printer *p, const struct place_table *table, const struct place_region *region) {
  static const char *const teams[] = {"open", "observed"};
  put(p, "region ");
  put_text(p, region->entry);
  put(p, "\nat %u ", region->line);
  put_text(p, region->function);
  put(p, " ");
  put_text(p, region->file);
  const char *kind = region->no_version ? "no-version" : region->nothing_to_place ? "nothing-to-place" : "spmd";
  const char *why = region->no_version ? region->no_version : region->nothing_to_place ? region->nothing_to_place : region->no_blocks;
  put(p, "\nkind %s%s", kind, why ? " " : "");
  if (why) put_text(p, why);
  put(p, "\nlaunch %u %s %s %s%s%s%s%s", region->threads, teams[region->teams], region->reduction ? "reduction" : "-",
      region->unknown_writes ? "unknown-writes" : "-", region->open_threads ? " open-threads" : "",
      region->set_threads ? " set-threads" : "", region->apart ? " apart" : "",
      region->asked_blocks ? " blocks" : "");
  if (region->parameters >= 0) put(p, " parameters %d", region->parameters);
  put_values(p, region->values);
  put(p, "\n");
  put_loops(p, table, region);
  put_arrays(p, region);
  put_accesses(p, table, region);
  for (size_t i = 0; i < region->version_count; i++) put_version(p, table, region, &region->versions[i]);
}

size_t place_table_print(const struct place_table *table, char *out, size_t size) {
  struct printer p = {.out = out, .size = size, .hash = place_fnv1a("", 0)};
  put(&p, "place-table %d\n", PLACE_ABI_VERSION);
  for (size_t i = 0; i < table->region_count; i++) put_region(&p, table, &table->regions[i]);
  put(&p, "end %016" PRIx64 "\n", p.hash);
  if (size) out[p.length < size ? p.length : size - 1] = 0;
  return p.length;
}

/* What a version is: names of its fields' values, and questions about them. */
#include "place/version.h"

#include <stdio.h>
#include <string.h>

#include "place/region.h"

/* ---- names ---- */

static const char *const role_names[PLACE_ROLE_COUNT] = {
  [PLACE_ROLE_BASE] = "base", [PLACE_ROLE_PLAN] = "plan", [PLACE_ROLE_PROFILE] = "profile"};

static const struct {
  const char *name, *text;
  enum place_loop_estimate estimate;
} loops[PLACE_LOOP_COUNT] = {
#define PLACE_LOOP_FORM(identifier, name, text, estimate) {name, text, PLACE_ESTIMATE_BY_##estimate},
#include "place/loop.def"
#undef PLACE_LOOP_FORM
};

static const struct {
  const char *name;
  bool numbered;
} needs[PLACE_NEED_COUNT] = {
#define PLACE_NEED(identifier, name, numbered) {name, numbered},
#include "place/need.def"
#undef PLACE_NEED
};

const char *place_role_name(enum place_role role) { return (unsigned)role < PLACE_ROLE_COUNT ? role_names[role] : "?"; }
const char *place_loop_name(enum place_loop_form form) { return (unsigned)form < PLACE_LOOP_COUNT ? loops[form].name : "?"; }
const char *place_loop_text(enum place_loop_form form) { return (unsigned)form < PLACE_LOOP_COUNT ? loops[form].text : "?"; }
enum place_loop_estimate place_loop_estimate(enum place_loop_form form) {
  return (unsigned)form < PLACE_LOOP_COUNT ? loops[form].estimate : PLACE_ESTIMATE_BY_NONE;
}
const char *place_need_name(enum place_need_kind kind) { return (unsigned)kind < PLACE_NEED_COUNT ? needs[kind].name : "?"; }
bool place_need_is_numbered(enum place_need_kind kind) { return (unsigned)kind < PLACE_NEED_COUNT && needs[kind].numbered; }

static bool is(const char *known, const char *name, size_t length) {
  return strlen(known) == length && memcmp(known, name, length) == 0;
}

int place_role_parse(const char *name, size_t length) {
  for (int i = 0; i < PLACE_ROLE_COUNT; i++)
    if (is(role_names[i], name, length)) return i;
  return -1;
}

int place_loop_parse(const char *name, size_t length) {
  for (int i = 0; i < PLACE_LOOP_COUNT; i++)
    if (is(loops[i].name, name, length)) return i;
  return -1;
}

int place_need_parse(const char *name, size_t length) {
  for (int i = 0; i < PLACE_NEED_COUNT; i++)
    if (is(needs[i].name, name, length)) return i;
  return -1;
}

/* ---- questions ---- */

unsigned place_version_words(const struct place_region *region, const struct place_version *version) {
  return PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY * region->placeable_count + (version->slice ? PLACE_SLICE_WORDS : 0);
}

bool place_version_needs(const struct place_version *version, enum place_need_kind kind) {
  for (size_t i = 0; i < version->need_count; i++)
    if (version->needs[i].kind == kind) return true;
  return false;
}

bool place_version_is_open(const struct place_region *region, const struct place_version *version) {
  for (size_t a = 0; a < region->array_count; a++)
    if (region->arrays[a].placeable >= 0 && version->space[a] < 0) return true;
  return false;
}

bool place_version_moves(const struct place_region *region, const struct place_version *version) {
  for (size_t a = 0; a < region->array_count; a++)
    if (region->arrays[a].placeable >= 0 && version->space[a] >= 0 && version->space[a] != PLACE_GLOBAL) return true;
  return false;
}

static bool is_unblocked_plan(const struct place_region *region, const struct place_version *version) {
  return version->role == PLACE_ROLE_PLAN && !version->block.dims && !place_version_is_open(region, version);
}

bool place_version_is_placement(const struct place_region *region, const struct place_version *version) {
  return is_unblocked_plan(region, version) && place_version_moves(region, version);
}

bool place_version_is_plain(const struct place_region *region, const struct place_version *version) {
  return is_unblocked_plan(region, version) && !place_version_moves(region, version);
}

bool place_version_has_spaces(const struct place_region *region, const struct place_version *version, const uint8_t *space) {
  for (size_t a = 0; a < region->array_count; a++) {
    int p = region->arrays[a].placeable;
    if (p >= 0 && version->space[a] >= 0 && version->space[a] != (int8_t)space[p]) return false;
  }
  return true;
}

void place_version_spaces(const struct place_region *region, const struct place_version *version, uint8_t *space) {
  for (size_t a = 0; a < region->array_count; a++) {
    int p = region->arrays[a].placeable;
    if (p >= 0) space[p] = (uint8_t)(version->space[a] < 0 ? PLACE_GLOBAL : version->space[a]);
  }
}

int place_version_find(const struct place_region *region, const uint8_t *space) {
  for (size_t v = 0; v < region->version_count; v++)
    if (is_unblocked_plan(region, &region->versions[v]) && place_version_has_spaces(region, &region->versions[v], space)) return (int)v;
  for (size_t v = 0; v < region->version_count; v++)
    if (region->versions[v].role == PLACE_ROLE_PLAN && place_version_is_open(region, &region->versions[v])) return (int)v;
  return -1;
}

/* ---- routes ---- */

enum place_route place_version_route(const struct place_version *version, size_t array) {
  return version->route ? (enum place_route)version->route[array] : PLACE_ROUTE_DEFAULT;
}

static bool has_same_needs(const struct place_version *a, const struct place_version *b) {
  for (size_t i = 0; i < a->need_count; i++)
    if (i >= b->need_count || a->needs[i].kind != b->needs[i].kind || a->needs[i].value != b->needs[i].value) return false;
  return a->need_count == b->need_count;
}

static bool differs_by_routes(const struct place_region *region, const struct place_version *a, const struct place_version *b) {
  for (size_t i = 0; i < region->array_count; i++)
    if (a->space[i] != b->space[i]) return false;
  return a->role == b->role && a->loop == b->loop && !a->block.dims && !b->block.dims && a->threads == b->threads &&
         a->each == b->each && a->rows == b->rows && a->fill == b->fill &&
         (a->teams == PLACE_EXPR_NONE) == (b->teams == PLACE_EXPR_NONE) && has_same_needs(a, b);
}

const struct place_version *place_version_code(const struct place_region *region, const struct place_version *version) {
  if (!version->kernel) return version;
  for (size_t v = 0; v < region->version_count; v++)
    if (!region->versions[v].kernel && strcmp(region->versions[v].entry, version->kernel) == 0) return &region->versions[v];
  return NULL;
}

size_t place_version_host(const struct place_region *region, size_t version) {
  const struct place_version *all = region->versions;
  for (size_t v = 0; all[version].route && v < version; v++)
    if (differs_by_routes(region, &all[v], &all[version])) return v;
  return version;
}

/* ---- blocks ---- */

unsigned place_block_extent(const struct place_block *block, unsigned dim) { return block->threads[dim] * block->each[dim]; }

size_t place_version_shape(const struct place_version *version, char *out, size_t size) {
  const struct place_block *b = &version->block;
  char text[96] = "";
  int n = 0;
  if (!b->dims) return (size_t)snprintf(out, size, "%s", "");
  for (unsigned d = 0; d < b->dims; d++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%u", d ? "x" : "", place_block_extent(b, d));
  n += snprintf(text + n, sizeof text - (size_t)n, "t%u", version->threads);
  if (b->strip) n += snprintf(text + n, sizeof text - (size_t)n, "k%u", b->strip);
  n += snprintf(text + n, sizeof text - (size_t)n, "%s%s%s", b->pipelined ? "p" : "", b->turned ? "c" : "",
                b->adjacent[b->dims - 1] ? "a" : "");
  if (b->lanes) snprintf(text + n, sizeof text - (size_t)n, "l%u", b->lanes);
  return (size_t)snprintf(out, size, "%s", text);
}

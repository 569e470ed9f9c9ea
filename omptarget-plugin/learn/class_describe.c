/* What a plan is, in words. */
#include "class.h"
#include "place/text.h"

static void describe_block(const struct place_version *version, struct place_text *out) {
  const struct place_block *b = &version->block;
  bool adjacent = false;
  place_text_add(out, "blocks of ");
  for (unsigned d = 0; d < b->dims; d++) {
    place_text_add(out, "%s%u", d ? "x" : "", place_block_extent(b, d));
    adjacent |= b->adjacent[d];
  }
  place_text_add(out, " iterations (%u threads", version->threads);
  if (b->strip) place_text_add(out, ", %u steps at a time%s", b->strip, b->pipelined ? ", fetched ahead" : "");
  if (b->lanes) place_text_add(out, ", neighbours along loop %u of %u", b->dims - b->lanes, b->dims);
  if (b->turned) place_text_add(out, ", columns through tiles");
  if (adjacent) place_text_add(out, ", neighbours to a thread%s", b->wide ? " by wide loads" : "");
  place_text_add(out, ")");
}

static void describe_tiles(const struct place_region *region, const struct place_version *version, struct place_text *out) {
  unsigned last = 0, n = 0;
  for (size_t a = 0; version->tiled && a < region->array_count; a++) last += version->tiled[a];
  for (size_t a = 0; last && a < region->array_count; a++) {
    if (!version->tiled[a]) continue;
    place_text_add(out, "%s%s", !n ? ", tiles of " : n + 1 == last ? " and " : ", ", region->arrays[a].name);
    n++;
  }
  if (last) place_text_add(out, " in shared memory");
}

static void describe_routes(const struct place_region *region, const struct place_version *version, struct place_text *out) {
  for (int route = PLACE_ROUTE_DEFAULT + 1; version->route && route < PLACE_ROUTE_COUNT; route++) {
    bool some = false;
    for (size_t a = 0; a < region->array_count; a++) {
      if (version->route[a] != route) continue;
      place_text_add(out, "%s%s", some ? " and " : out->length ? ", " : "", region->arrays[a].name);
      some = true;
    }
    if (some) place_text_add(out, " by %s loads", place_route_name((enum place_route)route));
  }
}

/* As the program would see it. */
static void describe_rows(const struct place_version *version, struct place_text *out) {
  if (version->rows == 1) place_text_add(out, "teams of %u threads", version->threads);
  else place_text_add(out, "teams of one warp");
}

/* Of two that differ in their teams alone, the smaller ones are named. */
static void describe_form(const struct place_region *region, const struct place_version *version, struct place_text *out) {
  enum { WARP = 32 };
  bool warps = version->each && version->threads == WARP && region->threads != WARP;
  place_text_add(out, "%s%s", place_loop_text(version->loop), warps ? ", in teams of a warp" : "");
}

/* What a version is beside its spaces, where they alone do not say which it is. */
static void describe_loop(const struct place_region *region, const struct place_version *version, struct place_text *out) {
  uint8_t space[PLACE_MAX_PLACEABLE] = {0};
  const char *between = out->length ? "; " : "";
  place_version_spaces(region, version, space);
  if (version->block.dims) {
    place_text_add(out, "%s", between);
    describe_block(version, out);
    describe_tiles(region, version, out);
  } else if (version->role == PLACE_ROLE_PLAN && !place_version_is_open(region, version)) {
    int first = place_version_find(region, space);
    bool other = first >= 0 && region->versions[first].loop != version->loop;
    if (out->length && !other) return;
    place_text_add(out, "%s", between);
    version->rows ? describe_rows(version, out) : describe_form(region, version, out);
  }
}

size_t class_describe(const struct place_region *region, const struct place_plan *plan, char *out, size_t size) {
  struct place_text text = {out, size, 0};
  *out = 0;
  for (size_t a = 0; a < region->array_count; a++) {
    int p = region->arrays[a].placeable;
    if (p < 0 || plan->array[p].space == PLACE_GLOBAL) continue;
    place_text_add(&text, "%s%s %s", text.length ? ", " : "", region->arrays[a].name, place_space_text(plan->array[p].space));
  }
  if (plan->version >= 0) describe_routes(region, &region->versions[plan->version], &text);
  if (plan->version >= 0) describe_loop(region, &region->versions[plan->version], &text);
  return text.length;
}

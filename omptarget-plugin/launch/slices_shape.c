#include "slices_shape.h"

#include "versions.h"

static uint64_t share(uint64_t all, uint64_t each) { return all / each + (all % each != 0); }

/* Blocks are numbered dimension by dimension, the last one fastest: rows of blocks follow each other. What is known of the extents must
 * be all of the space. More blocks than the original has chunks would find no team (Block.cpp). */
static bool shape_of_blocks(const struct rt_region *region, const struct place_version *v, const struct place_launch *launch,
                            struct slices_shape *shape) {
  struct place_point at = {.arg = launch->arg, .arg_known = launch->arg_known, .args = launch->args};
  uint64_t all = 1, row = 1, blocks_of_row = 1, rows = 0;
  int base = versions_base(region);
  if (v->extent_count != v->block.dims || base < 0 || !region->region->versions[base].slice) return false;
  for (unsigned d = 0; d < v->extent_count; d++) {
    uint64_t extent;
    if (!place_expr_eval(&region->table->exprs, v->extent[d], &at, &extent) || !extent || extent > INT32_MAX || all > INT32_MAX) return false;
    all *= extent;
    if (d) row *= extent, blocks_of_row *= share(extent, place_block_extent(&v->block, d));
    else rows = share(extent, place_block_extent(&v->block, 0));
  }
  if (all != launch->trip_count || blocks_of_row > INT32_MAX) return false;
  if (rows * blocks_of_row > share(all, region->region->versions[base].slice)) return false;
  uint64_t grain = place_block_extent(&v->block, 0) * row;
  *shape = (struct slices_shape){all, grain, v->origin ? v->origin * row : grain, (uint32_t)blocks_of_row, (uint32_t)(rows * blocks_of_row)};
  return true;
}

bool slices_shape(const struct rt_region *region, int version, const struct place_launch *launch, struct slices_shape *shape) {
  const struct place_version *v = &region->region->versions[version];
  uint64_t trips = launch->trip_count;
  if (!v->slice || !trips) return false;
  if (v->block.dims) return shape_of_blocks(region, v, launch, shape);
  if (share(trips, v->slice) > INT32_MAX) return false;
  *shape = (struct slices_shape){trips, v->slice, v->slice, 1, (uint32_t)share(trips, v->slice)};
  return true;
}

bool slices_part(const struct slices_shape *shape, uint64_t from, uint64_t to, struct slices_teams *part) {
  if (from >= to || to > shape->trips || from % shape->begin || ((to - from) % shape->grain && to != shape->trips)) return false;
  *part = (struct slices_teams){.first = (uint32_t)(from / shape->grain * shape->of_grain),
                                .count = (uint32_t)(share(to - from, shape->grain) * shape->of_grain),
                                .of = shape->teams,
                                .origin = (uint32_t)(from % shape->grain / shape->begin)};
  return true;
}

uint64_t slices_common_grain(uint64_t a, uint64_t b) {
  uint64_t x = a, y = b;
  while (y) {
    uint64_t rest = x % y;
    x = y, y = rest;
  }
  return a / x > ((uint64_t)1 << 62) / b ? 0 : a / x * b;
}

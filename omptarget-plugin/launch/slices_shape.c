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
  *shape = (struct slices_shape){.trips = all,
                                 .grain = grain,
                                 .begin = v->origin ? v->origin * row : grain,
                                 .of_grain = (uint32_t)blocks_of_row,
                                 .teams = (uint32_t)(rows * blocks_of_row)};
  return true;
}

/* Beside an interval of any length, of at most 2^30 iterations: then the first iterations of a team that goes on from there to what would be
 * the next are all that it has. */
static bool shape_of_reduction(const struct place_version *v, uint64_t trips, uint32_t threads, struct slices_shape *shape) {
  enum { MOST = 1 << 30 };
  bool any = v->fill > 0;
  if (trips > MOST || (any && !threads)) return false;
  *shape = (struct slices_shape){.trips = trips, .grain = v->slice, .begin = v->slice, .of_grain = 1, .reduces = true};
  shape->threads = any ? threads : 0;
  shape->teams = any ? 0 : (INT32_MAX - (uint32_t)trips) / v->slice - 1;
  return true;
}

bool slices_shape(const struct rt_region *region, int version, const struct place_launch *launch, struct slices_shape *shape) {
  const struct place_version *v = &region->region->versions[version];
  uint64_t trips = launch->trip_count;
  if (!v->slice || !trips) return false;
  if (region->region->reduction) return shape_of_reduction(v, trips, v->threads ? v->threads : launch->threads, shape);
  if (v->block.dims) return shape_of_blocks(region, v, launch, shape);
  if (share(trips, v->slice) > INT32_MAX) return false;
  *shape = (struct slices_shape){.trips = trips, .grain = v->slice, .begin = v->slice, .of_grain = 1, .teams = (uint32_t)share(trips, v->slice)};
  return true;
}

/* Of a reduction: up to the end of the space, whatever that is in the kernel, or no further than the iterations that are meant. */
static void part_of_reduction(const struct slices_shape *shape, uint64_t from, uint64_t to, struct slices_teams *part) {
  bool last = to == shape->trips;
  uint64_t count = share(to - from, shape->threads ? shape->threads : shape->grain);
  *part = (struct slices_teams){.first = (uint32_t)(from / shape->grain), .count = (uint32_t)count, .any = shape->threads > 0};
  if (shape->threads) part->of = last ? 0 : (uint32_t)to;
  else part->of = last ? part->count : shape->teams;
}

bool slices_part(const struct slices_shape *shape, uint64_t from, uint64_t to, struct slices_teams *part) {
  if (from >= to || to > shape->trips || from % shape->begin || ((to - from) % shape->grain && to != shape->trips)) return false;
  if (shape->reduces) return part_of_reduction(shape, from, to, part), true;
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

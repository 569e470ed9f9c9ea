/* Where the teams of a version lie in the iteration space, so that a launch can be split there (place/version.h, `slice`).
 *
 * Thread-safety: pure functions. Errors: false. */
#ifndef PLACE_RT_SLICES_SHAPE_H
#define PLACE_RT_SLICES_SHAPE_H

#include "place/plan.h"
#include "registry.h"

/* The first `grain` iterations are the first `of_grain` teams', and so on; the last grain may have fewer of both. Teams may all begin a
 * multiple of `begin` iterations later, a divisor of the grain. */
struct slices_shape {
  uint64_t trips; /* of the launch */
  uint64_t grain, begin;
  uint32_t of_grain;
  uint32_t teams; /* of the whole space */
  uint32_t threads; /* of a team to which any interval can be given; 0: its teams have their places in the space */
  bool reduces;   /* there may be more iterations than `trips`, or fewer: the last slice has what there is */
};

/* What carries out an interval of the iterations: of `of` teams in all, `count` from number `first` on, which begin `origin` times `begin`
 * iterations later. With `any`: at most `count` teams, from iteration `first` on to `of`; 0: to the end. */
struct slices_teams {
  uint32_t first, count, of, origin;
  bool any;
};

/* False: the version cannot be launched in slices, or it is not known how. */
bool slices_shape(const struct rt_region *region, int version, const struct place_launch *launch, struct slices_shape *shape);

/* The teams for the iterations [from, to). False: they cannot begin there, or not end there. */
bool slices_part(const struct slices_shape *shape, uint64_t from, uint64_t to, struct slices_teams *part);

/* The least number of iterations that is a multiple of both grains; 0: it is beyond 2^62. */
uint64_t slices_common_grain(uint64_t a, uint64_t b);

#endif

/* The value of an expression in all lanes of a warp at once. Internal.
 *
 * Most addresses are affine in the lane, so a value is kept as base + lane * step (modulo 2^64) as long as it is one and
 * spread into an array only where an operation breaks that (a division, a cast that wraps within the warp). */
#ifndef PLACE_CORE_LANES_H
#define PLACE_CORE_LANES_H

#include "place/expr.h"

enum { LANES = 32 };

struct lanes {
  bool affine;
  uint64_t base, step;   /* affine */
  uint64_t value[LANES]; /* otherwise */
};

static inline uint64_t lanes_at(const struct lanes *v, unsigned lane) {
  return v->affine ? v->base + lane * v->step : v->value[lane];
}

/* The value for threads at->tid + 0 ... + 31, in *value and true; false if it depends on anything unknown. */
bool lanes_eval(const struct place_expr_pool *pool, place_expr expr, const struct place_point *at, struct lanes *value);

#endif

/* The value of an expression in all lanes of a warp at once. Internal.
 *
 * Most addresses are affine in the lane, so a value is kept as base + lane * step (modulo 2^64) as long as it is one and
 * spread into an array only where an operation breaks that (a division that crosses a multiple within the warp, a cast that
 * wraps there). */
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

static inline void lanes_affine(struct lanes *v, uint64_t base, uint64_t step) {
  v->affine = true;
  v->base = base;
  v->step = step;
}

/* *to = *from, without the array where it means nothing. */
static inline void lanes_copy(struct lanes *to, const struct lanes *from) {
  to->affine = from->affine;
  to->base = from->base;
  to->step = from->step;
  for (unsigned l = 0; !from->affine && l < LANES; l++) to->value[l] = from->value[l];
}

/* The operations of expressions, in place: *a = op(*a) or op(*a, *b). False: a division by zero in some lane. */
void lanes_cast(struct lanes *a, unsigned op, unsigned bits);
void lanes_multiply(struct lanes *a, const struct lanes *b);
bool lanes_call2(struct lanes *a, const struct lanes *b, unsigned op, unsigned bits);

/* The greatest value (unsigned), and the lanes whose value is above `n`. */
uint64_t lanes_most(const struct lanes *v);
uint32_t lanes_above(const struct lanes *v, uint64_t n);

/* The value for threads at->tid + 0 ... + 31, in *value and true; false if it depends on anything unknown. */
bool lanes_eval(const struct place_expr_pool *pool, place_expr expr, const struct place_point *at, struct lanes *value);

#endif

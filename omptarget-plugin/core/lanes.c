/* Expressions over the lanes of a warp. */
#include "lanes.h"

#include "expr_op.h"

static void spread(struct lanes *v) {
  if (!v->affine) return;
  for (unsigned l = 0; l < LANES; l++) v->value[l] = v->base + l * v->step;
  v->affine = false;
}

static void set_affine(struct lanes *v, uint64_t base, uint64_t step) {
  v->affine = true;
  v->base = base;
  v->step = step;
}

/* Whether base, base + step, ..., base + 31 step all lie in [lo, hi], without wrapping on the way. */
static bool stays_within(int64_t base, int64_t step, __int128 lo, __int128 hi) {
  __int128 last = (__int128)base + (__int128)(LANES - 1) * step;
  return base >= lo && base <= hi && last >= lo && last <= hi;
}

static void cast(struct lanes *v, unsigned op, unsigned bits) {
  if (bits >= 64) return;
  if (v->affine) {
    bool is_signed = op == PLACE_EXPR_SEXT;
    int64_t first = (int64_t)expr_cast(op, bits, v->base), step = (int64_t)expr_sext(bits, v->step);
    __int128 lo = is_signed ? -((__int128)1 << (bits - 1)) : 0, hi = is_signed ? -lo - 1 : ((__int128)1 << bits) - 1;
    if (stays_within(first, step, lo, hi)) return set_affine(v, (uint64_t)first, (uint64_t)step);
    spread(v);
  }
  for (unsigned l = 0; l < LANES; l++) v->value[l] = expr_cast(op, bits, v->value[l]);
}

static void add(struct lanes *a, struct lanes *b) {
  if (a->affine && b->affine) return set_affine(a, a->base + b->base, a->step + b->step);
  spread(a);
  spread(b);
  for (unsigned l = 0; l < LANES; l++) a->value[l] += b->value[l];
}

static void multiply(struct lanes *a, struct lanes *b) {
  bool a_uniform = a->affine && !a->step, b_uniform = b->affine && !b->step;
  if (b_uniform && a->affine) return set_affine(a, a->base * b->base, a->step * b->base);
  if (a_uniform && b->affine) return set_affine(a, a->base * b->base, a->base * b->step);
  spread(a);
  spread(b);
  for (unsigned l = 0; l < LANES; l++) a->value[l] *= b->value[l];
}

static bool call2(struct lanes *a, struct lanes *b, const struct place_expr_node *node) {
  uint64_t value;
  if (a->affine && b->affine && !a->step && !b->step) {
    if (!expr_call2(node->op, node->bits, a->base, b->base, &value)) return false;
    return set_affine(a, value, 0), true;
  }
  spread(a);
  spread(b);
  for (unsigned l = 0; l < LANES; l++) {
    if (!expr_call2(node->op, node->bits, a->value[l], b->value[l], &value)) return false;
    a->value[l] = value;
  }
  return true;
}

bool lanes_eval(const struct place_expr_pool *pool, place_expr expr, const struct place_point *at, struct lanes *value) {
  if (expr < 0 || (size_t)expr >= pool->count) return false;
  const struct place_expr_node *node = &pool->nodes[expr];
  if (node->op == PLACE_EXPR_TID) return set_affine(value, at->tid, 1), true;
  if (node->op <= PLACE_EXPR_ANY) {
    value->affine = true;
    value->step = 0;
    return place_expr_eval(pool, expr, at, &value->base);
  }
  struct lanes b;
  if (!lanes_eval(pool, node->a, at, value)) return false;
  if (expr_is_cast(node->op)) return cast(value, node->op, node->bits), true;
  if (!lanes_eval(pool, node->b, at, &b)) return false;
  if (node->op == PLACE_EXPR_ADD) return add(value, &b), true;
  if (node->op == PLACE_EXPR_MUL) return multiply(value, &b), true;
  return call2(value, &b, node);
}

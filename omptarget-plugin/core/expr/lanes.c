/* Expressions over the lanes of a warp. */
#include "lanes.h"

#include "expr_op.h"

static void spread(struct lanes *v) {
  if (!v->affine) return;
  for (unsigned l = 0; l < LANES; l++) v->value[l] = v->base + l * v->step;
  v->affine = false;
}

static bool is_uniform(const struct lanes *v) {
  return v->affine && !v->step;
}

/* Lane 31's value if lanes 0 to 31 count from first to it without leaving [lo, hi]. */
static bool stays_within(int64_t first, int64_t step, int64_t lo, int64_t hi, int64_t *last) {
  int64_t way;
  if (__builtin_mul_overflow(step, (int64_t)(LANES - 1), &way) || __builtin_add_overflow(first, way, last)) return false;
  return first >= lo && first <= hi && *last >= lo && *last <= hi;
}

void lanes_cast(struct lanes *v, unsigned op, unsigned bits) {
  if (bits >= 64) return;
  if (v->affine) {
    bool is_signed = op == PLACE_EXPR_SEXT;
    int64_t first = (int64_t)expr_cast(op, bits, v->base), step = (int64_t)expr_sext(bits, v->step), last;
    int64_t hi = (int64_t)expr_mask(is_signed ? bits - 1 : bits), lo = is_signed ? -hi - 1 : 0;
    if (stays_within(first, step, lo, hi, &last)) return lanes_affine(v, (uint64_t)first, (uint64_t)step);
    spread(v);
  }
  for (unsigned l = 0; l < LANES; l++) v->value[l] = expr_cast(op, bits, v->value[l]);
}

static void add(struct lanes *a, const struct lanes *b) {
  if (a->affine && b->affine) return lanes_affine(a, a->base + b->base, a->step + b->step);
  spread(a);
  for (unsigned l = 0; l < LANES; l++) a->value[l] += lanes_at(b, l);
}

void lanes_multiply(struct lanes *a, const struct lanes *b) {
  if (is_uniform(b) && a->affine) return lanes_affine(a, a->base * b->base, a->step * b->base);
  if (is_uniform(a) && b->affine) return lanes_affine(a, a->base * b->base, a->base * b->step);
  spread(a);
  for (unsigned l = 0; l < LANES; l++) a->value[l] *= lanes_at(b, l);
}

/* ---- calls of two arguments ---- */

/* An affine value as the operation sees it: integers from first to last, the same step apart. */
struct count {
  int64_t first, last, step;
};

/* False if it wraps on the way, or is unsigned and beyond 2^63. */
static bool is_count(const struct lanes *v, bool is_signed, unsigned bits, struct count *c) {
  unsigned magnitude = is_signed || bits >= 64 ? (bits >= 64 ? 63 : bits - 1) : bits;
  int64_t hi = (int64_t)expr_mask(magnitude), lo = is_signed ? -hi - 1 : 0;
  if (!v->affine) return false;
  c->first = (int64_t)(is_signed ? expr_sext(bits, v->base) : expr_zext(bits, v->base));
  c->step = (int64_t)expr_sext(bits, v->step);
  return stays_within(c->first, c->step, lo, hi, &c->last);
}

/* The quotients or remainders of a count, by adding up instead of dividing. */
static void divide_each(struct lanes *a, const struct count *c, uint64_t by, bool quotient) {
  uint64_t q = (uint64_t)c->first / by, r = (uint64_t)c->first % by;
  uint64_t q_step = (uint64_t)c->step / by, r_step = (uint64_t)c->step % by;
  a->affine = false;
  for (unsigned l = 0; l < LANES; l++) {
    a->value[l] = quotient ? q : r;
    q += q_step;
    r += r_step;
    if (r >= by) r -= by, q++;
  }
}

/* Divides a count by one number, without 32 divisions; false: not here. */
static bool divide(struct lanes *a, const struct lanes *b, unsigned op, unsigned bits) {
  struct count c;
  uint64_t by = expr_zext(bits, b->base);
  bool quotient = op == PLACE_EXPR_UDIV;
  if (!is_uniform(b) || !by || by > INT64_MAX || !is_count(a, false, bits, &c) || c.step < 0) return false;
  uint64_t q = (uint64_t)c.first / by, step = (uint64_t)c.step;
  if (q == (uint64_t)c.last / by) lanes_affine(a, quotient ? q : (uint64_t)c.first - q * by, quotient ? 0 : step);
  else if (step % by == 0) lanes_affine(a, quotient ? q : (uint64_t)c.first - q * by, quotient ? step / by : 0);
  else divide_each(a, &c, by, quotient);
  return true;
}

/* The lesser or greater of two counts where it is one of them in all lanes; false: not here. */
static bool choose(struct lanes *a, const struct lanes *b, unsigned op, unsigned bits) {
  struct count x, y;
  bool is_signed = op == PLACE_EXPR_SMIN || op == PLACE_EXPR_SMAX, least = op == PLACE_EXPR_UMIN || op == PLACE_EXPR_SMIN;
  if (!is_count(a, is_signed, bits, &x) || !is_count(b, is_signed, bits, &y)) return false;
  bool x_least = x.first <= y.first && x.last <= y.last, y_least = y.first <= x.first && y.last <= x.last;
  if (!x_least && !y_least) return false;
  const struct count *c = x_least == least ? &x : &y;
  return lanes_affine(a, (uint64_t)c->first, (uint64_t)c->step), true;
}

static bool call2_lanes(struct lanes *a, const struct lanes *b, unsigned op, unsigned bits) {
  spread(a);
  for (unsigned l = 0; l < LANES; l++)
    if (!expr_call2(op, bits, a->value[l], lanes_at(b, l), &a->value[l])) return false;
  return true;
}

bool lanes_call2(struct lanes *a, const struct lanes *b, unsigned op, unsigned bits) {
  uint64_t value;
  bool divides = op == PLACE_EXPR_UDIV || op == PLACE_EXPR_UREM;
  if (is_uniform(a) && is_uniform(b)) {
    if (!expr_call2(op, bits, a->base, b->base, &value)) return false;
    return lanes_affine(a, value, 0), true;
  }
  return (divides ? divide(a, b, op, bits) : choose(a, b, op, bits)) || call2_lanes(a, b, op, bits);
}

/* ---- comparisons ---- */

uint64_t lanes_most(const struct lanes *v) {
  uint64_t most = v->affine ? v->base : 0;
  if (is_uniform(v)) return most;
  for (unsigned l = 0; l < LANES; l++)
    if (lanes_at(v, l) > most) most = lanes_at(v, l);
  return most;
}

uint32_t lanes_above(const struct lanes *v, uint64_t n) {
  uint32_t above = 0;
  if (is_uniform(v)) return v->base > n ? UINT32_MAX : 0;
  for (unsigned l = 0; l < LANES; l++) above |= (uint32_t)(lanes_at(v, l) > n) << l;
  return above;
}

/* ---- all ---- */

bool lanes_eval(const struct place_expr_pool *pool, place_expr expr, const struct place_point *at, struct lanes *value) {
  if (expr < 0 || (size_t)expr >= pool->count) return false;
  const struct place_expr_node *node = &pool->nodes[expr];
  if (node->op == PLACE_EXPR_TID) return lanes_affine(value, at->tid, 1), true;
  if (node->op <= PLACE_EXPR_ANY) {
    value->affine = true;
    value->step = 0;
    return place_expr_eval(pool, expr, at, &value->base);
  }
  struct lanes b;
  if (!lanes_eval(pool, node->a, at, value)) return false;
  if (expr_is_cast(node->op)) return lanes_cast(value, node->op, node->bits), true;
  if (!lanes_eval(pool, node->b, at, &b)) return false;
  if (node->op == PLACE_EXPR_ADD) return add(value, &b), true;
  if (node->op == PLACE_EXPR_MUL) return lanes_multiply(value, &b), true;
  return lanes_call2(value, &b, node->op, node->bits);
}

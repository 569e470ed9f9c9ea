/* Bounds of an expression over a box. Staged windows come from here: a bound that is too narrow is a wrong result.
 *
 * Values wrap, ranges do not. residue(e, n) finds a range (of mathematical integers) that holds, for each point of the
 * box, some integer congruent to the value of e modulo 2^n: a representative. What makes this sound and still tight:
 *  - Sums and products of representatives are representatives (congruences add and multiply), so + and * on ranges need
 *    no knowledge of the width and no-wrap facts; only the range arithmetic itself must not overflow.
 *  - zext m, sext m and trunc m change nothing modulo 2^n for n <= m: the operand's representative is the result's. So a
 *    trunc inside of a sext of its own width costs nothing, whatever the sign of the value (x - 1 at x = 0 stays -1).
 *  - For n > m a cast's value is exact: zext m maps a representative modulo 2^m to the one integer in [0, 2^m) congruent
 *    to it. When the whole range lies in one period [k 2^m, (k+1) 2^m) that is a shift of the range; otherwise some values
 *    wrapped and the result is all of [0, 2^m). sext m likewise with the period [-2^(m-1), 2^(m-1)).
 *  - Operations that look at whole values (division, minimum, ...) first take their operands' exact unsigned or signed
 *    values that way. Division by zero has no value, so zero divisors are left out.
 * At the end, the value as a signed 64-bit integer is sext 64 of a representative modulo 2^64.
 *
 * Ranges are kept in __int128 and within [-2^64, 2^64]; what leaves that is unknown. Each node is visited once. */
#include "expr_op.h"

typedef __int128 wide;

struct span {
  wide lo, hi;
  bool known;
};

#define TWO64 ((wide)1 << 64)
#define UNKNOWN ((struct span){0, 0, false})

static struct span span_make(wide lo, wide hi) {
  if (lo < -TWO64 || hi > TWO64 || lo > hi) return UNKNOWN;
  return (struct span){lo, hi, true};
}

static wide wide_min(wide a, wide b) {
  return a < b ? a : b;
}

static wide wide_max(wide a, wide b) {
  return a > b ? a : b;
}

static wide floor_div(wide a, wide b) { /* b > 0 */
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* The integers of one period, [first, first + 2^bits), that are congruent to those of the span. */
static struct span to_period(struct span s, unsigned bits, wide first) {
  wide period = (wide)1 << bits;
  if (s.known && floor_div(s.lo - first, period) == floor_div(s.hi - first, period)) {
    wide shift = floor_div(s.lo - first, period) * period;
    return span_make(s.lo - shift, s.hi - shift);
  }
  return span_make(first, first + period - 1);
}

static struct span to_unsigned(struct span s, unsigned bits) {
  return to_period(s, bits, 0);
}

static struct span to_signed(struct span s, unsigned bits) {
  return to_period(s, bits, -((wide)1 << (bits - 1)));
}

static struct span span_add(struct span a, struct span b) {
  if (!a.known || !b.known) return UNKNOWN;
  return span_make(a.lo + b.lo, a.hi + b.hi);
}

static bool fits_64(struct span s) { /* magnitudes of at most 2^63: products fit in 127 bits */
  return s.known && s.lo >= INT64_MIN && s.hi <= INT64_MAX;
}

static struct span span_mul(struct span a, struct span b) {
  if (a.known && a.lo == 0 && a.hi == 0) return a; /* nothing is known about 0 * unknown but that it is 0 */
  if (b.known && b.lo == 0 && b.hi == 0) return b;
  if (!fits_64(a) || !fits_64(b)) return UNKNOWN;
  wide p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return span_make(wide_min(wide_min(p, q), wide_min(r, s)), wide_max(wide_max(p, q), wide_max(r, s)));
}

/* a and b: exact unsigned values. */
static struct span span_udiv(struct span a, struct span b, unsigned bits) {
  if (b.hi == 0) return to_unsigned(UNKNOWN, bits);
  return span_make(a.lo / b.hi, a.hi / wide_max(b.lo, 1));
}

static struct span span_urem(struct span a, struct span b, unsigned bits) {
  wide least = wide_max(b.lo, 1);
  if (b.hi == 0) return to_unsigned(UNKNOWN, bits);
  if (a.hi < least) return a;
  if (least == b.hi && a.lo / least == a.hi / least) return span_make(a.lo % least, a.hi % least);
  return span_make(0, wide_min(a.hi, b.hi - 1));
}

static struct span span_call2(unsigned op, unsigned bits, struct span a, struct span b) {
  bool is_signed = op == PLACE_EXPR_SMIN || op == PLACE_EXPR_SMAX;
  a = is_signed ? to_signed(a, bits) : to_unsigned(a, bits);
  b = is_signed ? to_signed(b, bits) : to_unsigned(b, bits);
  switch (op) {
  case PLACE_EXPR_UDIV: return span_udiv(a, b, bits);
  case PLACE_EXPR_UREM: return span_urem(a, b, bits);
  case PLACE_EXPR_UMIN:
  case PLACE_EXPR_SMIN: return span_make(wide_min(a.lo, b.lo), wide_min(a.hi, b.hi));
  case PLACE_EXPR_UMAX:
  case PLACE_EXPR_SMAX: return span_make(wide_max(a.lo, b.lo), wide_max(a.hi, b.hi));
  default: return UNKNOWN;
  }
}

static struct span from_range(struct place_range r) {
  return r.known ? span_make(r.lo, r.hi) : UNKNOWN;
}

/* The representative of smallest magnitude: 0xffffffff stands for -1 in 32-bit arithmetic. */
static struct span from_bits(uint64_t value, unsigned bits) {
  int64_t v = (int64_t)expr_sext(bits, value);
  return span_make(v, v);
}

static struct span symbol_span(const struct place_expr_node *node, const struct place_box *box, unsigned bits) {
  size_t n = (size_t)node->value;
  switch (node->op) {
  case PLACE_EXPR_CONST: return from_bits((uint64_t)node->value, bits);
  case PLACE_EXPR_TID: return from_range(box->tid);
  case PLACE_EXPR_TEAM: return from_range(box->team);
  case PLACE_EXPR_THREADS: return from_range(box->threads);
  case PLACE_EXPR_TEAMS: return from_range(box->teams);
  case PLACE_EXPR_LOOP: return n < box->loops ? from_range(box->loop[n]) : UNKNOWN;
  case PLACE_EXPR_ARG: return n < box->args && box->arg_known[n] ? from_bits(box->arg[n], bits) : UNKNOWN;
  default: return UNKNOWN;
  }
}

static struct span residue(const struct place_expr_pool *pool, place_expr expr, const struct place_box *box, unsigned bits);

/* An unknown value that is unsigned and at most that of its operand, which is taken as 64 bits wide. */
static struct span any_span(const struct place_expr_pool *pool, const struct place_expr_node *node,
                            const struct place_box *box) {
  if (node->a < 0) return UNKNOWN;
  return span_make(0, to_unsigned(residue(pool, node->a, box, 64), 64).hi);
}

static struct span cast_span(const struct place_expr_pool *pool, const struct place_expr_node *node,
                             const struct place_box *box, unsigned bits) {
  bool is_signed = node->op == PLACE_EXPR_SEXT;
  struct span a = residue(pool, node->a, box, bits < node->bits ? bits : node->bits);
  if (bits <= node->bits && a.known) return a;
  return is_signed ? to_signed(a, node->bits) : to_unsigned(a, node->bits);
}

static struct span residue(const struct place_expr_pool *pool, place_expr expr, const struct place_box *box, unsigned bits) {
  if (expr < 0 || (size_t)expr >= pool->count) return UNKNOWN;
  const struct place_expr_node *node = &pool->nodes[expr];
  if (node->op == PLACE_EXPR_ANY) return any_span(pool, node, box);
  if (node->op < PLACE_EXPR_ANY) return symbol_span(node, box, bits);
  if (expr_is_cast(node->op)) return cast_span(pool, node, box, bits);
  unsigned width = expr_is_call2(node->op) ? node->bits : bits;
  struct span a = residue(pool, node->a, box, width), b = residue(pool, node->b, box, width);
  if (node->op == PLACE_EXPR_ADD) return span_add(a, b);
  if (node->op == PLACE_EXPR_MUL) return span_mul(a, b);
  return span_call2(node->op, node->bits, a, b);
}

struct place_range place_expr_bound(const struct place_expr_pool *pool, place_expr expr, const struct place_box *box) {
  struct span s = residue(pool, expr, box, 64);
  if (!s.known) return (struct place_range){0, 0, false};
  s = to_signed(s, 64);
  if (s.lo == INT64_MIN && s.hi == INT64_MAX) return (struct place_range){0, 0, false};
  return (struct place_range){(int64_t)s.lo, (int64_t)s.hi, true};
}

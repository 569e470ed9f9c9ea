/* What one operation does, for the evaluators of expressions (one value, a warp's lanes, ranges). Internal.
 *
 * Canonical values: zext, trunc and the unsigned operations give their result zero-extended from `bits` to 64, sext and the
 * signed ones sign-extended. Operands are cut to `bits` first, so what the upper bits of a narrow value hold is of no
 * consequence. */
#ifndef PLACE_CORE_EXPR_OP_H
#define PLACE_CORE_EXPR_OP_H

#include "place/expr.h"

static inline uint64_t expr_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline uint64_t expr_zext(unsigned bits, uint64_t value) {
  return value & expr_mask(bits);
}

static inline uint64_t expr_sext(unsigned bits, uint64_t value) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return ((value & expr_mask(bits)) ^ sign) - sign;
}

static inline bool expr_is_cast(unsigned op) {
  return op == PLACE_EXPR_ZEXT || op == PLACE_EXPR_SEXT || op == PLACE_EXPR_TRUNC;
}

static inline bool expr_is_call2(unsigned op) {
  return op >= PLACE_EXPR_UDIV && op <= PLACE_EXPR_SMAX;
}

static inline uint64_t expr_cast(unsigned op, unsigned bits, uint64_t a) {
  return op == PLACE_EXPR_SEXT ? expr_sext(bits, a) : expr_zext(bits, a);
}

/* False for a division by zero: the machine's result is not defined. */
static inline bool expr_call2(unsigned op, unsigned bits, uint64_t a, uint64_t b, uint64_t *value) {
  uint64_t ua = expr_zext(bits, a), ub = expr_zext(bits, b);
  int64_t sa = (int64_t)expr_sext(bits, a), sb = (int64_t)expr_sext(bits, b);
  switch (op) {
  case PLACE_EXPR_UDIV: return ub && (*value = ua / ub, true);
  case PLACE_EXPR_UREM: return ub && (*value = ua % ub, true);
  case PLACE_EXPR_UMIN: return *value = ua < ub ? ua : ub, true;
  case PLACE_EXPR_UMAX: return *value = ua > ub ? ua : ub, true;
  case PLACE_EXPR_SMIN: return *value = (uint64_t)(sa < sb ? sa : sb), true;
  case PLACE_EXPR_SMAX: return *value = (uint64_t)(sa > sb ? sa : sb), true;
  default: return false;
  }
}

#endif

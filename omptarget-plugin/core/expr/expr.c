/* Expressions: pool, value at a point, symbols. Parsing and printing are in expr_text.c, bounds in expr_bound.c. */
#include "place/expr.h"

#include <stdlib.h>

#include "expr_op.h"

void place_expr_pool_free(struct place_expr_pool *pool) {
  free(pool->nodes);
  *pool = (struct place_expr_pool){0};
}

static bool symbol_value(const struct place_expr_node *node, const struct place_point *at, uint64_t *value) {
  size_t n = (size_t)node->value;
  switch (node->op) {
  case PLACE_EXPR_CONST: return *value = (uint64_t)node->value, true;
  case PLACE_EXPR_TID: return *value = at->tid, true;
  case PLACE_EXPR_TEAM: return *value = at->team, true;
  case PLACE_EXPR_THREADS: return *value = at->threads, true;
  case PLACE_EXPR_TEAMS: return *value = at->teams, true;
  case PLACE_EXPR_LOOP: return n < at->loops && (*value = at->loop[n], true);
  case PLACE_EXPR_ARG: return n < at->args && at->arg_known[n] && (*value = at->arg[n], true);
  default: return false;
  }
}

bool place_expr_eval(const struct place_expr_pool *pool, place_expr expr, const struct place_point *at, uint64_t *value) {
  if (expr < 0 || (size_t)expr >= pool->count) return false;
  const struct place_expr_node *node = &pool->nodes[expr];
  uint64_t a, b;
  if (node->op <= PLACE_EXPR_ANY) return symbol_value(node, at, value);
  if (!place_expr_eval(pool, node->a, at, &a)) return false;
  if (expr_is_cast(node->op)) return *value = expr_cast(node->op, node->bits, a), true;
  if (!place_expr_eval(pool, node->b, at, &b)) return false;
  if (node->op == PLACE_EXPR_ADD) return *value = a + b, true;
  if (node->op == PLACE_EXPR_MUL) return *value = a * b, true;
  return expr_call2(node->op, node->bits, a, b, value);
}

bool place_expr_uses(const struct place_expr_pool *pool, place_expr expr, enum place_expr_op op, int64_t number) {
  if (expr < 0 || (size_t)expr >= pool->count) return false;
  const struct place_expr_node *node = &pool->nodes[expr];
  bool numbered = op == PLACE_EXPR_CONST || op == PLACE_EXPR_LOOP || op == PLACE_EXPR_ARG;
  if (node->op == op && (!numbered || node->value == number)) return true;
  return place_expr_uses(pool, node->a, op, number) || place_expr_uses(pool, node->b, op, number);
}

bool place_expr_equal(const struct place_expr_pool *pool, place_expr a, place_expr b) {
  if (a == b) return true;
  if (a < 0 || b < 0 || (size_t)a >= pool->count || (size_t)b >= pool->count) return false;
  const struct place_expr_node *x = &pool->nodes[a], *y = &pool->nodes[b];
  return x->op == y->op && x->bits == y->bits && x->value == y->value && place_expr_equal(pool, x->a, y->a) && place_expr_equal(pool, x->b, y->b);
}

/* What a serial condition means, and which of the common forms it has. */
#include "internal.h"

/* Arithmetic is on 64-bit signed integers and wraps; / rounds down, which is why floor brackets may be left out;
 * x / 0 is 0 and x % 0 is x. */
int64_t msl_floor_divide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return (int64_t)(0 - (uint64_t)a);
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

int64_t msl_floor_modulo(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a - (uint64_t)b * (uint64_t)msl_floor_divide(a, b));
}

static int64_t arithmetic(uint8_t op, int64_t a, int64_t b) {
  switch (op) {
  case MSL_OP_MULTIPLY: return (int64_t)((uint64_t)a * (uint64_t)b);
  case MSL_OP_DIVIDE: return msl_floor_divide(a, b);
  case MSL_OP_MODULO: return msl_floor_modulo(a, b);
  case MSL_OP_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
  case MSL_OP_SUBTRACT: return (int64_t)((uint64_t)a - (uint64_t)b);
  case MSL_OP_LESS: return a < b;
  case MSL_OP_LESS_EQUAL: return a <= b;
  case MSL_OP_GREATER: return a > b;
  case MSL_OP_GREATER_EQUAL: return a >= b;
  case MSL_OP_EQUAL: return a == b;
  default: return a != b;
  }
}

int64_t msl_condition_eval(const struct msl_condition *condition, unsigned node, const struct msl_lane *one,
                           const struct msl_lane *two) {
  const struct msl_node *n = &condition->nodes[node];
  switch (n->op) {
  case MSL_OP_LITERAL:
  case MSL_OP_BANKS:
  case MSL_OP_BLOCK_SIZE:
  case MSL_OP_LINE:
  case MSL_OP_SECTOR: return n->value;
  case MSL_OP_ADDRESS1: return one->address;
  case MSL_OP_ADDRESS2: return two->address;
  case MSL_OP_INDEX1: return one->index;
  case MSL_OP_INDEX2: return two->index;
  case MSL_OP_WORD1: return one->word;
  case MSL_OP_WORD2: return two->word;
  default: break;
  }
  int64_t left = msl_condition_eval(condition, n->left, one, two);
  switch (n->op) {
  case MSL_OP_FLOOR: return left;
  case MSL_OP_NEGATE: return (int64_t)(0 - (uint64_t)left);
  case MSL_OP_NOT: return !left;
  case MSL_OP_AND: return left && msl_condition_eval(condition, n->right, one, two);
  case MSL_OP_OR: return left || msl_condition_eval(condition, n->right, one, two);
  default: return arithmetic(n->op, left, msl_condition_eval(condition, n->right, one, two));
  }
}

/* ---- recognising ------------------------------------------------------------------------------------------------- */

static bool is_constant(uint8_t op) { return op <= MSL_OP_SECTOR; }
static bool is_binary(uint8_t op) { return op >= MSL_OP_MULTIPLY; }

/* Bit 0: operands of lane 1 occur, bit 1: of lane 2. */
static unsigned lanes_of(const struct msl_condition *c, unsigned node) {
  const struct msl_node *n = &c->nodes[node];
  if (is_constant(n->op))
    return 0;
  if (n->op <= MSL_OP_WORD2)
    return (n->op - MSL_OP_ADDRESS1) % 2 ? 2 : 1;
  return lanes_of(c, n->left) | (is_binary(n->op) ? lanes_of(c, n->right) : 0);
}

static unsigned without_floor(const struct msl_condition *c, unsigned node) {
  while (c->nodes[node].op == MSL_OP_FLOOR)
    node = c->nodes[node].left;
  return node;
}

/* One is the other with the lanes exchanged. */
static bool mirrored(const struct msl_condition *c, unsigned left, unsigned right) {
  const struct msl_node *a = &c->nodes[without_floor(c, left)], *b = &c->nodes[without_floor(c, right)];
  if (is_constant(a->op))
    return is_constant(b->op) && a->value == b->value;
  if (a->op <= MSL_OP_WORD2)
    return b->op == ((a->op - MSL_OP_ADDRESS1) % 2 ? a->op - 1 : a->op + 1);
  return a->op == b->op && mirrored(c, a->left, b->left) && (!is_binary(a->op) || mirrored(c, a->right, b->right));
}

/* f(1) OP f(2), or f(2) OP f(1) */
static bool match_sides(const struct msl_condition *c, unsigned node, enum msl_op op, uint8_t *side) {
  const struct msl_node *n = &c->nodes[node];
  if (n->op != op)
    return false;
  unsigned left = lanes_of(c, n->left), right = lanes_of(c, n->right);
  if (left + right != 3 || !left || !right || !mirrored(c, n->left, n->right))
    return false;
  *side = left == 1 ? n->left : n->right;
  return true;
}

/* operand / constant ... % constant; what is not of this form has neither divisor nor modulus. */
static struct msl_key key_of(const struct msl_condition *c, uint8_t side) {
  const struct msl_key by_evaluation = {.node = side, .divisor = 1};
  struct msl_key key = by_evaluation;
  const struct msl_node *n = &c->nodes[without_floor(c, side)];
  if (n->op == MSL_OP_MODULO && is_constant(c->nodes[n->right].op)) {
    key.modulus = c->nodes[n->right].value;
    n = &c->nodes[without_floor(c, n->left)];
    if (key.modulus <= 0)
      return by_evaluation;
  }
  for (; n->op == MSL_OP_DIVIDE && is_constant(c->nodes[n->right].op); n = &c->nodes[without_floor(c, n->left)]) {
    int64_t by = c->nodes[n->right].value;
    if (by <= 0 || key.divisor > INT64_MAX / 1048576 / by)
      return by_evaluation;
    key.divisor *= by;
  }
  if (n->op < MSL_OP_ADDRESS1 || n->op > MSL_OP_WORD2)
    return by_evaluation;
  key.simple = true;
  key.indexed = n->op == MSL_OP_INDEX1;
  if (n->op == MSL_OP_WORD1)
    key.divisor *= c->word_bytes;
  return key;
}

void msl_condition_recognise(struct msl_condition *c) {
  const struct msl_node *root = &c->nodes[c->root];
  uint8_t f = 0, g = 0;
  c->shape = MSL_SHAPE_GENERAL;
  if (match_sides(c, c->root, MSL_OP_NOT_EQUAL, &f)) {
    c->shape = MSL_SHAPE_DISTINCT;
  } else if (root->op == MSL_OP_AND && ((match_sides(c, root->left, MSL_OP_NOT_EQUAL, &f) &&
                                         match_sides(c, root->right, MSL_OP_EQUAL, &g)) ||
                                        (match_sides(c, root->right, MSL_OP_NOT_EQUAL, &f) &&
                                         match_sides(c, root->left, MSL_OP_EQUAL, &g)))) {
    c->shape = MSL_SHAPE_CONFLICT;
    c->g = key_of(c, g);
  } else {
    return;
  }
  c->f = key_of(c, f);
}

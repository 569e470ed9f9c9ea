/* Serial conditions: scope {RelationalExpr}, C's precedence. A node's children come before it. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

struct builder {
  struct msl_reader *reader;
  unsigned count, depth;
  struct msl_node nodes[MSL_MAX_NODES];
};

enum { FAILED = -1 }; /* instead of a node */

static bool is_relation(uint8_t op) { return op == MSL_OP_NOT || op >= MSL_OP_LESS; }

static int add_node(struct builder *b, enum msl_op op, int left, int right, size_t at) {
  if (left == FAILED || right == FAILED)
    return FAILED;
  if (b->count == MSL_MAX_NODES) {
    msl_error(b->reader, at, "this condition is too long");
    return FAILED;
  }
  b->nodes[b->count] = (struct msl_node){(uint8_t)op, (uint8_t)left, (uint8_t)right, (uint32_t)at, 0};
  return (int)b->count++;
}

/* A number where a relation is needed, or the other way round. */
static bool is_of_type(struct builder *b, int node, bool relation) {
  if (node == FAILED || is_relation(b->nodes[node].op) == relation)
    return node != FAILED;
  msl_error(b->reader, b->nodes[node].at, relation ? "expected a comparison, found a number"
                                                   : "expected a number, found a comparison");
  return false;
}

static int add_typed(struct builder *b, enum msl_op op, int left, int right, size_t at) {
  bool relations = op == MSL_OP_AND || op == MSL_OP_OR;
  if (!is_of_type(b, left, relations) || !is_of_type(b, right, relations))
    return FAILED;
  return add_node(b, op, left, right, at);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static int parse_or(struct builder *b);

static int parse_operand(struct builder *b) {
  struct msl_reader *reader = b->reader;
  size_t at = reader->token.at;
  for (unsigned op = MSL_OP_BANKS; op <= MSL_OP_WORD2; op++)
    if (msl_token_is(reader, msl_operand_names[op])) {
      msl_next(reader);
      return add_node(b, (enum msl_op)op, 0, 0, at);
    }
  msl_syntax(reader, "an operand such as address1, word2, blockSize or a number");
  return FAILED;
}

static int parse_literal(struct builder *b) {
  static const struct msl_field literal = {"a number in a condition", "", MSL_KIND_ID, 0, 0, 0, 1152921504606846976.0};
  size_t at = b->reader->token.at;
  uint64_t value = 0;
  enum msl_taken taken = msl_take_size(b->reader, &literal, NULL, &value);
  int node = taken == MSL_NO_NUMBER ? FAILED : add_node(b, MSL_OP_LITERAL, 0, 0, at);
  if (node != FAILED)
    b->nodes[node].value = (int64_t)value;
  return node;
}

static int parse_enclosed(struct builder *b, enum msl_token_kind closing, const char *expected) {
  if (b->depth == MSL_MAX_NESTING) {
    msl_error(b->reader, b->reader->token.at, "this condition is nested too deeply");
    return FAILED;
  }
  b->depth++;
  msl_next(b->reader);
  int inner = parse_or(b);
  b->depth--;
  return inner != FAILED && msl_expect(b->reader, closing, expected) ? inner : FAILED;
}

static int parse_floor(struct builder *b) {
  size_t at = b->reader->token.at;
  int inner = parse_enclosed(b, MSL_RFLOOR, "'\u230B'");
  return is_of_type(b, inner, false) ? add_node(b, MSL_OP_FLOOR, inner, 0, at) : FAILED;
}

static int parse_floor_call(struct builder *b) {
  size_t at = b->reader->token.at;
  msl_next(b->reader);
  if (b->reader->token.kind != MSL_LPAREN) {
    msl_syntax(b->reader, "'(' after floor");
    return FAILED;
  }
  int inner = parse_enclosed(b, MSL_RPAREN, "')'");
  return is_of_type(b, inner, false) ? add_node(b, MSL_OP_FLOOR, inner, 0, at) : FAILED;
}

static int parse_unary(struct builder *b);

static int parse_prefix(struct builder *b, enum msl_op op) {
  size_t at = b->reader->token.at;
  if (b->depth == MSL_MAX_NESTING) {
    msl_error(b->reader, at, "this condition is nested too deeply");
    return FAILED;
  }
  b->depth++;
  msl_next(b->reader);
  int inner = parse_unary(b);
  b->depth--;
  return is_of_type(b, inner, op == MSL_OP_NOT) ? add_node(b, op, inner, 0, at) : FAILED;
}

static int parse_unary(struct builder *b) {
  switch (b->reader->token.kind) {
  case MSL_BANG: return parse_prefix(b, MSL_OP_NOT);
  case MSL_MINUS: return parse_prefix(b, MSL_OP_NEGATE);
  case MSL_LFLOOR: return parse_floor(b);
  case MSL_LPAREN: return parse_enclosed(b, MSL_RPAREN, "')'");
  case MSL_NUMBER: return parse_literal(b);
  default: return msl_token_is(b->reader, "floor") ? parse_floor_call(b) : parse_operand(b);
  }
}

/* ---- binary operators, loosest last ------------------------------------------------------------------------------ */

struct binary {
  enum msl_token_kind token;
  enum msl_op op;
};

static int parse_binary(struct builder *b, const struct binary *operators, int (*operand)(struct builder *)) {
  int left = operand(b);
  while (left != FAILED) {
    const struct binary *found = operators;
    while (found->token && found->token != b->reader->token.kind)
      found++;
    if (!found->token)
      break;
    size_t at = b->reader->token.at;
    msl_next(b->reader);
    left = add_typed(b, found->op, left, operand(b), at);
  }
  return left;
}

static int parse_product(struct builder *b) {
  static const struct binary operators[] = {
      {MSL_STAR, MSL_OP_MULTIPLY}, {MSL_SLASH, MSL_OP_DIVIDE}, {MSL_PERCENT, MSL_OP_MODULO}, {MSL_END, 0}};
  return parse_binary(b, operators, parse_unary);
}

static int parse_sum(struct builder *b) {
  static const struct binary operators[] = {{MSL_PLUS, MSL_OP_ADD}, {MSL_MINUS, MSL_OP_SUBTRACT}, {MSL_END, 0}};
  return parse_binary(b, operators, parse_product);
}

static int parse_relation(struct builder *b) {
  static const struct binary operators[] = {{MSL_OPEN, MSL_OP_LESS},     {MSL_LE, MSL_OP_LESS_EQUAL},
                                            {MSL_CLOSE, MSL_OP_GREATER}, {MSL_GE, MSL_OP_GREATER_EQUAL},
                                            {MSL_EQ, MSL_OP_EQUAL},      {MSL_NE, MSL_OP_NOT_EQUAL},
                                            {MSL_END, 0}};
  return parse_binary(b, operators, parse_sum);
}

static int parse_and(struct builder *b) {
  static const struct binary operators[] = {{MSL_ANDAND, MSL_OP_AND}, {MSL_END, 0}};
  return parse_binary(b, operators, parse_relation);
}

static int parse_or(struct builder *b) {
  static const struct binary operators[] = {{MSL_OROR, MSL_OP_OR}, {MSL_END, 0}};
  return parse_binary(b, operators, parse_and);
}

/* ---- the field --------------------------------------------------------------------------------------------------- */

static bool parse_scope(struct msl_reader *reader, struct msl_choice *scope) {
  for (unsigned i = 0; i < 3; i++)
    if (msl_token_is(reader, msl_thread_scope_names[i])) {
      scope->state = MSL_GIVEN;
      scope->value = i;
      msl_next(reader);
      return true;
    }
  return msl_syntax(reader, "warp, block or grid before a serial condition");
}

static bool keep_condition(struct builder *b, int root, struct place_memory *memory) {
  size_t bytes = sizeof(struct msl_condition) + b->count * sizeof(struct msl_node);
  struct msl_condition *condition = msl_arena_get(b->reader->arena, bytes);
  if (!condition) {
    b->reader->out_of_memory = true;
    memory->serial_scope.state = MSL_UNKNOWN;
    return true;
  }
  condition->count = b->count;
  condition->root = (uint8_t)root;
  memcpy(condition->nodes, b->nodes, b->count * sizeof(struct msl_node));
  memory->serial = condition;
  return true;
}

bool msl_parse_condition(struct msl_reader *reader, struct place_memory *memory) {
  if (msl_parse_open(reader, &memory->serial_scope.state))
    return true;
  struct builder b = {.reader = reader};
  if (!parse_scope(reader, &memory->serial_scope) || !msl_expect(reader, MSL_LBRACE, "'{'"))
    return false;
  int root = parse_or(&b);
  if (!is_of_type(&b, root, true) || !msl_expect(reader, MSL_RBRACE, "'}' after the condition"))
    return false;
  return keep_condition(&b, root, memory);
}

/* ---- binding ----------------------------------------------------------------------------------------------------- */

/* Unknown banks have the paper's default; there is none for the others. */
static bool operand_value(const struct place_memory *memory, uint8_t op, int64_t *value) {
  switch (op) {
  case MSL_OP_BANKS:
    *value = memory->banks.state == MSL_GIVEN ? (int64_t)memory->banks.value : 32;
    return memory->banks.state != MSL_NA;
  case MSL_OP_BLOCK_SIZE:
    *value = (int64_t)msl_extent_bytes(&memory->block_size, 1);
    return memory->block_size.state == MSL_GIVEN || memory->block_size.dims; /* what is wrong with it was said */
  case MSL_OP_LINE:
    *value = (int64_t)memory->line_bytes.value;
    return memory->line_bytes.state == MSL_GIVEN;
  case MSL_OP_SECTOR:
    *value = (int64_t)memory->sector_bytes.value;
    return memory->sector_bytes.state == MSL_GIVEN;
  default: return true;
  }
}

void msl_bind_condition(struct msl_reader *reader, struct place_memory *memory) {
  struct msl_condition *condition = (struct msl_condition *)memory->serial; /* the reader's own until it returns */
  for (unsigned i = 0; i < condition->count; i++) {
    struct msl_node *node = &condition->nodes[i];
    if (!operand_value(memory, node->op, &node->value))
      msl_error(reader, node->at, "the condition uses %s, which '%s' does not give", msl_operand_names[node->op],
                memory->name);
    if ((node->op == MSL_OP_DIVIDE || node->op == MSL_OP_MODULO) &&
        condition->nodes[node->right].op == MSL_OP_LITERAL && condition->nodes[node->right].value == 0)
      msl_error(reader, node->at, "division by zero");
  }
  condition->word_bytes = memory->word_bytes.state == MSL_GIVEN ? (int64_t)memory->word_bytes.value : 4;
  msl_condition_recognise(condition);
}

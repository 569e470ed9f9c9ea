/* A condition as text, with the parentheses it needs. */
#include "internal.h"

enum { OR = 1, AND, RELATION, SUM, PRODUCT, UNARY, PRIMARY };

struct operator_text {
  const char *text;
  int precedence;
};

static struct operator_text operator_of(uint8_t op) {
  static const struct operator_text operators[] = {
      [MSL_OP_NEGATE] = {"-", UNARY},          [MSL_OP_NOT] = {"!", UNARY},
      [MSL_OP_MULTIPLY] = {"*", PRODUCT},      [MSL_OP_DIVIDE] = {"/", PRODUCT},
      [MSL_OP_MODULO] = {"%", PRODUCT},        [MSL_OP_ADD] = {" + ", SUM},
      [MSL_OP_SUBTRACT] = {" - ", SUM},        [MSL_OP_LESS] = {" < ", RELATION},
      [MSL_OP_LESS_EQUAL] = {" <= ", RELATION}, [MSL_OP_GREATER] = {" > ", RELATION},
      [MSL_OP_GREATER_EQUAL] = {" >= ", RELATION}, [MSL_OP_EQUAL] = {" == ", RELATION},
      [MSL_OP_NOT_EQUAL] = {" != ", RELATION}, [MSL_OP_AND] = {" && ", AND},
      [MSL_OP_OR] = {" || ", OR}};
  return op > MSL_OP_FLOOR ? operators[op] : (struct operator_text){"", PRIMARY};
}

static void print_node(struct msl_text *out, const struct msl_condition *c, unsigned node, int least) {
  const struct msl_node *n = &c->nodes[node];
  struct operator_text o = operator_of(n->op);
  if (o.precedence < least)
    msl_text_add(out, "(");
  if (n->op == MSL_OP_LITERAL) {
    msl_text_size(out, (uint64_t)n->value);
  } else if (n->op <= MSL_OP_WORD2) {
    msl_text_add(out, msl_operand_names[n->op]);
  } else if (n->op == MSL_OP_FLOOR) {
    msl_text_add(out, "\u230A");
    print_node(out, c, n->left, OR);
    msl_text_add(out, "\u230B");
  } else if (o.precedence == UNARY) {
    msl_text_add(out, o.text);
    print_node(out, c, n->left, UNARY);
  } else {
    print_node(out, c, n->left, o.precedence);
    msl_text_add(out, o.text);
    print_node(out, c, n->right, o.precedence + 1);
  }
  if (o.precedence < least)
    msl_text_add(out, ")");
}

void msl_condition_print(struct msl_text *out, const struct msl_condition *condition) {
  print_node(out, condition, condition->root, OR);
}

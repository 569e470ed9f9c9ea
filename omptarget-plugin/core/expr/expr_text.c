/* Expressions as text: recursive-descent parser and printer. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_op.h"

enum { MAX_NESTING = 64, MAX_NODES = 4096, MAX_HEIGHT = 512, MAX_SYMBOL_NUMBER = 1 << 16 };

static const char *const call_names[] = {[PLACE_EXPR_ZEXT] = "zext", [PLACE_EXPR_SEXT] = "sext",
                                         [PLACE_EXPR_TRUNC] = "trunc", [PLACE_EXPR_UDIV] = "udiv",
                                         [PLACE_EXPR_UREM] = "urem", [PLACE_EXPR_UMIN] = "umin",
                                         [PLACE_EXPR_UMAX] = "umax", [PLACE_EXPR_SMIN] = "smin",
                                         [PLACE_EXPR_SMAX] = "smax"};

/* ---- parsing ---- */

struct parser {
  struct place_expr_pool *pool;
  const char *text;
  size_t length, at, first; /* first: nodes of the pool before this expression */
  unsigned nesting;
  struct place_diag *diag;
};

struct parsed { /* an expression and the height of its tree */
  place_expr expr;
  unsigned height;
};

#define FAILED ((struct parsed){PLACE_EXPR_NONE, 0})

static struct parsed fail(struct parser *p, const char *what) {
  place_diag_set(p->diag, "expression, column %zu: %s", p->at + 1, what);
  return FAILED;
}

static struct parsed node_new(struct parser *p, struct place_expr_node node, unsigned height) {
  struct place_expr_pool *pool = p->pool;
  if (pool->count - p->first >= MAX_NODES) return fail(p, "more than 4096 nodes");
  if (height > MAX_HEIGHT) return fail(p, "too deep: more than 512 operations on one path");
  if (pool->count == pool->capacity) {
    size_t capacity = pool->capacity ? 2 * pool->capacity : 64;
    struct place_expr_node *nodes = capacity < INT32_MAX ? realloc(pool->nodes, capacity * sizeof *nodes) : NULL;
    if (!nodes) return fail(p, "out of memory");
    pool->nodes = nodes;
    pool->capacity = capacity;
  }
  pool->nodes[pool->count] = node;
  return (struct parsed){(place_expr)pool->count++, height};
}

static struct parsed leaf(struct parser *p, enum place_expr_op op, int64_t value) {
  struct place_expr_node node = {.op = (uint8_t)op, .bits = 64, .a = -1, .b = -1, .value = value};
  return node_new(p, node, 1);
}

static struct parsed binary(struct parser *p, enum place_expr_op op, unsigned bits, struct parsed a, struct parsed b) {
  struct place_expr_node node = {.op = (uint8_t)op, .bits = (uint8_t)bits, .a = a.expr, .b = b.expr};
  return node_new(p, node, 1 + (a.height > b.height ? a.height : b.height));
}

static struct parsed negate(struct parser *p, struct parsed a) {
  struct place_expr_node *node = &p->pool->nodes[a.expr];
  if (node->op == PLACE_EXPR_CONST) {
    node->value = (int64_t)(0 - (uint64_t)node->value);
    return a;
  }
  if (node->op == PLACE_EXPR_MUL) { /* negate the first factor: no new level for the printer to parenthesise */
    struct parsed first = negate(p, (struct parsed){node->a, a.height});
    if (first.expr >= 0) p->pool->nodes[a.expr].a = first.expr;
    return first.expr < 0 ? FAILED : (struct parsed){a.expr, first.height};
  }
  struct parsed minus = leaf(p, PLACE_EXPR_CONST, -1);
  return minus.expr < 0 ? FAILED : binary(p, PLACE_EXPR_MUL, 64, minus, a);
}

static void skip_space(struct parser *p) {
  while (p->at < p->length && (p->text[p->at] == ' ' || p->text[p->at] == '\t')) p->at++;
}

static bool take(struct parser *p, char c) {
  skip_space(p);
  if (p->at >= p->length || p->text[p->at] != c) return false;
  p->at++;
  return true;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Digits at the cursor as a number; false if there is none or it does not fit. */
static bool take_number(struct parser *p, uint64_t *value) {
  size_t begin = p->at;
  *value = 0;
  for (; p->at < p->length && is_digit(p->text[p->at]); p->at++) {
    if (__builtin_mul_overflow(*value, UINT64_C(10), value)) return false;
    if (__builtin_add_overflow(*value, (uint64_t)(p->text[p->at] - '0'), value)) return false;
  }
  return p->at > begin;
}

static struct parsed parse_expr(struct parser *p);

static struct parsed parse_any(struct parser *p) {
  struct place_expr_node node = {.op = PLACE_EXPR_ANY, .bits = 64, .a = -1, .b = -1};
  struct parsed bound = {PLACE_EXPR_NONE, 0};
  if (take(p, '(')) {
    bound = parse_expr(p);
    if (bound.expr < 0) return FAILED;
    if (!take(p, ')')) return fail(p, "expected ')' after the bound of any");
  }
  node.a = bound.expr;
  return node_new(p, node, 1 + bound.height);
}

static struct parsed parse_call(struct parser *p, enum place_expr_op op) {
  uint64_t bits;
  if (!take_number(p, &bits) || bits < 1 || bits > 64) return fail(p, "expected a width of 1 to 64 bits");
  if (!take(p, '(')) return fail(p, "expected '('");
  struct parsed a = parse_expr(p), b = {PLACE_EXPR_NONE, 0};
  if (a.expr < 0) return FAILED;
  if (expr_is_call2(op)) {
    if (!take(p, ',')) return fail(p, "expected ',' and a second argument");
    b = parse_expr(p);
    if (b.expr < 0) return FAILED;
  }
  if (!take(p, ')')) return fail(p, "expected ')'");
  return binary(p, op, (unsigned)bits, a, b);
}

static struct parsed parse_numbered(struct parser *p, enum place_expr_op op) {
  uint64_t n;
  if (!take_number(p, &n) || n >= MAX_SYMBOL_NUMBER) return fail(p, "expected a number below 65536");
  return leaf(p, op, (int64_t)n);
}

static struct parsed parse_name(struct parser *p) {
  static const struct {
    const char *name;
    enum place_expr_op op;
  } plain[] = {{"tid", PLACE_EXPR_TID}, {"team", PLACE_EXPR_TEAM}, {"threads", PLACE_EXPR_THREADS},
               {"teams", PLACE_EXPR_TEAMS}};
  const char *name = p->text + p->at;
  size_t n = 0;
  while (p->at + n < p->length && ((name[n] >= 'a' && name[n] <= 'z') || name[n] == 'L')) n++;
  p->at += n;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strlen(plain[i].name) == n && !memcmp(plain[i].name, name, n)) return leaf(p, plain[i].op, 0);
  for (int op = PLACE_EXPR_ZEXT; op <= PLACE_EXPR_SMAX; op++)
    if (strlen(call_names[op]) == n && !memcmp(call_names[op], name, n)) return parse_call(p, (enum place_expr_op)op);
  if (n == 1 && name[0] == 'L') return parse_numbered(p, PLACE_EXPR_LOOP);
  if (n == 3 && !memcmp(name, "arg", 3)) return parse_numbered(p, PLACE_EXPR_ARG);
  if (n == 3 && !memcmp(name, "any", 3)) return parse_any(p);
  p->at -= n;
  return fail(p, n ? "unknown name" : "expected a number, a symbol, a call or '('");
}

static struct parsed parse_factor(struct parser *p) {
  if (++p->nesting > MAX_NESTING) return fail(p, "nested more than 64 levels deep");
  struct parsed result;
  uint64_t number;
  if (take(p, '-')) {
    result = parse_factor(p);
    if (result.expr >= 0) result = negate(p, result);
  } else if (take(p, '(')) {
    result = parse_expr(p);
    if (result.expr >= 0 && !take(p, ')')) result = fail(p, "expected ')'");
  } else if (p->at < p->length && is_digit(p->text[p->at])) {
    result = take_number(p, &number) ? leaf(p, PLACE_EXPR_CONST, (int64_t)number) : fail(p, "number beyond 64 bits");
  } else {
    result = parse_name(p);
  }
  p->nesting--;
  return result;
}

static struct parsed parse_term(struct parser *p) {
  struct parsed left = parse_factor(p);
  while (left.expr >= 0 && take(p, '*')) {
    struct parsed right = parse_factor(p);
    left = right.expr < 0 ? FAILED : binary(p, PLACE_EXPR_MUL, 64, left, right);
  }
  return left;
}

static struct parsed parse_expr(struct parser *p) {
  struct parsed left = parse_term(p);
  while (left.expr >= 0) {
    bool minus = false;
    if (!take(p, '+') && !(minus = take(p, '-'))) break;
    struct parsed right = parse_term(p);
    if (minus && right.expr >= 0) right = negate(p, right);
    left = right.expr < 0 ? FAILED : binary(p, PLACE_EXPR_ADD, 64, left, right);
  }
  return left;
}

place_expr place_expr_parse(struct place_expr_pool *pool, const char *text, size_t length, struct place_diag *diag) {
  struct parser p = {.pool = pool, .text = text, .length = length, .first = pool->count, .diag = diag};
  struct parsed result = parse_expr(&p);
  skip_space(&p);
  if (result.expr >= 0 && p.at < length) result = fail(&p, "unexpected text after the expression");
  if (result.expr < 0) pool->count = p.first; /* leave nothing behind */
  return result.expr;
}

/* ---- printing ---- */

struct printer {
  const struct place_expr_pool *pool;
  char *out;
  size_t size, length;
};

static void put(struct printer *p, const char *text) {
  size_t n = strlen(text);
  for (size_t i = 0; i < n; i++)
    if (p->length + i + 1 < p->size) p->out[p->length + i] = text[i];
  p->length += n;
}

static void put_number(struct printer *p, const char *prefix, int64_t number) {
  char text[48];
  snprintf(text, sizeof text, "%s%" PRId64, prefix, number);
  put(p, text);
}

enum context { IN_SUM, IN_PRODUCT, IN_PRODUCT_RIGHT };

static void print_node(struct printer *p, place_expr expr, enum context context);

static void print_call(struct printer *p, const struct place_expr_node *node) {
  put_number(p, call_names[node->op], node->bits);
  put(p, "(");
  print_node(p, node->a, IN_SUM);
  if (expr_is_call2(node->op)) {
    put(p, ", ");
    print_node(p, node->b, IN_SUM);
  }
  put(p, ")");
}

static void print_sum(struct printer *p, const struct place_expr_node *node, bool parenthesised) {
  if (parenthesised) put(p, "(");
  print_node(p, node->a, IN_SUM);
  put(p, " + ");
  bool nested = p->pool->nodes[node->b].op == PLACE_EXPR_ADD; /* + is left-associative */
  print_node(p, node->b, nested ? IN_PRODUCT : IN_SUM);
  if (parenthesised) put(p, ")");
}

static void print_product(struct printer *p, const struct place_expr_node *node, bool parenthesised) {
  if (parenthesised) put(p, "(");
  print_node(p, node->a, IN_PRODUCT);
  put(p, "*");
  print_node(p, node->b, IN_PRODUCT_RIGHT);
  if (parenthesised) put(p, ")");
}

static void print_node(struct printer *p, place_expr expr, enum context context) {
  const struct place_expr_node *node = &p->pool->nodes[expr];
  switch (node->op) {
  case PLACE_EXPR_CONST: put_number(p, "", node->value); break;
  case PLACE_EXPR_TID: put(p, "tid"); break;
  case PLACE_EXPR_TEAM: put(p, "team"); break;
  case PLACE_EXPR_THREADS: put(p, "threads"); break;
  case PLACE_EXPR_TEAMS: put(p, "teams"); break;
  case PLACE_EXPR_LOOP: put_number(p, "L", node->value); break;
  case PLACE_EXPR_ARG: put_number(p, "arg", node->value); break;
  case PLACE_EXPR_ANY:
    put(p, node->a >= 0 ? "any(" : "any");
    if (node->a >= 0) print_node(p, node->a, IN_SUM);
    if (node->a >= 0) put(p, ")");
    break;
  case PLACE_EXPR_ADD: print_sum(p, node, context != IN_SUM); break;
  case PLACE_EXPR_MUL: print_product(p, node, context == IN_PRODUCT_RIGHT); break;
  default: print_call(p, node); break;
  }
}

size_t place_expr_print(const struct place_expr_pool *pool, place_expr expr, char *out, size_t size) {
  struct printer p = {.pool = pool, .out = out, .size = size};
  if (expr < 0 || (size_t)expr >= pool->count) put(&p, "?");
  else print_node(&p, expr, IN_SUM);
  if (size) out[p.length < size ? p.length : size - 1] = 0;
  return p.length;
}

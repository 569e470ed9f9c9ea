/* Symbolic integer expressions: the addresses, trip counts and bounds that the plugin finds in device code and that the
 * runtime evaluates once a launch has given its parameters values.
 *
 * Text form (also printed by print<place-access>), whitespace between tokens is free:
 *   expr   ::= term (('+' | '-') term)*
 *   term   ::= factor ('*' factor)*
 *   factor ::= integer | symbol | call | '(' expr ')' | '-' factor
 *   call   ::= op bits '(' expr (',' expr)* ')'      op of one argument: zext sext trunc (operand of `bits` bits is
 *              extended to 64, or cut to `bits`); of two: udiv urem umin umax smin smax (on `bits`-bit values)
 *   symbol ::= 'tid' | 'team' | 'threads' | 'teams'     thread in its team, team, and how many there are of each
 *            | 'L' n                                    iteration number, from 0, of loop n of the region
 *            | 'arg' n                                  kernel argument n (0 is the first mapped or captured one), raw bits
 *            | 'any' | 'any(' expr ')'                  a value the compiler does not know; with an argument: unsigned and
 *                                                      at most that
 * Values are 64-bit and wrap. `+ - *` on narrower values are exact modulo 2^bits, and zext, sext, trunc and the
 * calls of two arguments look at the low `bits` bits only, as the machine does.
 *
 * Owner: a pool owns its nodes; expressions are indices into it and live as long as the pool. Thread-safety: a pool may be
 * read by many threads; parsing into one needs exclusive access. Errors: PLACE_EXPR_NONE, or -1 and a diagnostic. */
#ifndef PLACE_EXPR_H
#define PLACE_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "place/diag.h"

typedef int32_t place_expr; /* index of a node; PLACE_EXPR_NONE: no expression */
#define PLACE_EXPR_NONE (-1)

enum place_expr_op {
  PLACE_EXPR_CONST,
  PLACE_EXPR_TID,
  PLACE_EXPR_TEAM,
  PLACE_EXPR_THREADS,
  PLACE_EXPR_TEAMS,
  PLACE_EXPR_LOOP,
  PLACE_EXPR_ARG,
  PLACE_EXPR_ANY, /* a: bound or PLACE_EXPR_NONE */
  PLACE_EXPR_ADD,
  PLACE_EXPR_MUL,
  PLACE_EXPR_ZEXT,
  PLACE_EXPR_SEXT,
  PLACE_EXPR_TRUNC,
  PLACE_EXPR_UDIV,
  PLACE_EXPR_UREM,
  PLACE_EXPR_UMIN,
  PLACE_EXPR_UMAX,
  PLACE_EXPR_SMIN,
  PLACE_EXPR_SMAX
};

struct place_expr_node {
  uint8_t op;      /* enum place_expr_op */
  uint8_t bits;    /* width of the operands for casts and two-argument calls, 1 to 64 */
  place_expr a, b; /* operands */
  int64_t value;   /* CONST: the value; LOOP, ARG: its number */
};

struct place_expr_pool {
  struct place_expr_node *nodes;
  size_t count, capacity;
};

/* Values of the symbols at one point. A loop or argument beyond the arrays, or marked unknown, makes the result unknown. */
struct place_point {
  uint64_t tid, team, threads, teams;
  const uint64_t *loop; /* loop[n]: iteration number of loop n */
  size_t loops;
  const uint64_t *arg; /* arg[n]: raw bits of kernel argument n */
  const bool *arg_known;
  size_t args;
};

/* Bounds of a value, as a signed 64-bit integer without wrapping: lo <= value <= hi. known = false: nothing is known. */
struct place_range {
  int64_t lo, hi;
  bool known;
};

/* Ranges of the symbols; loop[n] is the range of iteration numbers of loop n. Arguments have one value (place_point). */
struct place_box {
  struct place_range tid, team, threads, teams;
  const struct place_range *loop;
  size_t loops;
  const uint64_t *arg;
  const bool *arg_known;
  size_t args;
};

/* Parses `length` bytes of text into the pool. Returns the expression, or PLACE_EXPR_NONE and a diagnostic that names the
 * column. Depth and size are bounded (64 levels, 4,096 nodes an expression). */
place_expr place_expr_parse(struct place_expr_pool *pool, const char *text, size_t length, struct place_diag *diag);

/* Appends the text form to out (as snprintf: at most size bytes with the terminator; returns the length needed). */
size_t place_expr_print(const struct place_expr_pool *pool, place_expr expr, char *out, size_t size);

/* The value at a point, in *value and true; false if it depends on anything unknown. */
bool place_expr_eval(const struct place_expr_pool *pool, place_expr expr, const struct place_point *at, uint64_t *value);

/* Sound bounds over a box: every value that place_expr_eval gives for a point inside lies within. */
struct place_range place_expr_bound(const struct place_expr_pool *pool, place_expr expr, const struct place_box *box);

/* Whether the expression mentions that symbol (op TID, TEAM, ..., or LOOP/ARG with its number). */
bool place_expr_uses(const struct place_expr_pool *pool, place_expr expr, enum place_expr_op op, int64_t number);

/* Whether two expressions of a pool are the same, symbol by symbol; two that are written differently may have the same values. */
bool place_expr_equal(const struct place_expr_pool *pool, place_expr a, place_expr b);

void place_expr_pool_free(struct place_expr_pool *pool);

#endif

/* A region's expressions at one launch, to be evaluated for many warps. Internal.
 *
 * What the launch fixes (arguments, threads, teams) becomes a number. Sums are kept flat, as constant + factor * part + ...,
 * where a part is a symbol, a product of symbols, a cast or a call of two arguments; equal parts, of whatever expressions, are
 * one, and casts, minima and maxima that change nothing within the launch are left out. A part is evaluated anew only when a
 * symbol that it depends on has changed, so that accesses of one loop body share what they have in common and an address within
 * a loop costs its own terms only. Values are those of lanes_eval.
 *
 * Owner: a struct bound owns its parts; bound_close. Thread-safety: none. */
#ifndef PLACE_CORE_BOUND_H
#define PLACE_CORE_BOUND_H

#include "lanes.h"

enum {
  BOUND_UNKNOWN = -1,   /* an expression that has no value at any point of the launch */
  BOUND_NO_MEMORY = -2,
  BOUND_MAX_LOOPS = 64,
  BOUND_HEADS = 256
};

enum bound_kind {
  BOUND_WARP, /* values of 32 threads */
  BOUND_THREAD /* of one thread (lane 0), and what is not known is taken as 0 */
};

struct bound_part;
struct bound_term;

struct bound {
  enum bound_kind kind;
  const struct place_expr_pool *pool;
  struct place_point at; /* arguments, threads and teams; the symbols' values are parts */
  struct place_box box;  /* of all points */
  struct place_range range[BOUND_MAX_LOOPS]; /* of the loops */
  size_t loops;          /* of the region */
  struct bound_part *parts;
  struct bound_term *terms;
  struct lanes *value; /* [part_count] once ready */
  uint64_t symbol[BOUND_MAX_LOOPS + 2]; /* the first parts' values, in lane 0 */
  size_t part_count, part_capacity, term_count, term_capacity;
  int32_t head[BOUND_HEADS];           /* of the chains of equal hashes */
  uint64_t clock;                      /* changes of symbols so far */
  uint64_t since[BOUND_MAX_LOOPS + 2]; /* the last one that concerns a part of that level */
};

/* at: arguments, threads and teams; the greatest first thread and team that bound_warp will be given. Returns 0, or -1: out of
 * memory, or more than BOUND_MAX_LOOPS loops. */
int bound_open(struct bound *b, enum bound_kind kind, const struct place_expr_pool *pool, const struct place_point *at,
               size_t loops);
void bound_close(struct bound *b);

/* The iterations that bound_loop will be given of the next loop: 0 to most; UINT64_MAX: any. What is added before makes no use
 * of them. */
void bound_next_loop(struct bound *b, uint64_t most);

/* Adds an expression: a number for bound_eval, BOUND_UNKNOWN, or BOUND_NO_MEMORY. All are added before the first evaluation. */
int32_t bound_add(struct bound *b, place_expr expr);
int32_t bound_add_number(struct bound *b, uint64_t number);

/* After the last bound_add: 0, or -1 when out of memory. All symbols are 0. */
int bound_ready(struct bound *b);

/* The point: a warp's first thread and its team; the iteration of a loop. */
void bound_warp(struct bound *b, uint64_t tid, uint64_t team);
void bound_loop(struct bound *b, size_t loop, uint64_t iteration);

/* The value at the point, where loops 0 to loops - 1 have iterations and others are unknown; until the next call. NULL: it has
 * none. */
const struct lanes *bound_eval(struct bound *b, int32_t part, size_t loops);

#endif

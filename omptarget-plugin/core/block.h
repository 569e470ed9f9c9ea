/* Block versions: how their iterations lie, and what they cost. Internal.
 *
 * The shape is in the name: extents of a block dimension by dimension, outermost first, joined by 'x'; 't' and the threads of
 * a team; 'k' and the iterations of the sequential loop that are staged at a time; 'c' where accesses along columns go
 * through tiles; 'a' where a thread's iterations along the last dimension follow each other (llvm-pass/Block.h).
 * Owner: plain data. Thread-safety: pure functions. */
#ifndef PLACE_CORE_BLOCK_H
#define PLACE_CORE_BLOCK_H

#include "session.h"

enum { BLOCK_DIMS = 3, BLOCK_LOOPS = 4 };

struct block_shape {
  unsigned dims;
  unsigned threads[BLOCK_DIMS], each[BLOCK_DIMS]; /* of a team along the dimension; iterations of a thread along it */
  bool adjacent[BLOCK_DIMS];                      /* they follow each other; else they lie `threads` apart */
  unsigned strip;                                 /* 0: none */
  bool turned;
};

/* Returns 0, or -1: the name ends in no shape, or in one that its threads do not fit. */
int block_shape_parse(const struct place_version *version, struct block_shape *shape);

/* Iterations of the collapsed loops, outermost first, as a version's number of blocks states them. False: not known at this
 * launch. */
bool block_extents(const struct session *s, const struct place_version *version, const struct block_shape *shape,
                   uint64_t extent[BLOCK_DIMS]);

/* Where the accesses of a region go: accesses of one array, kind and loop whose offsets move alike are one group. */
struct block_group {
  size_t first;                                         /* an access */
  unsigned members;
  bool known;                                           /* else nothing but `first`, `members` and executions is */
  int64_t dim[BLOCK_DIMS];                              /* bytes from one iteration to the next */
  int64_t halo[BLOCK_DIMS];                             /* iterations along the dimension that the members lie apart */
  struct block_loop { int number; int64_t stride; double trips; } loop[BLOCK_LOOPS]; /* sequential, innermost first */
  unsigned loops;
  int64_t *offset;                                      /* [members], less the first one's */
  double executions;                                    /* of one member, by one iteration */
};

struct block_reach {
  struct block_group *group;
  size_t count;
};

/* Evaluates the accesses around the middle of the iterations. What is not known of an address is taken as 0, unless an array
 * decides it. Returns 0, or -1: out of memory, or no trip count. */
int block_reach_find(const struct session *s, unsigned dims, const uint64_t extent[BLOCK_DIMS], struct block_reach *reach);
void block_reach_free(struct block_reach *reach);

/* Distinct elements among those that terms of a stride and a number of steps each reach together. */
struct block_term { int64_t stride; double steps; };
double block_distinct(struct block_term *terms, unsigned count, int64_t *pitch);

/* Estimated time of each block version of the session's region, nanoseconds, in out[version]: the session's cost of the plan
 * with everything in global memory, times the ratio of the two shapes' times (block_cost.c). NAN: not known, or no block
 * version. */
void block_costs(const struct session *s, double *out);

#endif

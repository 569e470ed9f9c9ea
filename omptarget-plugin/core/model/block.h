/* Block versions (place/version.h): what their iterations reach, and what they cost. Internal.
 *
 * Owner: plain data. Thread-safety: pure functions. */
#ifndef PLACE_CORE_BLOCK_H
#define PLACE_CORE_BLOCK_H

#include "model.h"

enum { BLOCK_DIMS = PLACE_MAX_DIMS, BLOCK_LOOPS = 4 };

/* Iterations of the collapsed loops, outermost first, at this launch. False: they are not known, or not from 1 to 2^31 - 1. */
bool block_extents(const struct model_input *in, const struct place_version *version, uint64_t extent[BLOCK_DIMS]);

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
int block_reach_find(const struct model_input *in, unsigned dims, const uint64_t extent[BLOCK_DIMS], struct block_reach *reach);
void block_reach_free(struct block_reach *reach);

/* Distinct elements among those that terms of a stride and a number of steps each reach together. */
struct block_term { int64_t stride; double steps; };
double block_distinct(struct block_term *terms, unsigned count, int64_t *pitch);

/* Estimates the region's block versions, the others are left as they are: base_cost, the cost of the plan with
 * everything in global memory, times the ratio of the two shapes' times (block_cost.c). 0, or -1 and a diagnostic where one
 * comes out as no number. */
int block_costs(const struct model_input *in, double base_ns, struct place_estimate *out, struct place_diag *diag);

#endif

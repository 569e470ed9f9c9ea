/* A walk under way: what walker.c and walk_profile.c share. Internal to them.
 *
 * Owner: walk_launch. Thread-safety: none of its own. */
#ifndef PLACE_CORE_WALKER_H
#define PLACE_CORE_WALKER_H

#include "bound.h"
#include "walk.h"

enum { MAX_LOOPS = BOUND_MAX_LOOPS, MAX_ITERATIONS = 64, MAX_OUTER_ITERATIONS = 2, MAX_STEPS = 2048, GUESSED_WARPS = 2 };

struct walker {
  const struct place_table *table;
  const struct place_region *region;
  const struct place_launch *launch;
  const uint32_t *profile; /* NULL: none */
  const struct place_extent *window;
  struct walk *walk;
  struct bound bound; /* the expressions below */
  int32_t trips[MAX_LOOPS], *offset; /* of each loop and access */
  uint64_t fixed[MAX_LOOPS];         /* a loop's trip count that is the same everywhere; 0: there is none */
  bool slot_logged[PLACE_PROFILE_SLOTS]; /* whether the profiling launch had the slot's warp at all */
  uint64_t spread_begin[WALK_SPREAD + 1]; /* warps that the spread samples are taken from */
  /* of the current warp */
  unsigned slot;
  struct place_point at;
  uint64_t loop[MAX_LOOPS];
  uint32_t logged[PLACE_PROFILE_ACCESSES]; /* entries used up */
  uint32_t *sampled;                       /* [access_count] events of this warp */
  double *executions;                      /* [access_count] of this warp */
  double trips_each[MAX_LOOPS];            /* of a loop whose trip count is not known, each time it is entered; 0: not logged */
  double *taken;                           /* [access_count] part of its loop's iterations that execute a guarded access */
  double index_sum, index_count;           /* for Procedure 2 */
  uint64_t random;
  unsigned steps; /* loop iterations followed */
  uint32_t events_each;                    /* of one access, by one warp */
  bool out_of_memory;
};

/* Iterations of a loop that the busiest lane makes; of the distributed loop, by a thread on average (walker.c). */
uint64_t walker_most_trips(const struct lanes *trips);
double walker_distributed_trips(const struct walker *w);

/* Whether a profile has logged anything; NULL: no. */
bool walker_has_entries(const uint32_t *profile);

/* Which slots of the profile the profiling launch had a warp for. */
void walker_find_logged_slots(struct walker *w);

/* A logged access directly in that loop, or -1: it tells how often the loop's body ran. */
int walker_witness(const struct walker *w, int loop);

/* The e-th logged index of each lane of the current slot; the lanes that executed the access more than `e` times, and in *most how
 * often the busiest one did. */
const uint32_t *walker_log_entry(const struct walker *w, int log, uint32_t e);
uint32_t walker_log_active(const struct walker *w, int log, uint32_t e, uint32_t *most);

/* Trips of loops and frequencies of guarded accesses, over all logged warps. 0, or -1: out of memory. */
int walker_read_profile(struct walker *w);

#endif

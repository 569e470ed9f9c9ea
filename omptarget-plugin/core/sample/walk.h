/* The access walk of a launch: what a few sampled warps do to memory, access by access, in program order. Internal.
 *
 * Warps are sampled as the profiling version does (abi.h): slot s is warp (s mod warps of a team) of team s * stride, so
 * what was logged and what is evaluated come from the same warps. Sampling stops early once the mean index of what was
 * accessed is stable (paper 000, Procedure 2). Of each warp, an access is followed for at most WALK_EVENTS
 * executions (fewer in a kernel of many accesses: WALK_EVENTS_PER_WARP together, if that leaves WALK_LEAST_EVENTS for
 * each), iterations in order.
 *
 * Addresses: the access's offset where all that it depends on is known; else the profile; else (no profile, or not
 * logged) random elements of the window, which is the worst that an unknown index can do, and `assumed` says so.
 * Executions: product of the trip counts of the loops around the access at the sampled warps; a loop of unknown trip
 * count runs, each time it is entered, as often as the profile says for a logged access in it, in the mean over all logged
 * warps, or else WALK_DEFAULT_TRIPS; an access under a condition is executed as often as logged. The profiled launch may have
 * another shape than the one that is walked: where the program leaves threads and teams open, libomptarget 19 takes
 * fewer threads a team for a low trip count (shape_unasked). A loop at the top with unknown trip count is taken for the
 * distribution over teams.
 * Spread: beside what is followed in order, WALK_SPREAD warps over the whole launch (fewer in a kernel of many accesses:
 * WALK_SPREAD_TOGETHER, if that leaves WALK_LEAST_SPREAD for each), each at some iteration of the loops around, for accesses whose
 * address is known. A few neighbouring warps may all be alike by accident (a matrix whose width is no multiple of a warp); these
 * tell what a transaction count is in the mean. */
#ifndef PLACE_CORE_WALK_H
#define PLACE_CORE_WALK_H

#include "launch_shape.h"

enum {
  WALK_EVENTS = 24,
  WALK_LEAST_EVENTS = 4,
  WALK_EVENTS_PER_WARP = 72,
  WALK_WARPS = PLACE_PROFILE_SLOTS,
  WALK_DEFAULT_TRIPS = 8,
  WALK_SPREAD = 48,
  WALK_LEAST_SPREAD = 8,
  WALK_SPREAD_TOGETHER = 4096
};

struct walk_event { /* one execution of an access by one warp */
  uint16_t access, warp;
  bool entering;       /* the first iteration of the access's innermost loop */
  uint32_t active;     /* bit l: lane l takes part; never 0 */
  uint64_t base, step; /* where `lane` is NULL: lane l's offset is base + l * step, modulo 2^64 */
  const int64_t *lane; /* [32], the walk's */
};

/* Bytes from the kernel argument; of an inactive lane: meaningless. */
static inline int64_t walk_offset(const struct walk_event *event, unsigned lane) {
  return event->lane ? event->lane[lane] : (int64_t)(event->base + lane * event->step);
}

struct walk_access {
  double executions;  /* by one warp, in the whole launch; mean over all slots */
  uint32_t events;    /* sampled in order */
  uint32_t spread;    /* of walk->spread */
  bool counted;       /* the innermost loop's trip count is known */
  bool assumed;       /* addresses are a guess */
  bool logged;        /* addresses are from the profile */
};

struct walk_rows; /* of offsets */

struct walk {
  struct walk_event *events; /* grouped by warp, in program order within a warp */
  size_t count, capacity;
  struct walk_event *spread;  /* single warp accesses from all over the launch, grouped by access; `warp` means nothing */
  size_t spread_count;
  struct walk_access *access; /* [region->access_count] */
  struct walk_rows *rows;
  unsigned warps;             /* whose addresses were sampled */
  uint32_t teams;             /* the launch that was walked */
  double total_warps;         /* of that launch */
};

/* window: [region->array_count] where each array's accesses lie, for those whose index is unknown. */
int walk_launch(const struct place_question *question, const struct place_extent *window, struct walk *walk,
                struct place_diag *diag);
void walk_free(struct walk *walk);

/* Of the samples that all accesses have together, those of one. */
uint32_t walk_share(uint32_t together, size_t accesses, uint32_t least, uint32_t most);

/* Procedure 2's test on three successive means. */
bool walk_is_stable(double current, double previous, double before);

#endif

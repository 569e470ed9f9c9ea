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
 * count counts as often as the profile says for a logged access in it, or else WALK_DEFAULT_TRIPS. A loop at the top
 * with unknown trip count is taken for the distribution over teams. */
#ifndef PLACE_CORE_WALK_H
#define PLACE_CORE_WALK_H

#include "launch_shape.h"

enum {
  WALK_EVENTS = 24,
  WALK_LEAST_EVENTS = 4,
  WALK_EVENTS_PER_WARP = 72,
  WALK_WARPS = PLACE_PROFILE_SLOTS,
  WALK_DEFAULT_TRIPS = 8
};

struct walk_event { /* one execution of an access by one warp */
  uint16_t access, warp;
  uint32_t active;     /* bit l: lane l takes part; never 0 */
  int64_t offset[32];  /* bytes from the kernel argument; of inactive lanes: meaningless */
};

struct walk_access {
  double executions;  /* by one warp, in the whole launch; mean over all slots */
  uint32_t events;    /* sampled */
  bool counted;       /* the innermost loop's trip count is known */
  bool assumed;       /* addresses are a guess */
  bool logged;        /* addresses are from the profile */
};

struct walk {
  struct walk_event *events; /* grouped by warp, in program order within a warp */
  size_t count, capacity;
  struct walk_access *access; /* [region->access_count] */
  unsigned warps;             /* whose addresses were sampled */
  uint32_t teams;             /* the launch that was walked */
  double total_warps;         /* of that launch */
};

/* window: [region->array_count] where each array's accesses lie, for those whose index is unknown. */
int walk_launch(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
                const struct place_profile *profile, const struct place_extent *window, struct walk *walk,
                struct place_diag *diag);
void walk_free(struct walk *walk);

/* Procedure 2's test on three successive means. */
bool walk_is_stable(double current, double previous, double before);

#endif

/* Paper 002's metrics of a launch's loads, and the traffic reduction graph that they make. Internal.
 *
 * The paper counts on the hardware, by profiler runs in which all loads but one or two bypass L1: access_i, hit_i and hit_ij (4.3). Here
 * the sampled warps (walk.h: known addresses, or those that the profile logged) go through a simulated L1, load by load and pair by pair, as
 * if they were the warps of one multiprocessor: an event of each in turn, in as large a part of L1 as falls to as many of the warps that are
 * resident. What neighbouring warps have in common is seen only as far as the sampled ones have it.
 *   T_on(i)  = (access_i - hit_i) * fill       fill: what a miss brings into L1, the machine file's `sector` of that cache (32 bytes today; its
 *                                              128-byte line in the paper)
 *   T_off(i) = blocks_i * 32                   blocks_i: L2's sectors that the accesses touch, counted, where the paper has only the
 *                                              program's mean load efficiency: T_off = access * L1 block * E_on / E_off
 *   gain_ij  = hit_ij - (hit_i + hit_j)
 * each weighted by how often a load is executed in the launch over how often it was sampled. With sectors T_off = access * fill, so no
 * load bypasses for its own sake any more, only for the sake of others.
 *
 * Owner: bypass_free. Thread-safety: pure. Errors: -1 when out of memory, or a diagnostic. */
#ifndef PLACE_CORE_BYPASS_H
#define PLACE_CORE_BYPASS_H

#include "model.h"
#include "traffic.h"

enum bypass_group {
  BYPASS_ARRAYS, /* all loads of an array go the same way, as versions have it */
  BYPASS_LOADS   /* as in the paper */
};

struct bypass_load {
  size_t array, access; /* of the region; access: its first one, where arrays are grouped */
  double off, on;       /* bytes */
};

struct bypass {
  struct bypass_load load[TRAFFIC_MAX_LOADS];
  struct traffic_graph graph; /* loads: none where the machine has no L1 before global memory */
};

/* Of what is in global memory where nothing is placed. -1: out of memory, or more loads than TRAFFIC_MAX_LOADS. */
int bypass_find(const struct model_input *in, enum bypass_group group, struct bypass *bypass, struct place_diag *diag);

/* Traffic from L2 where these loads are cached. */
double bypass_traffic(const struct bypass *bypass, const bool *cached);

#endif

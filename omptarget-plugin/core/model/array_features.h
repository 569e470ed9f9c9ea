/* What the learned selector sees of an array at a launch (paper 003, Table 2), from the walk and the machine file, without counters.
 * Internal.
 *
 * Of the paper's five kinds:
 *   active_warps           warps on an SM with everything in global memory; left_warps: the part of them that a staged copy of the
 *                          array leaves
 *   gld_transactions       lines of a warp's load in global memory, the mean over the array's loads; distinct_words: its different
 *                          addresses (transactions in constant memory); bank_conflicts: its transactions in shared memory, 0: no candidate
 *   stall_exec_dependency  share of a warp's time in which it waits for what it has loaded, everything in global memory:
 *                          W / (W + B), W = sum over loads of N * latency / (loads in flight * active warps),
 *                          B = sum over accesses of N * time of their transactions at the nearest level
 *   achieved_occupancy     active warps over those that an SM can hold, times how even the teams are
 *   ldst_executed          loads of the array by a warp (log2); loads and stores of the launch, an SM (log2); the array's share of
 *                          them; the share of stores
 * and, of the machine file, what the array's bytes are to it (log2 of bytes over capacity, FEATURES_UNKNOWN where the bytes or the
 * capacity are not known): the nearest constant cache, a team's shared memory, the nearest cache of global memory; and loads_per_byte
 * (log2): how often an SM loads each byte of what a copy of the array would hold.
 *
 * Thread-safety: pure functions. */
#ifndef PLACE_CORE_ARRAY_FEATURES_H
#define PLACE_CORE_ARRAY_FEATURES_H

#include "model.h"

#define FEATURES_UNKNOWN 64.0

enum feature {
#define FEATURE(identifier) FEATURE_##identifier,
#include "array_features.def"
#undef FEATURE
  FEATURE_COUNT
};

/* By enum feature, as in the text of a forest. */
extern const char *const feature_names[FEATURE_COUNT];

/* Of every array of the region; out: [array_count]. All are finite. 0, or -1 when out of memory. */
int features_find(const struct model_input *in, double (*out)[FEATURE_COUNT]);

#endif

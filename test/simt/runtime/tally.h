// The sums of what was counted: for each place in the program and array, for one launch.
//
// Units: transactions are counts of warp-wide passes, sectors (32 bytes) and segments (128 bytes).
// Ownership: each worker has a tally of its own. Thread-safety: a tally belongs to one worker; printing happens after
// all workers have finished.
#ifndef SIMT_TALLY_H
#define SIMT_TALLY_H

#include "launch.h"
#include "transactions.h"

struct simt_counts {
  uint64_t warp_accesses, lane_accesses;
  uint64_t sectors, segments; // global memory
  uint64_t distinct;          // constant memory: different addresses
  uint64_t passes;            // shared memory: bank passes
  uint64_t l1_hits, l2_hits;  // of the sectors
};

void simt_tally_clear(uint32_t worker);
// Adds one warp access; `array` names what it touches and outlives the launch.
void simt_tally_add(uint32_t worker, const struct simt_site *site, enum simt_space space, const char *array,
                    const struct simt_counts *counts);
// Prints the sums of all workers to stderr.
void simt_tally_print(const struct simt_launch_state *launch);

#endif

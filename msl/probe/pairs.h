/* The latency of one load, and of a second one right after it: what the first brought along. */
#ifndef MSL_PROBE_PAIRS_H
#define MSL_PROBE_PAIRS_H

#include "measure.h"

struct probe_pair {          /* addresses of zeros */
  uint64_t touch[2];         /* loaded before, for the sake of address translation; 0: not */
  uint64_t first, second;
  uint32_t first_clk, second_clk; /* filled in */
};

enum probe_pair_kind { PROBE_PAIR_CA, PROBE_PAIR_CG, PROBE_PAIR_CONSTANT };

/* One after the other, by one thread on run->one_sm. For constant memory `evict` bytes of it, from `touch[0]` on, are read
 * before each pair in steps of 64. */
bool probe_pairs(struct probe_run *run, enum probe_pair_kind kind, struct probe_pair *pairs, uint32_t count, uint32_t evict);

/* Reads 256 MiB so that nothing else is left in the L2 cache. */
bool probe_flush_l2(struct probe_run *run);

#endif

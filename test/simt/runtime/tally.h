// The sums of what was counted in one launch: for each instruction and array that it touches, and, printed, for each line
// of the source.
//
// Units: transactions are those of a memory's serial condition in the machine file; hits, misses and what reaches the
// memory are counted in pieces of the size that a level brings in at once (struct simt_level).
// Ownership: each worker has a tally of its own; a row's address is valid until the tally is cleared.
// Thread-safety: a tally belongs to one worker, but for the `hits` and `misses` of its rows, which belong to whoever
// replays (replay.h); printing happens after all workers have finished.
#ifndef SIMT_TALLY_H
#define SIMT_TALLY_H

#include "launch.h"
#include "model.h"

struct simt_counts {
  uint64_t warp_accesses, lane_accesses;
  uint64_t transactions;                        // of the space's own memory
  uint64_t level_transactions[SIMT_MAX_LEVELS]; // of each level of the space's chain
  uint64_t hits[SIMT_MAX_LEVELS], misses[SIMT_MAX_LEVELS]; // the memory itself: all are hits
};

struct simt_row {
  const struct simt_site *site; // null: free
  const void *object;           // what the name stands for: an extent, a copy, a variable
  enum simt_count_space space;
  char array[64];
  struct simt_counts counts;
};

void simt_tally_clear(uint32_t worker);
// The row of an instruction that touches an array; a new one has no name yet.
struct simt_row *simt_tally_row(uint32_t worker, const struct simt_site *site, enum simt_count_space space,
                                const void *object);
// Prints the sums of all workers, to stderr or to the file SIMT_COUNT_FILE.
void simt_tally_print(const struct simt_launch_state *launch, const struct simt_model *model);

#endif

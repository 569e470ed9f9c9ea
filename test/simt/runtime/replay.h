// Cache hits, the same in every run: what each team's accesses bring to the caches is recorded while teams run in
// parallel, and played through the caches team after team, in the order of their numbers.
//
// Team t runs on SM t modulo their number. A cache is empty when a launch begins, but for those shared by the whole die,
// which keep what earlier launches brought. Of a team, one warp after another runs up to where it must wait, and its
// accesses meet the caches in that order. A load meets all levels of its space's chain, nearest first, until it hits;
// stores and atomics begin at the first level that the whole die shares, and are then brought in there like loads. A miss
// asks the next level for what this level brings in at once: several pieces of a level with smaller ones. Caches of
// unknown size are passed by.
// Thread-safety: each worker records for the team that it runs; replaying has a lock. Errors: out of memory ends the
// program.
#ifndef SIMT_REPLAY_H
#define SIMT_REPLAY_H

#include "tally.h"

struct simt_trace;

void simt_replay_begin_launch(const struct simt_model *model);
// A team starts on a worker; what is recorded is replayed when all teams before it have ended.
struct simt_trace *simt_replay_begin_team(uint32_t team);
// One warp access of `lanes` lanes, each of `bytes` bytes.
void simt_replay_record(struct simt_trace *trace, struct simt_row *row, const uint64_t *addresses, unsigned lanes,
                        uint32_t bytes);
void simt_replay_end_team(struct simt_trace *trace);

#endif

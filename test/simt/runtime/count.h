// Counting memory transactions of instrumented code.
//
// Each lane logs its accesses with the iterations of the loops around them. When no lane of a warp can run on, the logs
// are matched: the lanes' accesses at the same place in the same iterations are one warp access, which is what full
// reconvergence after every branch and loop gives. A lane whose log is full waits for the others.
// Each warp access is then counted by the conditions of the machine file (model.h) and played through its caches
// (replay.h).
// Thread-safety: each worker counts for the warps that it runs; end_launch adds up.
#ifndef SIMT_COUNT_H
#define SIMT_COUNT_H

#include "launch.h"
#include "team.h"

// True if any image is instrumented for counting and SIMT_COUNT is not 0.
bool simt_count_enabled(void);
void simt_count_begin_launch(const struct simt_launch_state *launch);
void simt_count_end_launch(const struct simt_launch_state *launch);
void simt_count_begin_team(struct simt_team *team);
void simt_count_end_team(struct simt_team *team);
// No lane of the warp can run: counts what its lanes have logged. True if lanes with full logs can run on now.
bool simt_count_warp_stalled(struct simt_team *team, uint32_t warp);

#endif

// Counting memory transactions of instrumented code.
//
// Thread-safety: each worker counts for the warps that it runs; end_launch adds up.
#ifndef SIMT_COUNT_H
#define SIMT_COUNT_H

#include "launch.h"
#include "team.h"

// True if any image is instrumented for counting and SIMT_COUNT is not 0.
bool simt_count_enabled(void);
void simt_count_begin_launch(const struct simt_launch_state *launch);
void simt_count_end_launch(const struct simt_launch_state *launch);
void simt_count_warp_stalled(struct simt_team *team, uint32_t warp);
void simt_count_team_ended(struct simt_team *team);

#endif

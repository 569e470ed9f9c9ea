#include "count.h"
bool simt_count_enabled(void) { return false; }
void simt_count_begin_launch(const struct simt_launch_state *launch) { (void)launch; }
void simt_count_end_launch(const struct simt_launch_state *launch) { (void)launch; }
void simt_count_warp_stalled(struct simt_team *team, uint32_t warp) { (void)team; (void)warp; }
void simt_count_team_ended(struct simt_team *team) { (void)team; }
void simt_count(const void *pointer, uint64_t iteration, const struct simt_site *site) { (void)pointer; (void)iteration; (void)site; }

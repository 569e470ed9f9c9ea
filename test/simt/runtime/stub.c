#include "check.h"
#include "count.h"
#include "extents.h"
void simt_extents_note_mapped(int d, void *h, uint64_t b){(void)d;(void)h;(void)b;}
void simt_extents_recheck(void){}
void simt_extents_note_allocated(void *m, uint64_t b){(void)m;(void)b;}
void simt_extents_note_freed(void *m){(void)m;}
void simt_extents_note_written(const void *m, uint64_t b){(void)m;(void)b;}
void simt_extents_begin_launch(const struct simt_launch_state *l){(void)l;}
void simt_extents_end_launch(const struct simt_launch_state *l){(void)l;}
bool simt_check_enabled(void){return false;}
void simt_check_reserve(struct simt_team *t){(void)t;}
bool simt_count_enabled(void){return false;}
void simt_count_begin_launch(const struct simt_launch_state *l){(void)l;}
void simt_count_end_launch(const struct simt_launch_state *l){(void)l;}
void simt_count_warp_stalled(struct simt_team *t, uint32_t w){(void)t;(void)w;}
void simt_count_team_ended(struct simt_team *t){(void)t;}
void *simt_check(void *p, const struct simt_site *s){(void)s;return p;}
void *simt_check_range(void *p, uint64_t b, const struct simt_site *s){(void)s;(void)b;return p;}
void simt_count(const void *p, uint64_t i, const struct simt_site *s){(void)p;(void)i;(void)s;}

// The checks on each access of instrumented code: extents, read-only memory, the team's shared memory, races.
//
// Thread-safety: called by the worker that runs the thread.
#ifndef SIMT_CHECK_H
#define SIMT_CHECK_H

#include "team.h"

// True if any image is instrumented for checks and SIMT_CHECK is not 0.
bool simt_check_enabled(void);
// Makes the team's shadow memory large enough for its shared memory.
void simt_check_reserve(struct simt_team *team);

#endif

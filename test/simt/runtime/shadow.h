// Shadow of a team's shared memory: who touched each byte last, for races, and whether anyone has written it.
//
// Two accesses race if different threads make them, at least one writes, not both are atomic, and no barrier lies
// between them: they fall into the same epoch of the team and, for lanes of one warp, of the warp.
// Units: bytes. Ownership: one shadow for each worker. Thread-safety: used by its worker only.
#ifndef SIMT_SHADOW_H
#define SIMT_SHADOW_H

#include "registry.h"
#include "team.h"

// Makes the shadow of the team's worker cover `bytes` of shared memory.
void simt_shadow_reserve(const struct simt_team *team, uint64_t bytes);
// Records the running thread's access and reports races and reads of what was never written. shared: null for dynamic memory.
// Variables of OpenMP's device runtime are not watched.
void simt_shadow_access(struct simt_team *team, uint64_t offset, uint64_t bytes, const struct simt_site *site,
                        const struct simt_shared *shared);

#endif

/* Reads beyond the end of an array, seen by the profiling version. A program that makes them and throws away what it read runs well
 * on global memory, where something else is mapped there; a copy in shared memory ends, and the launch with it.
 *
 * Units: bytes. Thread-safety: pure. Errors: none; what the profile does not show is not found. Internal. */
#ifndef PLACE_CORE_OVERRUN_H
#define PLACE_CORE_OVERRUN_H

#include "candidates.h"

/* Takes copies away from arrays of which the profile shows a read outside of the mapped section, and says so in `excluded`.
 * profile: PLACE_PROFILE_WORDS words, or NULL: none. candidates: [region->array_count], as candidates_find left them. */
void overrun_exclude(const struct place_region *region, const struct place_launch *launch, const uint32_t *profile,
                     struct candidate *candidates);

#endif

/* Whether a launch has what a version needs (place/version.h, need.def): asked of every version before it is selected.
 *
 * Thread-safety: the caller holds the device's lock. */
#ifndef PLACE_RT_NEEDS_H
#define PLACE_RT_NEEDS_H

#include "view.h"

/* 0 if all needs of the region's version are met at the launch that the view is of; else -1 and the reason. A need that this
 * runtime cannot judge is not met. plan: where the arrays would be; NULL: as the version has them, those left open anywhere. */
int needs_check(const struct rt_region *region, int version, const struct view *view, const struct place_plan *plan,
                struct place_diag *why);

/* How many teams have work in a version at a launch, 1 to 2^31 - 1; 0: it does not say, or it is not known. */
uint32_t needs_teams(const struct rt_region *region, int version, const struct place_launch *launch);

/* Bytes of a row of an array that a version may fetch from a texture of two dimensions; 0: it does not, or it is not known. */
uint64_t needs_row_bytes(const struct rt_region *region, int version, size_t array, const struct place_launch *launch);

/* Which versions could be launched at all: in the images, with their needs met. usable: [region->region->version_count]. */
void needs_usable(const struct rt_region *region, const struct view *view, bool *usable);

#endif

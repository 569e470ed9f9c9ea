/* Looking up a region's versions among those that the images have. Indices into region->region->versions; -1: there is none.
 *
 * Thread-safety: pure functions. */
#ifndef PLACE_RT_VERSIONS_H
#define PLACE_RT_VERSIONS_H

#include "registry.h"

bool versions_is_launchable(const struct rt_region *region, int version);

/* The first of a role; the first that leaves open where arrays are; the first that leaves them all where they are, with other
 * control flow than the original's; the n-th of a loop form, from 1. */
int versions_of_role(const struct rt_region *region, enum place_role role);
int versions_open(const struct rt_region *region);
int versions_plain(const struct rt_region *region);
int versions_of_loop(const struct rt_region *region, enum place_loop_form loop, unsigned n);

/* Whether it spreads over the GPU what the program leaves to one team, and so to one of the GPU's multiprocessors; nothing else is changed. */
bool versions_spreads_team(const struct rt_region *region, int version);

/* Whether it is of a kind that is hardly ever slower than the original: that one, or of iterations that are soon over. */
bool versions_is_likely(const struct rt_region *region, int version);

/* What plans are measured against: the base, or a plain version where there is none. */
int versions_base(const struct rt_region *region);

#endif

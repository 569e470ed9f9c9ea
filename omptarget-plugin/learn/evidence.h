/* What the trials at a region's sizes say together, for sizes that none of them has reached: a factorisation's matrix shrinks from launch
 * to launch, and no size of it lasts for a trial.
 *
 * Thread-safety: the caller holds the device's lock. Errors: none. */
#ifndef PLACE_RT_EVIDENCE_H
#define PLACE_RT_EVIDENCE_H

#include "state.h"

/* The version, with all arrays where they are, that was faster than the original by TUNE_MARGIN in EVIDENCE_PERIODS at least, of sizes up
 * to EVIDENCE_REACH times larger or smaller than this one (class_work), and slower at no size at all; of several, the one that is ahead
 * by most where it is ahead by least. -1: there is none. */
enum { EVIDENCE_PERIODS = 3, EVIDENCE_REACH = 2 };
int evidence_version(const struct rt_device_region *state, const struct rt_class *c);

/* How many launches of other sizes did not come again, while how long a period is was being found out. 0 where some did at any size, and where
 * there is a version as above: a trial may wait, then. */
unsigned evidence_strangers(const struct rt_device_region *state, const struct rt_class *c);

#endif

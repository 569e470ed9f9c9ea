/* A long launch in slices: versions are tried on parts of one launch, and the best of them carries out the rest (docs/slices.md).
 *
 * First the base takes a part as large as fills the GPU. Unless that says that the launch is long, it takes the rest, too. Else plans are
 * ranked and tried, each on a slice, as long as no more than a quarter of the iterations is done so, and those that lie close together on
 * longer ones (slices_trial.h). What is faster than the base has the rest. Times are those of slices, as if they had been the whole launch.
 *
 * Each iteration is carried out exactly once: slices are intervals of the iteration space, cut where every version that is tried has teams
 * begin (slices_shape.h). What a version declines to do (abi.h) the base does.
 *
 * Thread-safety: the launch holds the device's `measuring`; takes the device's lock where it needs it. Errors: what libomptarget returns. */
#ifndef PLACE_RT_SLICES_H
#define PLACE_RT_SLICES_H

#include "flight.h"

/* Whether a launch that would be the original's is to be launched in slices: it may be, and it is long as far as is known. The caller holds
 * the lock. */
bool slices_are_wanted(const struct flight *flight, const struct rt_call *call);

/* The launch; *rc: what it returned. Sets the flight's `lost_ns`, launched_ns and returned_ns. False: it cannot be split after all, nothing
 * was launched, and it is the original's. */
bool slices_launch(struct flight *flight, const struct rt_call *call, rt_launcher launcher, void *context, int *rc);

#endif

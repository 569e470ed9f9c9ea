/* The launch path: which kernel a launch gets, and what the launch does to what is known.
 *
 * Thread-safety: any thread; the device's lock is held before and after the launch, never during it. Errors: none; in
 * doubt, the original kernel. */
#ifndef PLACE_RT_DISPATCH_H
#define PLACE_RT_DISPATCH_H

#include "state.h"

/* Launches a region of `device` that has a table; returns what the launch that counts returned. */
int dispatch_launch(struct runtime *rt, struct rt_device *device, struct rt_region *region, const struct rt_call *call,
                    rt_launcher launcher, void *context);

/* Whether the next launch is likely to be as the last one was: the original's, as all of the region's classes have settled on it, and
 * unclocked. A call of which the caller says so gets the original in any case, and the caller need not have looked for what else may have changed. */
bool dispatch_is_routine(const struct rt_device *device, const struct rt_region *region);

/* The same for a region of which nothing is known. */
int dispatch_unknown(struct rt_device *device, const struct rt_call *call, rt_launcher launcher, void *context);

/* Before and after a launch that cannot be looked into at all (old entry points). */
void dispatch_unknown_begin(struct rt_device *device, bool nowait);
void dispatch_unknown_end(struct rt_device *device);

#endif

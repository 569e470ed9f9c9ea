/* Launches of sizes of which nothing was measured.
 *
 * By what trials at other sizes found, where they agree (evidence.h). Else where an iteration is soon over: by one iteration a thread, or,
 * where the region reduces, by a grid-stride loop; and where the program has one team, by a grid-stride loop over the whole GPU.
 *
 * Of 105 regions without a loop in the body, in programs not written here, one iteration a thread took 1/1.27 of the original's time in the
 * mean, and never more than 1.11 times; of twelve that reduce, the grid-stride loop 1/3.7, and never more (docs/budget.md). So a program that launches
 * such a region once, or a few times, need not wait for what a trial says. What a trial says of another size counts, as soon as there is one.
 *
 * Thread-safety: the caller holds the device's lock. */
#ifndef PLACE_RT_PRESUME_H
#define PLACE_RT_PRESUME_H

#include "flight.h"

/* Whether a launch that would be the original's is better made so, and as which version. Not with PLACE_PATIENCE=0 or PLACE_TRIALS=0, nor
 * without a model. */
bool presume_may(struct flight *flight);

/* Makes it so, if the launch meets what the version needs: flight->step becomes STEP_PRESUMED, else STEP_ORIGINAL. */
void presume_start(struct flight *flight, const struct rt_call *call);

#endif

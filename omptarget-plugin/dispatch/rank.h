/* Ranks a class's plans, and chooses which of them are to be tried.
 *
 * Thread-safety: the device is `measuring` and the decision pinned; takes the device's lock for the result. Errors: the class keeps its
 * original, with the reason. */
#ifndef PLACE_RT_RANK_H
#define PLACE_RT_RANK_H

#include "flight.h"

/* words: the profile (abi.h), or NULL. */
void rank_plans(struct flight *flight, uint32_t *words);

#endif

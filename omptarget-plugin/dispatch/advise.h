/* Advice on duplication for the report (place/advice.h): worked out once for each size of a region that has an array which it both reads
 * and writes, if a report was asked for, as soon as the region would be looked at. */
#ifndef PLACE_RT_ADVISE_H
#define PLACE_RT_ADVISE_H

#include "flight.h"

/* After a launch that was looked at; its decision is pinned, and the caller has no lock. words: its profile, or NULL. */
void advise_looked(struct flight *flight, const uint32_t *words);

/* After a launch of a region in which nothing can be moved, so that nobody will look; the caller holds the device's lock. */
void advise_unlooked(struct flight *flight);

#endif

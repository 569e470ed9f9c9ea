/* Which version has the routes that PLACE_FORCE asks for.
 *
 * Thread-safety: a pure function. */
#ifndef PLACE_RT_ROUTES_H
#define PLACE_RT_ROUTES_H

#include "state.h"

/* The launchable version with these spaces (by placeable index), of the loop form that is asked for, if one is, in which each array that is named has its
 * route: of several the one in which `all@route` holds of the most arrays, then the one with the fewest routes that were not asked for, then
 * the first. -1: there is none. */
int routes_version(const struct rt_region *region, const enum place_space *spaces, const struct force_choice *force);

#endif

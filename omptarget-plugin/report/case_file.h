/* PLACE_CASE: launches and measured plans as files, for place-models (include/place/case.h).
 *
 *   DIR/NAME.case    the launch of a size class that is looked at (the region's second, or a later size's first): shape,
 *                    extents, arguments, profile, region table
 *   DIR/NAME.force   a PLACE_FORCE value a line: each plan that the launch allows and a version realises, CASE_MOST_PLANS of
 *                    them at most (then those of special versions first, then others)
 *   DIR/NAME.plans   a `plan` line for each run of the program that forced one: written when the program ends
 * NAME is the region's function, line and trip count, so that all runs of one program with one input write the same files.
 *
 * Thread-safety: case_write, one thread a size class; case_write_plans when no launch is in flight. Errors: said on stderr. */
#ifndef PLACE_RT_CASE_FILE_H
#define PLACE_RT_CASE_FILE_H

#include "state.h"

enum { CASE_MOST_PLANS = 64 };

/* words: the profile buffer's content, or NULL. */
void case_write(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c,
                const struct place_launch *launch, uint32_t *words);

void case_write_plans(const struct runtime *rt);

#endif

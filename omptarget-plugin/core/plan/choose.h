/* What to launch where nothing is measured (place_plan_choose), with what estimates must promise as a parameter. Internal.
 *
 * Estimates relative to the original kernel: the straight version as straight.h says; a special version or a block version by
 * its cost over that of everything in global memory, times that; an agnostic version by its cost alone, since it runs the
 * original's control flow in the threads that libomptarget gives it.
 *
 * Thread-safety: pure functions. */
#ifndef PLACE_CORE_CHOOSE_H
#define PLACE_CORE_CHOOSE_H

#include "place/plan.h"

/* What must be promised: gains are fractions of what would be launched otherwise. */
struct choose_trust {
  double straight; /* gain over the original kernel */
  double special;  /* gain over the better of these two */
  double agnostic; /* factor on the estimate */
  double block;    /* gain over the best of all others */
};

/* Of that model; `threshold` is the least gain of all. */
struct choose_trust choose_trust_of(enum place_model model, double threshold);

/* As place_plan_choose. */
bool choose_plan(const struct place_region *region, const struct place_ranking *ranking, const bool *usable,
                 const struct choose_trust *trust, struct place_plan *chosen);

#endif

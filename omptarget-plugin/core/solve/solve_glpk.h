/* One level of a problem by GLPK. Internal. */
#ifndef PLACE_CORE_SOLVE_GLPK_H
#define PLACE_CORE_SOLVE_GLPK_H

#include "solve_level.h"

/* 1: the best plan of the level, in space, if it may cost less than below_ns; 0: it has none; -1: GLPK is not there, or fails. */
int glpk_level(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs, double below_ns,
               uint8_t *space);

#endif

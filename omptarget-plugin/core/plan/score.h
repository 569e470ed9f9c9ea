/* How well a ranking fits what was measured. Internal. */
#ifndef PLACE_CORE_SCORE_H
#define PLACE_CORE_SCORE_H

#include <stddef.h>

/* Spearman's rank correlation of two lists, ties at their mean rank; NaN for fewer than two values or if a list is constant. */
double score_spearman(const double *a, const double *b, size_t count);

/* What following the ranking costs: measured time of the plan predicted best over the least measured, minus 1. Where several
 * are predicted alike, the mean of theirs. NaN for no plans. */
double score_regret(const double *predicted, const double *measured, size_t count);

/* Values that differ by no more than the fraction are noise: all within it of the least not yet taken become that one. */
void score_tie(double *values, size_t count, double fraction);

#endif

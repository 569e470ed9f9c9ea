/* What the times of a trial's arms say (tune.h states the test): which arm can no longer win, whether more rounds would tell more, who has won.
 *
 * Units: nanoseconds of a period's mean launch. Thread-safety: none of its own. Errors: none. */
#ifndef PLACE_RT_TUNE_JUDGE_H
#define PLACE_RT_TUNE_JUDGE_H

#include "tune_arms.h"

/* A round is over: arms that cannot win are out, the baseline may be at rest, and the trial may be decided. */
void judge_round(struct tune *tune, double threshold);

/* An arm's first period is over: those that are hopeless beside the fastest so far are out. */
void judge_drop_hopeless(struct tune *tune);

/* The fastest arm's first period so far; 0: none was run. */
double judge_fastest_first(const struct tune *tune);

/* The trial has ended, for an arm or for the original (-1). reason: where there is nothing to compare. */
void judge_finish(struct tune *tune, int winner, const char *reason);

/* The median of an arm's rounds, or its first period where none was counted. */
double judge_time(const struct tune_arm *arm);

/* How many periods an arm has had that was launched, the first one with them. */
unsigned judge_periods(const struct tune *tune, const struct tune_arm *arm);

/* Whether a period is long, launches of which take so much (TUNE_LONG_NS). */
bool judge_is_long(const struct tune *tune, double kernel_ns);

/* Whether all of an arm's periods, the first one too, are below the least of the original's by that part of them. */
bool judge_is_below(const struct tune_arm *arm, const struct tune_arm *original, double by);

/* The baseline's periods as the original would have taken them. */
struct tune_arm judge_original(const struct tune *tune);

/* ---- what others ask, too ---- */

/* The arm that is the fastest as far as the trial has got, and faster than the original by MARGIN, in FEW_ROUNDS where periods are short, or,
 * in a bounded trial, by AT_ONCE, or AT_ONCE_LONG where they are long, from its first period on (its second, where it reads copies); -1: none.
 * original: as the member, but rather too small. */
int tune_leader(const struct tune *tune, double original);

/* What a launch of the arm takes less than one of the original, by the worst of the one and the best of the other; below 0: it may lose,
 * or one of them was not measured to the end. original: as for tune_leader. */
double tune_saving_ns(const struct tune *tune, int arm, double original);

/* The same for one launch of what was launched so far, be it a first period alone: below 0: none is known. */
double tune_gain_ns(const struct tune *tune, int arm, double original);

/* How far the baseline's periods lie apart, relative to their median; 0: fewer than two. */
double tune_noise(const struct tune *tune);

/* What the original takes: the median period of the baseline, corrected. */
double tune_original_ns(const struct tune *tune);

double tune_median(const double *samples, unsigned count);

#endif

/* Closed loop: measures a few plans against the baseline on real launches and keeps the winner.
 *
 * Arm 0 is the baseline, the version with everything in global memory, whose times are corrected to what the original itself
 * takes (`original`); arms 1 to k are plans. What is measured is a period: all launches until one comes again that looks like the
 * period's first (`identity`), so that the levels of a search or the stages of a transform are not held against each other. A loop over
 * one launch has periods of one. Launches that never come again have none that could be told apart; then, after MAX_PERIOD launches,
 * every launch is a period. Periods go round the arms in turn, so that drift of clocks and caches hits all alike. Each arm's first period is not counted (module warm-up), unless all are warm: launched in an
 * earlier trial. After MIN_ROUNDS counted rounds an arm is out when its best time is worse than the worst of another that
 * costs no more in all, or worse by DEAR with what it costs on the host (its copies) more than the baseline; the trial ends when only one is left, or after MAX_ROUNDS, when the medians decide. A plan wins only if its median, with what it costs
 * on the host more than the baseline, is below the baseline's by the threshold, and if it beat the baseline in all but one of
 * the rounds, and by SURE standard errors on average. A hasty trial, of a region that has been through one at another size,
 * counts first periods too and also ends after FEW_ROUNDS, but only for differences beyond the noise of so few: an arm is out then
 * when its best is worse than the worst of another by MARGIN, and the last one must beat the baseline by as much. A first period
 * that was slow only makes the trial longer. A trial also ends when all that are left lie within ALIKE of each other
 * (ALIKE_HASTY in a hasty trial): any of them will do. Arms whose first period takes more than HOPELESS times that of the baseline
 * or of any other arm are dropped at once; if that leaves none, those whose periods were shorter than LONG have one more first period, once,
 * since a moment in which something else had the GPU is to decide nothing for good. So a trial of n arms takes at most n * (1 + MAX_ROUNDS)
 * periods, and n * (1 + MIN_ROUNDS) where they lie apart.
 *
 * The order of the arms turns round after each round: sizes that grow or shrink from launch to launch favour no arm. In a
 * bounded trial, whose expenses a budget must cover (budget.h), a baseline whose first period takes LONG needs no warm-up: the
 * trial becomes a hasty one, and an arm whose first period is slower than the baseline's by MARGIN is dropped at once. In a bounded trial
 * of launches that come again, every period of the baseline beside faster arms is a loss, too: once all arms that are left have beaten it
 * by CLEAR in each of two periods, the first ones counted, it is not launched any more; and arms that one of them has beaten by FAR are out. So are, there, arms whose best of two
 * rounds is worse than the baseline's worst by ALIKE_HASTY.
 *
 * Units: nanoseconds; of a period, the mean over its launches. Owner: plain data. Thread-safety: none of its own. */
#ifndef PLACE_RT_TUNE_H
#define PLACE_RT_TUNE_H

#include "tune_judge.h"

void tune_start(struct tune *tune, int plans);

/* After tune_start: no arm needs an uncounted period; nor that, and the trial may end after FEW_ROUNDS. */
static inline void tune_set_warm(struct tune *tune) { tune->warm = true; }
static inline void tune_set_hasty(struct tune *tune) { tune->warm = tune->hasty = true; }

/* After tune_start: what is measured are slices of one launch. Each is a period; they are long, and what an arm loses counts. */
static inline void tune_set_sliced(struct tune *tune) {
  tune->hasty = tune->warm = tune->cut = true;
  tune->period_launches = 1;
}

/* Between periods: the arm that goes next, whose turn it would not be. */
static inline void tune_turn_to(struct tune *tune, int arm) { tune->next = arm; }

/* In place of all that was measured of the arm: its kernel time by a better measurement. */
static inline void tune_correct(struct tune *tune, int arm, double kernel_ns) {
  tune->arm[arm].first_ns = tune->arm[arm].kernel_ns[0] = kernel_ns;
  tune->arm[arm].count = 1;
}

/* After tune_start: what the trial's launches cost must be covered. */
static inline void tune_set_bounded(struct tune *tune) { tune->bounded = true; }

/* After tune_start: so many launches of other sizes did not come again, so that fewer of this one need to be waited for. */
static inline void tune_set_strangers(struct tune *tune, unsigned launches) { tune->strangers = launches; }

/* The launches of the original so far took so long each, and as long as each other: a period is one of them, whatever tells them apart. */
void tune_set_alike(struct tune *tune);

/* The arm for a launch that is about to be made. identity: equal for launches that do the same work. May end the first period.
 * TUNE_ORIGINAL: the original, not to be measured: a bounded trial first finds out how long a period is. */
int tune_next(struct tune *tune, uint64_t identity, double threshold);

/* What a launch took: on the device (<= 0: no reading); on the host until the version was launched, copies made for it with it,
 * but neither what later launches need not do again nor what is the same for all arms; from dispatch to return. */
struct tune_took {
  double kernel_ns, host_ns, wall_ns;
  bool copies; /* the version reads copies, which launches after it may have to make again */
};
void tune_record(struct tune *tune, int arm, const struct tune_took *took, double threshold);

/* A launch was made that was not measured: the period begins anew. */
void tune_break_period(struct tune *tune);

/* The launch of that arm failed or could not be made. */
void tune_drop(struct tune *tune, int arm, double threshold);

/* Ends the trial with an arm that was measured, whatever was not. */
void tune_settle(struct tune *tune, int arm);

/* As if a trial of one plan had ended with these medians of a launch; `won`: for the plan. period_launches 0: launches never come again. */
void tune_take_up(struct tune *tune, double base_ns, double plan_ns, unsigned period_launches, bool won);

#endif

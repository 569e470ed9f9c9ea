/* What finding out may cost: 2% of the time that was spent on the device so far, a tenth of what launches of faster versions have saved, and
 * a grant once.
 *
 * Two budgets are kept, and an expense must be covered by both: a region's on a device, with a grant of 4 ms (PLACE_PATIENCE,
 * which profiling and ranking take: a region that has run for so long is looked at at once; and as much for first trials), and the
 * device's, for the whole program, with 20 ms, so that the grants of many short regions do not add up. The yardstick is the
 * original kernel: an expense is what a launch took beyond what the original would have. What a trial's launch saves refunds earlier
 * expenses. Of what launches save that are known to, nine tenths are the program's, whatever is tried: it stays ahead of its original kernels. Where a launch cost more than was
 * foreseen, a budget is overdrawn, and nothing is covered until the program has run for as long as that takes.
 *
 * Units: nanoseconds of wall time. Owner: plain data. Thread-safety: none of its own; the caller holds the device's lock. Errors:
 * none. */
#ifndef PLACE_RT_BUDGET_H
#define PLACE_RT_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#define BUDGET_SHARE 0.02
#define BUDGET_SHARE_OF_GAIN 0.1
#define BUDGET_REGION_NS 4e6
#define BUDGET_PROGRAM_NS 20e6
#define BUDGET_MEASURE_NS 20e3 /* what a timed launch costs on the host beyond an untimed one */

struct budget {
  double grant_ns;
  double ran_ns;   /* what launches took, expenses apart */
  double gained_ns; /* what launches of versions saved, at least */
  double spent_ns; /* at least 0 */
  double most_spent_ns; /* the greatest that spent_ns was */
};

/* What a region must have run before it is looked at: most_ns (PLACE_PATIENCE), or less where it has so few accesses that ranking its plans
 * takes less. */
double budget_patience(double most_ns, size_t accesses);

static inline struct budget budget_with(double grant_ns) { return (struct budget){.grant_ns = grant_ns}; }

void budget_ran(struct budget *budget, double ns);
void budget_gained(struct budget *budget, double ns);

/* An expense; below 0: a refund. */
void budget_charge(struct budget *budget, double ns);

/* All that may have been spent by now; what is left of it, below 0 where it is overdrawn. */
double budget_allowed(const struct budget *budget);
double budget_left(const struct budget *budget);

bool budget_covers(const struct budget *budget, double ns);

#endif

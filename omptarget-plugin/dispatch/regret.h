/* Holds what finding out costs within the budgets of the region and of the program (budget.h): foresees what a launch would cost,
 * and charges what it did. With PLACE_PATIENCE=0 everything is covered.
 *
 * Thread-safety: the caller holds the device's lock. Errors: none. */
#ifndef PLACE_RT_REGRET_H
#define PLACE_RT_REGRET_H

#include "flight.h"

/* What the region must have run before it is looked at. */
double regret_patience(const struct flight *flight);

/* Whether these may be made now: the launch that is looked at; a period of the arm whose turn it is; a trial of what is settled. */
bool regret_covers_look(const struct flight *flight);
bool regret_covers_period(const struct flight *flight, int arm);
bool regret_covers_recheck(const struct flight *flight);

/* Whether the launch's clocks are to be read, which costs as much as the rest of a settled launch's dispatch. Once a launch. */
bool regret_wants_clock(struct flight *flight);

/* The launch has ended. kernel_ns: as measured, or 0. */
void regret_account(struct flight *flight, double kernel_ns, uint64_t ended_ns);

/* Time spent on finding out, for the region and the program to pay. */
void regret_charge(struct flight *flight, double ns);

/* What was chosen was slower than the original for a while, unseen. Pairs of the watch are paid by what was gained (watch.h): of them
 * only a loss is charged. */
void regret_charge_unseen(struct flight *flight, double ns);

#endif

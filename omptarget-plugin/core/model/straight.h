/* What other control flow is worth: the special version with everything in global memory against the original kernel. Internal.
 *
 * The original kernel hands each team chunks of as many iterations as it was compiled to have threads. Where a launch's
 * iterations do not fill 3,200 teams, libomptarget 19 starts teams of fewer threads (shape_unasked), as few as 32, which walk
 * their chunk of 128 in rounds: a part of the warps carries out all iterations, and teams beyond the number of chunks have
 * none. Special versions ask for the threads that they are made for. As long as warps are too few to keep an SM busy, time is
 * in proportion to the rounds.
 * Not so where stores that data scatters complete a sector only over several iterations: what is begun must stay in the last
 * cache until then, and more threads begin more. Where the arrays that they go to do not fit there, time is taken to grow with
 * the threads instead.
 *
 * At larger sizes: between the chunks of a team the original waits at four barriers, the straight version at none. Where an
 * iteration has no loop of its own, that shows (0.89 to 1.01 of the time in 13 kernels measured), less what entering a
 * version costs more (1.5 us, which decides in short launches). Where it has one, its unrolling decides, either way (0.94 to
 * 1.12), and nothing is predicted.
 *
 * Thread-safety: pure functions. */
#ifndef PLACE_CORE_STRAIGHT_H
#define PLACE_CORE_STRAIGHT_H

#include "model.h"

/* Time of the straight version over the original kernel's, which takes launch_ns (INFINITY: not known); 1: nothing is known to differ. */
double straight_ratio(const struct model_input *in, double launch_ns);

/* Estimates a version that leaves all arrays where they are: the base's cost times that ratio where its loop form is said to be
 * estimated so (loop.def: as many threads, and as few barriers), else not known. 0, or -1 and a diagnostic where it comes out as no number. */
int straight_estimate(const struct model_input *in, const struct place_version *version, const struct model_base *base,
                      struct place_estimate *out, struct place_diag *diag);

#endif

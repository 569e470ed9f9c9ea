/* Which plan carries out a launch the fastest, tried on slices of it (slices.h). In this order: slices_begin, slices_align, slices_try,
 * slices_compare, slices_settle; before it, the base has carried out the first slice.
 *
 * Thread-safety: as slices.h; what takes the device's lock says so. */
#ifndef PLACE_RT_SLICES_TRIAL_H
#define PLACE_RT_SLICES_TRIAL_H

#include "slice.h"

enum { SLICES_SM_THREADS = 2048 /* of a multiprocessor */, SLICES_LEAST = 16 /* slices of so many iterations that they fill the GPU */ };

static inline bool slices_always(const struct flight *f) { return f->rt->config.slices == SLICES_ALWAYS; }
static inline uint64_t slices_round_up(uint64_t iterations, uint64_t grain) { return (iterations + grain - 1) / grain * grain; }

/* The iterations of the base's first slice: as many as fill the GPU, and up to where teams of all versions may begin if that is not far. */
uint64_t slices_first_length(const struct slicing *s);

/* At least so many iterations, from where teams of all versions may begin to where they may again, if the plan has them: one of the class's, or
 * SLICE_OF_BASE. */
uint64_t slices_up_to(const struct slicing *s, int plan, uint64_t iterations);

/* Whether there is something to try, and a trial has begun. Sets `grain`. */
bool slices_begin(struct slicing *s);

/* To where all versions have teams begin. The base has had its slice, and may be slow: a plan that can begin where that ends takes what is
 * left up to there, as its own slice if it is long enough for one. Takes the lock, as do the next two. */
void slices_align(struct slicing *s);

/* A slice each, if there are enough iterations for that, and what a plan may take at best could still be the fastest. */
void slices_try(struct slicing *s);

/* What lies close together is told apart by longer slices: whichever is the slower costs little. Where the fastest has no rival there is
 * nothing to tell. */
void slices_compare(struct slicing *s);

/* What the trial says that the rest is for: a plan, or SLICE_OF_BASE. The caller holds the lock. */
int slices_settle(struct slicing *s);

#endif

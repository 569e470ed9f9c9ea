/* Size classes of a region: launches of about the same size, shape and legality share one state.
 *
 * Thread-safety: the caller holds the device's lock. */
#ifndef PLACE_RT_CLASS_H
#define PLACE_RT_CLASS_H

#include "state.h"
#include "verdict.h"

/* log2 of the value with two more bits: sizes within a quarter of an octave are one class. */
unsigned class_bucket(uint64_t value);

/* What launches of one size may differ in, and are long in proportion to: iterations, or teams where their number is not known. */
static inline uint64_t class_work(const struct place_launch *launch) { return launch->trip_count ? launch->trip_count : launch->teams; }

/* The class of a launch, new if need be; NULL when the region has RT_MAX_CLASSES already, or out of memory. */
struct rt_class *class_find(struct rt_device_region *state, const struct rt_region *region, const struct view *view);

void class_free(struct rt_class *c);

/* Room for plans, which a class has from when it is looked at; false: out of memory. */
bool class_make_room(struct rt_class *c);

/* Keeps the original kernel for good, with the reason (as printf). */
void class_keep_original(struct rt_class *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Chooses what to do from a ranking: the plans worth a trial, the versions that leave arrays where they are, and at most four
 * block versions. ranking: as place_plan_rank gives it; without estimates nothing is known of other versions. base_version: what is
 * measured against. usable: [version_count] which versions can be launched; NULL: all. */
void class_consider(struct rt_class *c, const struct rt_region *region, const struct place_ranking *ranking, int base_version,
                    const bool *usable, const struct config *config);

/* As if it had never been considered: what its slices found was nothing that a later launch with a profile might not. */
void class_forget(struct rt_class *c);

/* A trial has ended, or not yet. */
void class_after_trial(struct rt_class *c, const struct rt_region *region);

/* What the class settled on. False: nothing yet, nothing that was measured, the original after a trial that was disturbed, or out of memory.
 * verdict_free releases it. */
bool class_tell(const struct rt_class *c, const struct rt_region *region, struct verdict *verdict);

/* A new class settles on what an earlier one did, and watches it like its own. False: nothing was done, since the region's versions
 * are others, or the verdict's cannot be launched. usable: [version_count] which can; NULL: all. */
bool class_take_up(struct rt_class *c, const struct rt_region *region, const struct verdict *verdict, const bool *usable);

/* "w in constant memory, a in shared memory", "blocks of 64x64 iterations (256 threads), tiles of a and b in shared memory": what a plan
 * does, for people; "" where it does nothing. Returns the length. */
size_t class_describe(const struct place_region *region, const struct place_plan *plan, char *out, size_t size);

/* A settled class is launched once more. After CLASS_FIRST_CHECK periods (tune.h), then each time after twice as many up to
 * CLASS_LAST_CHECK, what it settled on is measured again, against the baseline and the plan that came next: clocks,
 * contents and what else shares the device change. Where the original is launched for other work than any trial has seen (an inner loop
 * that goes further, say), all plans are tried again after CLASS_RENEW periods, then twice as many, at most CLASS_MOST_RENEWALS times; and as
 * soon, where the shortest of a plan's launches in a trial was below the original's shortest, but most were not, that plan and the next.
 * True: it is time, and again with each launch until class_check_again, with which the trial begins. */
enum { CLASS_FIRST_CHECK = 512, CLASS_LAST_CHECK = 1 << 16, CLASS_RENEW = 8, CLASS_MOST_RENEWALS = 6 };
bool class_check_is_due(struct rt_class *c);
void class_check_again(struct rt_class *c);

/* Whether what the class settled on is to be watched (watch.h): where a trial chose it, and PLACE_PATIENCE is not 0. */
bool class_is_watched(const struct rt_class *c, const struct config *config);

/* What was chosen loses against the base: back to the original, and it is a while until it is tried again. */
void class_give_up(struct rt_class *c, const struct rt_region *region);

/* A settled class is launched; making its plan for this launch took so long, and so did copies of arrays whose content had changed. Gives
 * the plan up when making its windows for ever new launches eats half of what it gains, or copies eat all of it. */
void class_check_preparing(struct rt_class *c, double planning_ns, double copying_ns);

/* Whether any array may be anywhere but in global memory. */
bool class_has_choice(const struct place_region *region, const struct view *view);

#endif

/* A launch between its beginning and its end: what the files of the launch path share.
 *
 * Owner: dispatch_launch, on its stack. Thread-safety: of one thread; what it points to is guarded by the device's lock. */
#ifndef PLACE_RT_FLIGHT_H
#define PLACE_RT_FLIGHT_H

#include "prepare.h"

/* STEP_BESIDE: the original, whose wall time is compared with the base's. STEP_SLICES: one launch in several (slices.h). STEP_PRESUMED: a
 * version of which nothing was measured at this size (presume.h). */
enum step { STEP_ORIGINAL, STEP_FIRST, STEP_PROFILE, STEP_SLICES, STEP_TRIAL, STEP_WATCH, STEP_BESIDE, STEP_PLAN, STEP_PRESUMED, STEP_FORCED };
enum { FLIGHT_MAX_WRITTEN = 32 };

struct flight {
  struct runtime *rt;
  struct rt_device *device;
  struct rt_region *region;
  struct rt_device_region *state;
  struct rt_module_state *module;
  struct decision *decision; /* valid under the lock, and outside of it while it is pinned */
  struct rt_class *in_class;
  enum step step;
  int plan;                  /* of STEP_TRIAL, STEP_WATCH and STEP_PLAN: what is launched, of the class's plans */
  int presumed;              /* of STEP_PRESUMED: the version; -1: one that is likely (decision_presume) */
  enum watch_side side;      /* of STEP_WATCH */
  bool measuring;            /* this launch holds device->measuring */
  bool waits;                /* its kernel has ended when the launch returns: not nowait, or measured, or it holds a slot or a texture */
  bool clocked;              /* launched_ns and returned_ns are read */
  uint64_t stands_for;       /* if clocked: launches of the class that were not, and this one */
  uint64_t identity;         /* of STEP_TRIAL, STEP_WATCH: decision_identity */
  double lost_ns;            /* of STEP_SLICES: what finding out cost */
  uint64_t prepared_ns;      /* of a measured plan: when what is its own began; other threads may have had the device until then */
  double planning_ns;        /* spent on making this launch's plan */
  double delayed_ns;         /* where it is charged: the part of launched_ns to returned_ns in which the thread had no processor */
  double preempted_ns;       /* while plans were ranked, by what else the host ran: no cost of finding out */
  struct prepared prepared;
  struct ext_object *written[FLIGHT_MAX_WRITTEN];
  unsigned written_count;
  bool writes_unknown;
  uint64_t begun_ns, launched_ns, returned_ns;
};

/* The launch takes the original after all, and why. */
void flight_fall_back(struct flight *flight, const char *why);

/* What the report tells of the class (history.h), as of this launch. plan: NULL: the original. */
void flight_note(struct flight *flight, enum history_kind kind, double ns, const struct place_plan *plan);
void flight_note_settled(struct flight *flight);

/* A launch with forced spaces or a forced version (dispatch_forced.c). */
enum step forced_step(const struct flight *flight);
void forced_start(struct flight *flight, const struct rt_call *call);

/* A launch of one of the class's plans, of STEP_TRIAL, STEP_WATCH or STEP_PLAN (dispatch_plan.c); after it, if it was measured, and if
 * it was not. */
void plan_start(struct flight *flight, const struct rt_call *call);
void plan_measured(struct flight *flight, double kernel_ns);
void plan_passed(struct flight *flight);

/* While a trial waits: the best that it has measured, as long as that is beyond doubt, or what an earlier one chose, unless this one has found it
 * to be slower; else the original. Sets flight->plan. */
enum step plan_meanwhile(struct flight *flight);

/* Whether a comparison of the base with the original waits for the latter. */
bool plan_wants_original(const struct flight *flight);

#endif

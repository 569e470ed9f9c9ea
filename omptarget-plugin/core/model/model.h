/* Cost models behind one interface: from a launch, as it was analysed, to the cost of any plan. Internal.
 *
 * A model that is a sum over arrays on parallel paths states itself as a placement problem (solve.h), which the solvers
 * search exactly. One that is not gives the cost of a plan only; then plans are searched through that.
 *
 * Thread-safety: pure functions; models have no state. Errors: -1 when out of memory. */
#ifndef PLACE_CORE_MODEL_H
#define PLACE_CORE_MODEL_H

#include "breakdown.h"
#include "candidates.h"
#include "solve.h"
#include "traits.h"

/* Everything that a model needs to know about a launch. */
struct model_input {
  const struct place_table *table;
  const struct place_region *region;
  const struct place_launch *launch;
  const struct place_machine *machine;
  const struct candidate *candidates; /* [array_count] */
  const struct walk *walk;
  const struct traits *traits;
  double warps; /* active on an SM when nothing is staged */
  const struct place_forest *forest; /* what `learned` decides by; NULL: the one that is built in */
  const void *prepared; /* what the model's own `prepare` made, or NULL */
  const struct solve_problem *stated; /* the model's problem, when it is asked for another one: shared caches cost the same;
                                       * or NULL */
};

/* The plan with everything in global memory, as the original kernel carries it out. */
struct model_base {
  double cost;      /* by the model */
  double launch_ns; /* what the launch takes; INFINITY: the model's costs do not say */
};

/* What a switch at each load, and no joined loads, cost: measured on an H200 against the special version of the same plan,
 * 1.65 (random look-up) to 3.3 (64-tap filter) times its time (benchmarks/RESULTS.md). */
#define MODEL_OPEN_FACTOR 1.65

struct model {
  const char *name, *unit; /* unit of its costs: "ns", or "" where only their order means something */
  /* Times a plan's cost where a version carries it out that leaves spaces open; 1: the model knows no difference. */
  double open_factor;
  /* Whether `problem` has another answer where it is asked for hope; NULL: never. */
  bool (*has_hope)(const struct model_input *in);
  /* The problem whose array a is the region's array of placeable index a and whose spaces are those of space.h. Releases:
   * solve_problem_free, also after an error. NULL: the model is no sum. `hopeful`: what the machine file does not say is
   * taken in the plans' favour. */
  int (*problem)(const struct model_input *in, bool hopeful, struct solve_problem *problem);
  /* Cost of a plan; INFINITY: impossible. `problem` is the model's own, or NULL if it has none. What it is made of
   * is added to `breakdown` unless that is NULL. */
  double (*cost)(const struct model_input *in, const struct solve_problem *problem, const uint8_t *space,
                 struct breakdown *breakdown);
  /* The same with other coefficients than those that were fitted; NULL: it has none. */
  double (*cost_by)(const struct model_input *in, const uint8_t *space, const double *coefficients);
  /* What is expected of the versions that are more than their spaces (blocks, other loops), given the cost of the plan with everything in
   * global memory. out: [version_count], the others are left as they are. 0, or -1 and a diagnostic where an estimate comes out as
   * no number. */
  int (*judge)(const struct model_input *in, double base_cost, struct place_estimate *out, struct place_diag *diag);
  /* Its costs are ratios to everything in global memory: a ranking has them times what `place` says of that, as nanoseconds. */
  bool relative;
  /* What its estimates must promise before they are acted on was found by measuring (plan/choose.c); else they are believed. */
  bool has_trust;
  /* What all its answers about a launch need, for in->prepared, one block of malloc; NULL and a diagnostic on an error. NULL: nothing. */
  void *(*prepare)(const struct model_input *in, struct place_diag *diag);
};

extern const struct model model_place, model_porple, model_huang, model_rules, model_learned, model_bypass;
const struct model *model_of(enum place_model model);

/* The same by what is known of loops, whatever the model: the base's cost times ratios; `judge` of models that say no launch's time. */
int model_judge(const struct model_input *in, const struct model_base *base, struct place_estimate *out, struct place_diag *diag);
int model_judge_ratios(const struct model_input *in, double base_cost, struct place_estimate *out, struct place_diag *diag);

/* What model `place` takes one warp access to constant memory to cost, nanoseconds of an SM. */
double model_place_constant_ns(const struct model_input *in, size_t access);

/* Loads of a warp that are under way together with this one: 1 to 8. */
double model_place_in_flight(const struct model_input *in, size_t access);

/* Limits that all models share: bytes of the copies (constant slots, staged windows) and what fits, without costs. */
void model_limits(const struct model_input *in, struct solve_problem *problem);

/* For a plan with `placeable` spaces: does it fit? Bytes of staged copies in *staged (NULL: not wanted). */
bool model_fits(const struct model_input *in, const uint8_t *space, uint64_t *staged);

/* The space that a plan gives to an array of the region. */
static inline enum place_space model_space(const struct model_input *in, size_t array, const uint8_t *space) {
  int placeable = in->region->arrays[array].placeable;
  return placeable < 0 ? PLACE_GLOBAL : (enum place_space)space[placeable];
}

#endif

/* From a region, a launch and a machine to plans, ranked: the pure half of the runtime.
 *
 * A plan gives each array of a region a space and the launch its shape. Nothing here knows libomptarget, LLVM or a GPU; all
 * input is plain data, so that a stored launch can be replayed by a test.
 *
 * Units: bytes, nanoseconds unless a name says otherwise. Owner: stated at each struct. Thread-safety: pure functions.
 * Errors: -1 and a diagnostic. */
#ifndef PLACE_PLAN_H
#define PLACE_PLAN_H

#include "place/forest.h"
#include "place/machine.h"
#include "place/model.h"
#include "place/region.h"

/* The mapped section of an array at a launch, relative to its kernel argument: bytes [lo, lo + bytes). */
struct place_extent {
  int64_t lo;
  uint64_t bytes;
  bool known;
};

/* One launch. Arrays are the caller's and outlive the call. */
struct place_launch {
  const uint64_t *arg;   /* [args] raw bits of kernel arguments passed by value */
  const bool *arg_known; /* [args] */
  size_t args;
  const struct place_extent *extent; /* [region->array_count] */
  const place_space_set *allowed;    /* [region->array_count] spaces that are legal at this launch */
  uint64_t trip_count;               /* iterations of the distributed loop, 0: unknown */
  uint32_t threads;                  /* of a team */
  uint32_t teams;                    /* as asked for by the program; 0: open */
  uint32_t dynamic_shared_bytes;     /* asked for by the program */
  uint32_t constant_bytes;           /* of the program's constant bank; 0: not known, PLACE_CONST_MOST_BYTES */
};

/* What the profiling version logged: the content of the profile buffer (abi.h), PLACE_PROFILE_WORDS words, or NULL. */
struct place_profile {
  const uint32_t *words;
};

/* What a model expects of a version that is no plan of spaces alone (blocks, another control flow). */
enum place_estimate_state {
  PLACE_ESTIMATE_NONE,       /* not known, or the version is such a plan */
  PLACE_ESTIMATE_IMPOSSIBLE, /* its copies do not fit, or may not be made, at this launch */
  PLACE_ESTIMATE_KNOWN
};
struct place_estimate {
  enum place_estimate_state state;
  double ns;       /* KNOWN: finite and above 0, on the scale of the plans' costs; else 0 */
  const char *why; /* not KNOWN: why there is none, static storage, or NULL: it is such a plan */
};

struct place_plan_array {
  enum place_space space;
  int64_t window_lo;     /* what a staged or constant copy must hold, relative to the kernel argument */
  uint64_t window_bytes; /* 0 for global and readonly */
};

struct place_plan {
  struct place_plan_array array[PLACE_MAX_PLACEABLE]; /* by placeable index */
  unsigned placeable_count;
  uint32_t teams;        /* to launch with; 0: as the program or libomptarget would */
  uint32_t shared_bytes; /* dynamic shared memory of a team that the plan needs */
  int version;           /* index into region->versions that realises it; -1: the original kernel */
  double cost_ns;        /* the model's estimate of memory time of the launch; 0 where nothing was predicted */
  double least_ns;       /* the same where what the model does not know is taken in the plan's favour: at most cost_ns */
};

/* Whether it has every array where libomptarget put it. (Its version may still have tiles of some.) */
static inline bool place_plan_moves_nothing(const struct place_plan *plan) {
  for (unsigned i = 0; i < plan->placeable_count; i++)
    if (plan->array[i].space != PLACE_GLOBAL) return false;
  return true;
}

/* What the model found out about one array at one launch; for the report. */
struct place_array_summary {
  char pattern[64];                   /* "uniform", "stride 1", "stride 8", "irregular", "irregular via idx", ... */
  double accesses_per_warp;           /* warp-level accesses that one warp makes to the array */
  double transactions[PLACE_SPACE_COUNT]; /* per warp access in that space; 0: not a candidate */
  place_space_set candidates;         /* spaces left after this launch's legality and capacity */
  char excluded[PLACE_SPACE_COUNT][80];   /* why a space is not a candidate, "" if it is */
};

/* AUTO: all plans where they are few, the exact search up to PLACE_EXACT_MAX_ARRAYS, with GLPK for what the search is too long for,
 * else the greedy one. EXACT: the search alone. GLPK: all of it by GLPK. ILP: the search, then GLPK, at any size. BRUTE: all plans. */
enum place_solver {
  PLACE_SOLVER_AUTO, PLACE_SOLVER_EXACT, PLACE_SOLVER_GLPK, PLACE_SOLVER_GREEDY, PLACE_SOLVER_BRUTE, PLACE_SOLVER_ILP
};

#define PLACE_EXACT_MAX_ARRAYS 12

/* Whether GLPK is installed; opens its library. */
bool place_solver_has_glpk(void);

/* What is asked of a model: how a launch of a region is best carried out on a machine. All of it is the caller's. */
struct place_question {
  const struct place_table *table;
  const struct place_region *region;   /* of the table */
  const struct place_launch *launch;
  struct place_profile profile;        /* words NULL: none */
  const struct place_machine *machine;
  enum place_model model; /* whose costs; those of `rules` are no nanoseconds, only their order means something, and those of `learned` are
                           * ratios, but in a ranking */
  const struct place_forest *forest; /* of `learned`; NULL: the one that is built in */
};

/* The answer: plans in the order of their costs, and what is expected of versions that are no plans of spaces. Room is the
 * caller's. */
struct place_ranking {
  struct place_plan *plans; /* [capacity] */
  int capacity, count;
  struct place_array_summary *summary; /* [region->array_count], or NULL: not wanted */
  struct place_estimate *estimate;     /* [region->version_count], or NULL: not wanted */
  const char *remark;                  /* what kept the best plan from being proven the best, static storage, or NULL */
};

/* Ranks plans for a launch: plans[0] is the solver's best, then the best of the other versions, cheapest first. The plan with
 * everything in global memory is always among them if capacity >= 1, with its cost, and is marked by all spaces global. Versions
 * with blocks, and those that leave all arrays where they are, are no plans of theirs: what is expected of each is in
 * estimate[version].
 * Returns how many were written, which is in `count` too, or -1 and a diagnostic: also where a prediction comes out as no number,
 * which is an error of the model or of the machine file and never a plan's property. */
int place_plan_rank(const struct place_question *question, enum place_solver solver, struct place_ranking *ranking,
                    struct place_diag *diag);

/* What to launch if nothing is to be measured, from a ranking: *chosen, with its version and its estimate, or false: the original
 * kernel. What each kind of estimate must promise to be trusted is said in core/plan/choose.h and docs/models.md.
 * usable: [region->version_count] which versions can be launched; NULL: all. model: whose ranking it is. threshold: least gain, as a
 * fraction. */
bool place_plan_choose(const struct place_region *region, const struct place_ranking *ranking, const bool *usable,
                       enum place_model model, double threshold, struct place_plan *chosen);

/* Costs of `count` plans, each given by its spaces (by placeable index); INFINITY: impossible, or no version has these spaces.
 * Returns 0, or -1 and a diagnostic. */
int place_plan_costs(const struct place_question *question, const uint8_t (*spaces)[PLACE_MAX_PLACEABLE], size_t count,
                     double *cost_ns, struct place_diag *diag);

/* What a model makes of a plan, as text, every term by name:
 *   model NAME, plan ARRAY=SPACE ...
 *   array NAME PATTERN accesses=PER-WARP reuse: first=N distance<=D:N ...           each array
 *   count SPACE ARRAY LINE accesses=N transactions=N bound=R known|logged|guessed   each access, in each space it could have
 *   TERM = VALUE UNIT                                                     the model's terms, indented; the last is T
 * accesses and transactions of `count` lines are of the whole launch; bound: the relative error that the number of
 * sampled warp accesses leaves, from their spread (0: all alike). As snprintf; 0 and a diagnostic on an error. */
size_t place_plan_explain(const struct place_question *question, const enum place_space *spaces, char *out, size_t size,
                          struct place_diag *diag);

/* What paper 002's framework makes of the launch's loads (docs/models.md), as text, whatever the question's model:
 *   node LOAD T_off=BYTES T_on=BYTES W=BYTES                             each load, or all of an array's
 *   edge LOAD LOAD W=BYTES                                               pairs with a gain or a conflict
 *   cache-all | bypass-all | heuristic | exact: T=BYTES, past L1: LOAD ...   `best known` for exact where nothing was proven
 *   #pragma place cg(ARRAY, ...)                                         what exact comes to, of arrays
 * Loads are ARRAY, or ARRAY#ACCESS:LINE. As snprintf; 0 and a diagnostic on an error. */
enum place_route_group { PLACE_ROUTE_ARRAYS, PLACE_ROUTE_LOADS };
size_t place_plan_routes(const struct place_question *question, enum place_route_group group, char *out, size_t size,
                         struct place_diag *diag);

/* A plan with given spaces (by placeable index) for a launch, with windows, team count and version filled in, unpredicted,
 * or -1 and a diagnostic that names the array and what rules the space out. version: the one to launch, which can have the
 * spaces; PLACE_VERSION_ANY: the one that is made for them, -1 where nothing is placed. The question's profile and model play no part. Used by PLACE_FORCE, by launches of a
 * size that a plan was not made for, and by tests. */
enum { PLACE_VERSION_ANY = -2 };
int place_plan_make(const struct place_question *question, const enum place_space *spaces, int version, struct place_plan *plan,
                    struct place_diag *diag);

#endif

#include "class.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decision.h"

unsigned class_bucket(uint64_t value) {
  if (value < 4) return (unsigned)value;
  unsigned log2 = 63u - (unsigned)__builtin_clzll(value);
  return log2 << 2 | (value >> (log2 - 2) & 3);
}

static unsigned make_key(uint64_t *key, const struct place_region *region, const struct view *view) {
  unsigned n = 0;
  key[n++] = class_bucket(view->launch.trip_count);
  key[n++] = (uint64_t)view->launch.threads << 32 | view->launch.teams;
  key[n++] = view->launch.dynamic_shared_bytes;
  for (size_t a = 0; a < region->array_count; a++) {
    if (region->arrays[a].placeable < 0) continue;
    const struct place_extent *e = &view->extent[a];
    key[n++] = (uint64_t)(e->known ? class_bucket(e->bytes) : 1023) << 32 | view->allowed[a];
  }
  return n;
}

static int remember_launch(struct rt_class *c, const struct place_region *region, const struct view *view) {
  c->shape = view->launch;
  c->shape.arg = NULL;
  c->shape.arg_known = NULL;
  c->shape.extent = NULL;
  c->shape.allowed = NULL;
  c->array = calloc(region->array_count + 1, sizeof *c->array);
  if (!c->array) return -1;
  for (size_t a = 0; a < region->array_count; a++) {
    const struct view_array *v = &view->array[a];
    const char *unstable = v->object ? v->object->unstable : NULL;
    c->array[a] = (struct rt_class_array){view->extent[a], v->why_global, v->why_constant ? v->why_constant : unstable};
  }
  return 0;
}

bool class_has_choice(const struct place_region *region, const struct view *view) {
  for (size_t a = 0; a < region->array_count; a++)
    if (view->allowed[a] & ~PLACE_SPACE_BIT(PLACE_GLOBAL)) return true;
  return false;
}

/* The size that went through a trial last. */
static const struct rt_class *find_sibling(const struct rt_device_region *state) {
  for (unsigned i = state->class_count; i-- > 0;)
    if (state->classes[i]->tune.done && state->classes[i]->plan_count > 1) return state->classes[i];
  return NULL;
}

/* Whether there is a version that places nothing and yet may be faster than the original. */
static bool has_other_loop(const struct rt_region *region) {
  int straight = decision_straight_version(region);
  return straight >= 0 && straight != decision_base_version(region);
}

/* Where nothing can be placed, and there is but one kind of loop, there is nothing to find out. */
static void settle_at_once(struct rt_class *c, const struct rt_region *region, const struct view *view) {
  const struct place_region *r = region->region;
  if (class_has_choice(r, view) || (!view->refused && has_other_loop(region))) return;
  if (view->refused) {
    class_keep_original(c, "%s", view->refused);
    return;
  }
  for (size_t a = 0; a < r->array_count; a++)
    if (r->arrays[a].placeable >= 0 && view->array[a].why_global) {
      class_keep_original(c, "%s: %s", r->arrays[a].name, view->array[a].why_global);
      return;
    }
  class_keep_original(c, "no array that it reads can be placed");
}

struct rt_class *class_find(struct rt_device_region *state, const struct rt_region *region, const struct view *view) {
  uint64_t key[3 + PLACE_MAX_PLACEABLE];
  unsigned words = make_key(key, region->region, view);
  for (unsigned i = 0; i < state->class_count; i++) {
    struct rt_class *c = state->classes[i];
    if (c->key_words == words && !memcmp(c->key, key, words * sizeof *key)) return c;
  }
  if (state->class_count == RT_MAX_CLASSES) return state->crowded = true, NULL;
  struct rt_class *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  if (!(c->key = malloc(words * sizeof *key)) || remember_launch(c, region->region, view)) return class_free(c), NULL;
  memcpy(c->key, key, words * sizeof *key);
  c->key_words = words;
  c->chosen = -1;
  c->sibling = find_sibling(state);
  settle_at_once(c, region, view);
  state->classes[state->class_count++] = c;
  return c;
}

void class_free(struct rt_class *c) {
  for (int i = 0; c->memo && i < RT_MEMOS; i++) free(c->memo[i].key);
  free(c->memo);
  free(c->plan);
  free(c->key);
  free(c->array);
  free(c->summary);
  free(c);
}

bool class_make_room(struct rt_class *c) {
  if (!c->plan) c->plan = calloc(TUNE_MAX_ARMS, sizeof *c->plan);
  return c->plan != NULL;
}

void class_keep_original(struct rt_class *c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(c->reason, sizeof c->reason, format, list);
  va_end(list);
  c->phase = CLASS_SETTLED;
  c->chosen = -1;
  c->generation++;
}

/* ---- from a ranking to a trial ---- */

static bool is_all_global(const struct place_plan *plan) {
  for (unsigned i = 0; i < plan->placeable_count; i++)
    if (plan->array[i].space != PLACE_GLOBAL) return false;
  return true;
}

const char *class_block_shape(const struct place_version *version) {
  const char *shape = strrchr(version->entry, '_');
  return shape ? shape + 1 : "?";
}

size_t class_describe(const struct place_region *region, const struct place_plan *plan, char *out, size_t size) {
  size_t at = 0;
  *out = 0;
  for (size_t a = 0; a < region->array_count && at < size; a++) {
    int p = region->arrays[a].placeable;
    if (p < 0 || plan->array[p].space == PLACE_GLOBAL) continue;
    at += (size_t)snprintf(out + at, size - at, "%s%s(%s)", at ? " " : "", place_space_name(plan->array[p].space),
                           region->arrays[a].name);
  }
  const struct place_version *version = plan->version >= 0 ? &region->versions[plan->version] : NULL;
  if (version && version->kind == PLACE_BLOCK && at < size) {
    at += (size_t)snprintf(out + at, size - at, "%sblocks(%s)", at ? " " : "", class_block_shape(version));
    for (size_t a = 0, n = 0; version->tiled && a < region->array_count && at < size; a++)
      if (version->tiled[a])
        at += (size_t)snprintf(out + at, size - at, "%s%s", n++ ? "," : " tiles of ", region->arrays[a].name);
  }
  if (!at && version) at = (size_t)snprintf(out, size, "straight chunk loop");
  return at;
}

static void note_predictions(struct rt_class *c, const struct place_plan *plan) {
  for (unsigned p = 0; p < plan->placeable_count && p < PLACE_MAX_PLACEABLE; p++) {
    double *known = &c->predicted[p][plan->array[p].space];
    if (*known <= 0 || plan->cost_ns < *known) *known = plan->cost_ns;
  }
}

static void begin_trial(struct rt_class *c, const struct config *config) {
  c->generation++;
  if (config->trials) {
    tune_start(&c->tune, c->plan_count - 1);
    if (c->sibling) tune_set_hasty(&c->tune);
    c->phase = CLASS_TRIAL;
  } else {
    c->phase = CLASS_SETTLED;
    c->chosen = 1;
    c->trusted = true;
  }
}

enum { MODEL_MISS = 5 }; /* times the base that a plan may be predicted to take and still be tried: conv1d's 256 taps in
                            constant memory were predicted 3.9 times too slow once */
static const double model_error = 0.15; /* of ratios of plans; up to 0.24 was measured: benchmarks/RESULTS.md */
static const double dominating = 0.3;   /* part of a region's accesses that makes an array decide what it costs */

static bool makes_copies(const struct place_plan *plan) {
  bool copies = false;
  for (unsigned i = 0; i < plan->placeable_count; i++) copies |= plan->array[i].space > PLACE_READONLY;
  return copies;
}

/* Whether a plan is worth measuring: the model predicts a gain; or, where a copy is made (constant, shared) and a trial will
 * tell, the model cannot tell it from everything in global memory. Read-only loads of the same bytes need a prediction. */
static bool is_promising(const struct place_plan *plan, const struct place_plan *base, const struct config *config) {
  if (is_all_global(plan) || plan->version < 0) return false;
  if (plan->cost_ns <= base->cost_ns * (1 - config->threshold)) return true;
  return makes_copies(plan) && config->trials && plan->cost_ns <= base->cost_ns * (1 + model_error);
}

/* Whether a trial may show what the model does not know: its best case gains, and its estimate is not out of reach. */
static bool is_conceivable(const struct place_plan *plan, const struct place_plan *base, const struct config *config) {
  if (is_all_global(plan) || plan->version < 0 || !makes_copies(plan) || !config->trials) return false;
  return plan->least_ns <= base->cost_ns * (1 + model_error) && plan->cost_ns <= base->cost_ns * MODEL_MISS;
}

static bool is_chosen(const struct rt_class *c, const struct place_plan *plan) {
  for (int i = 1; i < c->plan_count; i++)
    if (c->plan[i].version == plan->version && !memcmp(c->plan[i].array, plan->array, sizeof plan->array)) return true;
  return false;
}

/* Whether a chosen plan has the array there. */
static bool is_covered(const struct rt_class *c, unsigned placeable, enum place_space space) {
  for (int i = 1; i < c->plan_count; i++)
    if (c->plan[i].array[placeable].space == space) return true;
  return false;
}

/* With the baseline. A plan that flips with the size is to be followed within ten launches: one that is looked at, and two of
 * each arm. */
enum { ARMS_AGAIN = 4 };
static int most_arms(const struct rt_class *c) { return c->sibling ? ARMS_AGAIN : TUNE_MAX_ARMS; }

static void choose_plan(struct rt_class *c, const struct place_plan *plan, int most) {
  if (c->plan_count <= most && c->plan_count < most_arms(c) && !is_chosen(c, plan)) c->plan[c->plan_count++] = *plan;
}

/* For each array that decides the region's cost, the best conceivable plan of each space that no chosen plan gives it. */
static void choose_other_spaces(struct rt_class *c, const struct place_region *region, const struct place_plan *plans,
                                int count, const struct place_plan *base, int most, const struct config *config) {
  double all = 0;
  for (size_t a = 0; c->summary && a < region->array_count; a++) all += c->summary[a].accesses_per_warp;
  for (size_t a = 0; c->summary && a < region->array_count; a++) {
    int p = region->arrays[a].placeable;
    if (p < 0 || c->summary[a].accesses_per_warp < dominating * all) continue;
    for (unsigned s = PLACE_CONSTANT; s < PLACE_SPACE_COUNT; s++)
      for (int i = 0; i < count; i++)
        if (plans[i].array[p].space == s && !is_covered(c, (unsigned)p, s) && is_conceivable(&plans[i], base, config))
          choose_plan(c, &plans[i], most);
  }
}

/* The version that another size settled on, or -1. */
static int siblings_version(const struct rt_class *c) {
  const struct rt_class *sibling = c->sibling;
  if (!sibling || sibling->phase != CLASS_SETTLED || sibling->chosen <= 0) return -1;
  return sibling->plan[sibling->chosen].version;
}

static bool is_siblings(const struct rt_class *c, const struct place_plan *plan) {
  return plan->version >= 0 && plan->version == siblings_version(c);
}

/* The best promising plan, then what another size settled on, then other spaces for what decides, then the next best. Where
 * another size has been through a trial, two plans are enough: what is known of the region there, and what the model says
 * here. */
static void choose_plans(struct rt_class *c, const struct place_region *region, const struct place_plan *plans, int count,
                         const struct place_plan *base, const struct config *config) {
  int most = (int)config->trials, first = 0;
  if (c->sibling && most > 2) most = 2;
  while (first < count && !is_promising(&plans[first], base, config)) first++;
  if (first < count) choose_plan(c, &plans[first], most);
  for (int i = 0; i < count && config->trials; i++)
    if (is_siblings(c, &plans[i]) && !is_all_global(&plans[i])) choose_plan(c, &plans[i], most);
  choose_other_spaces(c, region, plans, count, base, most, config);
  for (int i = first; i < count; i++)
    if (is_promising(&plans[i], base, config)) choose_plan(c, &plans[i], most);
}

/* Everything global, but other control flow: no model knows what that is worth, a trial does. */
static void add_straight(struct rt_class *c, const struct place_plan *base, int base_version, int straight_version,
                         const struct config *config) {
  if (straight_version < 0 || straight_version == base_version || !config->trials || c->plan_count >= most_arms(c)) return;
  struct place_plan *plan = &c->plan[c->plan_count++];
  *plan = *base;
  plan->version = straight_version;
}

/* ---- block versions ---- */

static const int block_arms = 4; /* tried at most */
static const double block_worst = 1.5; /* times the base, and MODEL_MISS times the best block, is not worth a launch */

/* A block version as a plan of the class; its estimate 0 where there is none. */
static struct place_plan block_plan(const struct place_region *r, int version, const struct place_plan *base,
                                    const double *block_ns) {
  struct place_plan plan = *base;
  plan.version = version;
  plan.cost_ns = plan.least_ns = block_ns && block_ns[version] > 0 ? block_ns[version] : 0;
  for (size_t a = 0; a < r->array_count; a++)
    if (r->arrays[a].placeable >= 0)
      plan.array[r->arrays[a].placeable].space = (enum place_space)r->versions[version].space[a];
  return plan;
}

/* The n-th best block version by its estimate, from 0; those without one come last, in the table's order. False: no more. */
static bool nth_block(const struct rt_region *region, const struct place_plan *base, const double *block_ns, int n,
                      struct place_plan *plan) {
  for (unsigned i = 1;; i++) {
    int version = decision_block_version(region, i), before = 0;
    if (version < 0) return false;
    *plan = block_plan(region->region, version, base, block_ns);
    for (unsigned k = 1; decision_block_version(region, k) >= 0; k++) {
      struct place_plan other = block_plan(region->region, decision_block_version(region, k), base, block_ns);
      bool cheaper = other.cost_ns > 0 && (plan->cost_ns <= 0 || other.cost_ns < plan->cost_ns);
      bool equal = other.cost_ns == plan->cost_ns && k < i;
      before += cheaper || equal;
    }
    if (before == n) return true;
  }
}

/* The best blocks by their estimates, first of all what another size settled on. */
static void add_blocks(struct rt_class *c, const struct rt_region *region, const struct place_plan *base,
                       const double *block_ns, const struct config *config) {
  struct place_plan plan, best;
  int most = c->plan_count + block_arms < most_arms(c) ? c->plan_count + block_arms : most_arms(c);
  if (!config->trials || !nth_block(region, base, block_ns, 0, &best)) return;
  for (int pass = 0; pass < 2; pass++)
    for (int n = 0; c->plan_count < most && nth_block(region, base, block_ns, n, &plan); n++) {
      bool far = best.cost_ns > 0 && plan.cost_ns > MODEL_MISS * best.cost_ns;
      bool hopeless = far || plan.cost_ns > block_worst * base->cost_ns;
      if (pass ? !hopeless && !is_chosen(c, &plan) : is_siblings(c, &plan)) c->plan[c->plan_count++] = plan;
    }
}

/* Without trials: what the model says, as far as it can be trusted. */
static void choose_unmeasured(struct rt_class *c, const struct rt_region *region, const struct place_plan *plans, int count,
                              const double *version_ns, int straight_version, const struct config *config) {
  bool *usable = calloc(region->region->version_count + 1, sizeof *usable);
  if (!usable) return;
  if (straight_version >= 0) usable[straight_version] = true;
  for (unsigned n = 1; decision_block_version(region, n) >= 0; n++) usable[decision_block_version(region, n)] = true;
  if (place_plan_choose(region->region, plans, count, version_ns, usable, config->model, config->threshold, &c->plan[1])) {
    double straight = version_ns && straight_version >= 0 ? version_ns[straight_version] : 0;
    bool agnostic = region->region->versions[c->plan[1].version].kind == PLACE_AGNOSTIC;
    if (straight > 0 && !agnostic) c->predicted_base_ns *= c->predicted_base_ns / straight; /* of the original's control flow */
    c->plan_count = 2;
    c->predicted_ns = c->plan[1].cost_ns;
  }
  free(usable);
}

void class_consider(struct rt_class *c, const struct rt_region *region, const struct place_plan *plans, int count,
                    const double *block_ns, int base_version, int straight_version, const struct config *config) {
  const struct place_plan *base = NULL, *best = NULL;
  for (int i = 0; i < count; i++) {
    note_predictions(c, &plans[i]);
    if (is_all_global(&plans[i])) base = &plans[i];
    else if (!best || plans[i].cost_ns < best->cost_ns) best = &plans[i];
  }
  if (base && !best && (straight_version >= 0 || decision_block_version(region, 1) >= 0)) best = base;
  if (!base || !best) {
    class_keep_original(c, "the model knows no plan but global memory");
    return;
  }
  if (!class_make_room(c)) {
    class_keep_original(c, "out of memory");
    return;
  }
  c->predicted_base_ns = base->cost_ns;
  c->predicted_ns = best->cost_ns;
  c->plan[0] = *base;
  c->plan[0].version = base_version;
  c->plan_count = 1;
  if (config->trials) choose_plans(c, region->region, plans, count, base, config);
  else choose_unmeasured(c, region, plans, count, block_ns, straight_version, config);
  /* Few arms are left where there is a sibling: first what it settled on, then blocks. */
  bool blocks_first = c->sibling && siblings_version(c) != straight_version;
  if (!blocks_first) add_straight(c, base, base_version, straight_version, config);
  add_blocks(c, region, base, block_ns, config);
  if (blocks_first) add_straight(c, base, base_version, straight_version, config);
  if (c->plan_count == 1 && best == base) {
    class_keep_original(c, "nothing but iterations in another order could be tried, and there are no trials");
  } else if (c->plan_count == 1) {
    char text[120];
    class_describe(region->region, best, text, sizeof text);
    double gain = 100 * (1 - best->cost_ns / base->cost_ns);
    char limit[60] = "not enough to be trusted unmeasured";
    if (config->trials || gain < 100 * config->threshold)
      snprintf(limit, sizeof limit, "below the %g%% threshold", 100 * config->threshold);
    class_keep_original(c, "best plan %s predicted %.1f%% %s, %s", text, gain < 0 ? -gain : gain,
                        gain < 0 ? "slower" : "faster", limit);
  } else if (base_version < 0 && config->trials) {
    class_keep_original(c, "no version to compare with (everything in global memory) was compiled");
  } else {
    begin_trial(c, config);
  }
}

/* "best plan constant(w) measured 0.4% faster": the closest that a plan came. */
static void describe_loss(const struct rt_class *c, const struct rt_region *region, char *out, size_t size) {
  const struct tune *t = &c->tune;
  char plan[120];
  *out = 0;
  if (t->best <= 0) return;
  class_describe(region->region, &c->plan[t->best], plan, sizeof plan);
  double percent = 100 * t->gain;
  snprintf(out, size, "; best was %s, %.1f%% %s", plan, percent < 0 ? -percent : percent, percent < 0 ? "slower" : "faster");
}

void class_after_trial(struct rt_class *c, const struct rt_region *region) {
  char loss[200];
  if (c->phase != CLASS_TRIAL || !c->tune.done) return;
  if (c->tune.winner < 0) {
    describe_loss(c, region, loss, sizeof loss);
    class_keep_original(c, "%s%s", c->tune.reason, loss);
    return;
  }
  c->phase = CLASS_SETTLED;
  c->chosen = c->tune.winner;
  c->generation++;
}

/* The plan that came next to what was settled on (0: none). */
static int next_best(const struct rt_class *c) {
  int best = 0, settled = c->chosen > 0 ? c->chosen : c->tune.best;
  for (int i = 1; i < c->tune.arms; i++) {
    const struct tune_arm *a = &c->tune.arm[i];
    if (i == settled || !a->count) continue;
    const struct tune_arm *b = &c->tune.arm[best];
    if (!best || tune_median(a->kernel_ns, a->count) < tune_median(b->kernel_ns, b->count)) best = i;
  }
  return best;
}

bool class_check_drift(struct rt_class *c) {
  int settled = c->chosen > 0 ? c->chosen : c->tune.best;
  if (c->phase != CLASS_SETTLED || c->trusted || !c->tune.done || settled <= 0) return false;
  if (!c->next_check) c->next_check = CLASS_FIRST_CHECK;
  if (++c->settled_launches < c->next_check * (c->tune.lap_launches ? c->tune.lap_launches : 1)) return false;
  int next = next_best(c);
  struct place_plan first = c->plan[settled], second = c->plan[next];
  c->plan[1] = first;
  if (next) c->plan[2] = second;
  c->plan_count = next ? 3 : 2;
  tune_start(&c->tune, c->plan_count - 1);
  tune_set_warm(&c->tune);
  c->settled_launches = 0;
  if (c->next_check < CLASS_LAST_CHECK) c->next_check *= 2;
  c->phase = CLASS_TRIAL;
  c->reason[0] = 0;
  c->generation++;
  return true;
}

void class_check_planning(struct rt_class *c, double planning_ns) {
  enum { WINDOW = 128 }; /* launches that are judged together: the first ones after a trial all need a plan */
  if (c->phase != CLASS_SETTLED || c->chosen <= 0 || c->trusted) return;
  c->planning_ns += planning_ns;
  if (++c->planned_launches < WINDOW) return;
  const struct tune_arm *base = &c->tune.arm[0], *best = &c->tune.arm[c->chosen];
  double gain = tune_median(base->kernel_ns, base->count) - tune_median(best->kernel_ns, best->count);
  if (c->planning_ns > gain / 2 * WINDOW)
    class_keep_original(c, "its launches differ so much that planning each costs more than the %.1f us gained", gain / 1e3);
  c->planning_ns = 0;
  c->planned_launches = 0;
}

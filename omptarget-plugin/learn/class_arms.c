/* From a ranking of plans, and estimates of versions, to the arms of a trial. */
#include "class.h"
#include "place/launch_reason.h"

#include <string.h>

/* ---- plans ---- */

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
    if (c->sibling) tune_set_hasty(&c->tune), bias_inherit(&c->bias, &c->sibling->bias);
    if (config->patience_ns > 0) tune_set_bounded(&c->tune);
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
  for (unsigned i = 0; i < plan->placeable_count; i++)
    copies |= place_space_is_copy(plan->array[i].space);
  return copies;
}

/* What a class chooses its arms from: each is a version with a plan of spaces. */
struct choices {
  struct rt_class *c;
  const struct rt_region *region;
  const struct place_ranking *ranking;
  const struct place_plan *plans; /* the ranking's */
  int count;
  const struct place_plan *base;           /* of the ranking: everything in global memory */
  const struct place_estimate *estimate;   /* of other versions, or NULL */
  const bool *usable;                      /* versions that can be launched, or NULL: all */
  int base_version;
  const struct config *config;
};

static bool is_usable(const struct choices *s, int version) { return version >= 0 && (!s->usable || s->usable[version]); }

/* Whether a plan is worth measuring: the model predicts a gain; or, where a copy is made (constant, shared) and a trial will
 * tell, the model cannot tell it from everything in global memory. Read-only loads of the same bytes need a prediction. */
static bool is_promising(const struct choices *s, const struct place_plan *plan) {
  if (place_plan_moves_nothing(plan) || !is_usable(s, plan->version)) return false;
  if (plan->cost_ns <= s->base->cost_ns * (1 - s->config->threshold)) return true;
  return makes_copies(plan) && s->config->trials && plan->cost_ns <= s->base->cost_ns * (1 + model_error);
}

/* Whether a trial may show what the model does not know: its best case gains, and its estimate is not out of reach. */
static bool is_conceivable(const struct choices *s, const struct place_plan *plan) {
  if (place_plan_moves_nothing(plan) || !is_usable(s, plan->version) || !makes_copies(plan) || !s->config->trials) return false;
  return plan->least_ns <= s->base->cost_ns * (1 + model_error) && plan->cost_ns <= s->base->cost_ns * MODEL_MISS;
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

/* For each array that decides the region's cost, the best conceivable plan of each space of a copy that no chosen plan gives
 * it. */
static void choose_other_spaces(const struct choices *s, int most) {
  const struct place_region *region = s->region->region;
  double all = 0;
  for (size_t a = 0; s->c->summary && a < region->array_count; a++) all += s->c->summary[a].accesses_per_warp;
  for (size_t a = 0; s->c->summary && a < region->array_count; a++) {
    int p = region->arrays[a].placeable;
    if (p < 0 || s->c->summary[a].accesses_per_warp < dominating * all) continue;
    for (enum place_space k = 0; k < PLACE_SPACE_COUNT; k++)
      for (int i = 0; i < s->count && place_space_is_copy(k); i++)
        if (s->plans[i].array[p].space == k && !is_covered(s->c, (unsigned)p, k) && is_conceivable(s, &s->plans[i]))
          choose_plan(s->c, &s->plans[i], most);
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
static void choose_plans(const struct choices *s) {
  int most = (int)s->config->trials, first = 0;
  if (s->c->sibling && most > 2) most = 2;
  while (first < s->count && !is_promising(s, &s->plans[first])) first++;
  if (first < s->count) choose_plan(s->c, &s->plans[first], most);
  for (int i = 0; i < s->count && s->config->trials; i++)
    if (is_siblings(s->c, &s->plans[i]) && !place_plan_moves_nothing(&s->plans[i]) && is_usable(s, s->plans[i].version))
      choose_plan(s->c, &s->plans[i], most);
  choose_other_spaces(s, most);
  for (int i = first; i < s->count; i++) {
    if (!is_promising(s, &s->plans[i])) continue;
    choose_plan(s->c, &s->plans[i], most);
    s->c->untried += !is_chosen(s->c, &s->plans[i]);
  }
}

/* ---- versions that are more than their spaces ---- */

static double estimate_of(const struct choices *s, int version) {
  bool known = s->estimate && s->estimate[version].state == PLACE_ESTIMATE_KNOWN;
  return known ? s->estimate[version].ns : 0;
}

/* A version with its own spaces as a plan of the class; its estimate 0 where there is none. */
static struct place_plan plan_of(const struct choices *s, int version) {
  struct place_plan plan = *s->base;
  uint8_t space[PLACE_MAX_PLACEABLE] = {0};
  plan.version = version;
  plan.cost_ns = plan.least_ns = estimate_of(s, version);
  place_version_spaces(s->region->region, &s->region->region->versions[version], space);
  for (unsigned p = 0; p < plan.placeable_count; p++) plan.array[p].space = (enum place_space)space[p];
  return plan;
}

static bool is_plain_arm(const struct choices *s, int version) {
  const struct place_region *r = s->region->region;
  return version != s->base_version && is_usable(s, version) && place_version_is_plain(r, &r->versions[version]);
}

static bool is_block_arm(const struct choices *s, int version) {
  bool impossible = s->estimate && s->estimate[version].state == PLACE_ESTIMATE_IMPOSSIBLE;
  return is_usable(s, version) && s->region->region->versions[version].block.dims && !impossible;
}

static bool has_other_arm(const struct choices *s) {
  for (int v = 0; v < (int)s->region->region->version_count; v++)
    if (is_plain_arm(s, v) || is_block_arm(s, v)) return true;
  return false;
}

/* Whether a usable version of the table's before this one has the same loop form: then it is the same with fewer needs. */
static bool has_better_of_form(const struct choices *s, int version) {
  const struct place_version *versions = s->region->region->versions;
  for (int v = 0; v < version; v++)
    if (is_plain_arm(s, v) && versions[v].loop == versions[version].loop && versions[v].threads == versions[version].threads)
      return true;
  return false;
}

/* Everything global, but other control flow: hardly a model knows what that is worth, a trial does. */
static void add_plain(const struct choices *s) {
  struct rt_class *c = s->c;
  for (int v = 0; v < (int)s->region->region->version_count; v++) {
    if (!s->config->trials || c->plan_count >= most_arms(c) || !is_plain_arm(s, v) || has_better_of_form(s, v)) continue;
    struct place_plan *plan = &c->plan[c->plan_count++];
    *plan = *s->base;
    plan->version = v;
    plan->cost_ns = plan->least_ns = estimate_of(s, v);
  }
}

static const int block_arms = 4; /* tried at most */
static const double block_worst = 1.5; /* times the base, and MODEL_MISS times the best block, is not worth a launch */

/* Whether block version a comes before b: by its estimate; those without one come last, in the table's order. */
static bool is_before(const struct choices *s, int a, int b) {
  double x = estimate_of(s, a), y = estimate_of(s, b);
  if (x > 0 && y > 0 && x != y) return x < y;
  return (x > 0) != (y > 0) ? x > 0 : a < b;
}

/* The next best block version behind `last` (-1: the best of all); -1: no more. */
static int next_block(const struct choices *s, int last) {
  int next = -1;
  for (int v = 0; v < (int)s->region->region->version_count; v++) {
    if (!is_block_arm(s, v) || (last >= 0 && !is_before(s, last, v))) continue;
    if (next < 0 || is_before(s, v, next)) next = v;
  }
  return next;
}

/* The best blocks by their estimates, first of all what another size settled on. */
static void add_blocks(const struct choices *s) {
  struct rt_class *c = s->c;
  int most = c->plan_count + block_arms < most_arms(c) ? c->plan_count + block_arms : most_arms(c);
  int best = s->config->trials ? next_block(s, -1) : -1;
  for (int pass = 0; best >= 0 && pass < 2; pass++)
    for (int v = best; v >= 0 && c->plan_count < most; v = next_block(s, v)) {
      struct place_plan plan = plan_of(s, v);
      double least = estimate_of(s, best);
      bool far = least > 0 && plan.cost_ns > MODEL_MISS * least;
      bool hopeless = !s->region->region->asked_blocks && (far || plan.cost_ns > block_worst * s->base->cost_ns);
      if (pass ? !hopeless && !is_chosen(c, &plan) : is_siblings(c, &plan)) c->plan[c->plan_count++] = plan;
    }
}

static const int route_arms = 3; /* tried at most */

/* A version that differs from another by its routes, and of which nobody predicts more than of that. */
static bool is_route_arm(const struct choices *s, int version) {
  if (!is_plain_arm(s, version)) return false;
  int host = (int)place_version_host(s->region->region, (size_t)version);
  return host != version && !(estimate_of(s, host) > 0 && estimate_of(s, version) > estimate_of(s, host));
}

static int next_route(const struct choices *s, int last) {
  int next = -1;
  for (int v = 0; v < (int)s->region->region->version_count; v++) {
    if (!is_route_arm(s, v) || (last >= 0 && !is_before(s, last, v))) continue;
    if (next < 0 || is_before(s, v, next)) next = v;
  }
  return next;
}

/* First of all what another size settled on, then by the estimates, or as the compiler has them. */
static void add_routes(const struct choices *s) {
  struct rt_class *c = s->c;
  int most = c->plan_count + route_arms < most_arms(c) ? c->plan_count + route_arms : most_arms(c);
  for (int pass = 0; s->config->trials && pass < 2; pass++)
    for (int v = next_route(s, -1); v >= 0 && c->plan_count < most; v = next_route(s, v)) {
      struct place_plan plan = plan_of(s, v);
      if (pass ? !is_chosen(c, &plan) : is_siblings(c, &plan)) c->plan[c->plan_count++] = plan;
    }
}

/* Without trials: what the model says, as far as it can be trusted. */
static void choose_unmeasured(const struct choices *s) {
  struct rt_class *c = s->c;
  const struct place_region *r = s->region->region;
  double plain = 0; /* the estimate of other control flow */
  if (!place_plan_choose(r, s->ranking, s->usable, s->config->model, s->config->threshold, &c->plan[1])) return;
  for (int v = (int)r->version_count; v-- > 0;)
    if (is_plain_arm(s, v) && estimate_of(s, v) > 0) plain = estimate_of(s, v);
  bool open = place_version_is_open(r, &r->versions[c->plan[1].version]);
  if (plain > 0 && !open) c->predicted_base_ns *= c->predicted_base_ns / plain; /* of the original's control flow */
  c->plan_count = 2;
  c->predicted_ns = c->plan[1].cost_ns;
}

static bool is_plain_plan(const struct choices *s, const struct place_plan *plan) {
  return plan->version >= 0 && place_version_is_plain(s->region->region, &s->region->region->versions[plan->version]);
}

/* What may gain for the least risk comes first: other loops, which lose 10% in one case of twenty. The rest stays as chosen: plans by
 * their predictions, then blocks, which have both gained and lost the most. */
static void order_arms(const struct choices *s) {
  struct rt_class *c = s->c;
  for (int i = 1, plain = 1; i < c->plan_count; i++) {
    struct place_plan plan = c->plan[i];
    if (!is_plain_plan(s, &plan)) continue;
    memmove(&c->plan[plain + 1], &c->plan[plain], (size_t)(i - plain) * sizeof plan);
    c->plan[plain++] = plan;
  }
}

static void choose_arms(const struct choices *s) {
  struct rt_class *c = s->c;
  int siblings = siblings_version(c);
  if (!s->config->trials) {
    choose_unmeasured(s);
    return;
  }
  choose_plans(s);
  /* Few arms are left where there is a sibling: first what it settled on, then blocks. */
  bool blocks_first = c->sibling && !(siblings >= 0 && place_version_is_plain(s->region->region, &s->region->region->versions[siblings]));
  if (!blocks_first) add_plain(s);
  add_blocks(s);
  if (blocks_first) add_plain(s);
  add_routes(s);
  order_arms(s);
}

/* Nothing was chosen: why. */
static void keep_unplaced(const struct choices *s, const struct place_plan *best) {
  struct rt_class *c = s->c;
  char text[160];
  if (best == s->base) {
    class_keep_original(c, WHY_ONLY_OTHER_LOOPS);
    return;
  }
  double gain = 100 * (1 - best->cost_ns / s->base->cost_ns);
  class_describe(s->region->region, best, text, sizeof text);
  if (gain < 0.05 && gain > -0.05) class_keep_original(c, WHY_NO_PREDICTION_DIFFERS, text);
  else if (gain < 0) class_keep_original(c, WHY_NO_PREDICTION_BETTER, text, -gain);
  else if (s->config->trials || gain < 100 * s->config->threshold)
    class_keep_original(c, WHY_PREDICTED_BELOW_THRESHOLD, text, gain, 100 * s->config->threshold);
  else
    class_keep_original(c, WHY_PREDICTED_TOO_LITTLE, text, gain);
}

void class_consider(struct rt_class *c, const struct rt_region *region, const struct place_ranking *ranking, int base_version,
                    const bool *usable, const struct config *config) {
  const struct place_plan *plans = ranking->plans;
  int count = ranking->count;
  struct choices s = {c, region, ranking, plans, count, NULL, ranking->estimate, usable, base_version, config};
  const struct place_plan *best = NULL;
  for (int i = 0; i < count; i++) {
    note_predictions(c, &plans[i]);
    if (place_plan_moves_nothing(&plans[i])) s.base = &plans[i];
    else if (!best || plans[i].cost_ns < best->cost_ns) best = &plans[i];
  }
  if (s.base && !best && has_other_arm(&s)) best = s.base;
  if (!s.base || !best) {
    class_keep_original(c, WHY_ONLY_GLOBAL);
    return;
  }
  if (!class_make_room(c)) {
    class_keep_original(c, WHY_OUT_OF_MEMORY);
    return;
  }
  c->predicted_base_ns = s.base->cost_ns;
  c->predicted_ns = best->cost_ns;
  c->plan[0] = *s.base;
  c->plan[0].version = base_version;
  c->plan_count = 1;
  choose_arms(&s);
  if (c->plan_count == 1) keep_unplaced(&s, best);
  else if (base_version < 0 && config->trials)
    class_keep_original(c, WHY_NO_BASE);
  else begin_trial(c, config);
}

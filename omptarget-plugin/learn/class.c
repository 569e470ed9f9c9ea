#include "class.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "needs.h"
#include "place/launch_reason.h"
#include "versions.h"

unsigned class_bucket(uint64_t value) {
  if (value < 4) return (unsigned)value;
  unsigned log2 = 63u - (unsigned)__builtin_clzll(value);
  return log2 << 2 | (value >> (log2 - 2) & 3);
}

static unsigned make_key(uint64_t *key, const struct place_region *region, const struct view *view) {
  unsigned n = 0;
  key[n++] = class_bucket(view->launch.trip_count);
  key[n++] = (uint64_t)view->launch.threads << 32 | class_bucket(view->launch.teams);
  bool apart = true; /* all that it writes */
  for (size_t a = 0; a < region->array_count; a++) apart &= !region->arrays[a].written || !view->array[a].why_global;
  key[n++] = (uint64_t)view->thread_limit << 32 | (uint64_t)!apart << 33 | (uint64_t)(view->overlap[0] != NULL) << 34 | view->launch.dynamic_shared_bytes;
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
    c->array[a] = (struct rt_class_array){view->extent[a], v->why_global, v->why_constant ? v->why_constant : unstable, v->why_texture};
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

/* Whether a version other than what plans are measured against can be launched; else why the first one cannot be, or "". */
static bool has_arm(const struct rt_region *region, const struct view *view, struct place_diag *why) {
  const struct place_region *r = region->region;
  *why = (struct place_diag){""};
  for (int v = 0; v < (int)r->version_count; v++) {
    const struct place_version *version = &r->versions[v];
    bool other = version->role == PLACE_ROLE_PLAN && v != versions_base(region) && versions_is_launchable(region, v);
    bool stays = !place_version_moves(r, version) && !place_version_is_open(r, version);
    if (other && stays && !needs_check(region, v, view, NULL, *why->text ? NULL : why)) return true;
  }
  return false;
}

/* Where nothing can be placed, and there is but one kind of loop, there is nothing to find out. */
static void settle_at_once(struct rt_class *c, const struct rt_region *region, const struct view *view) {
  const struct place_region *r = region->region;
  struct place_diag why;
  if (view->overlap[0]) {
    class_keep_original(c, WHY_OVERLAP_PROMISED, view->overlap[0]->name, view->overlap[1]->name);
    return;
  }
  if (class_has_choice(r, view) || has_arm(region, view, &why)) return;
  if (view->refused) {
    class_keep_original(c, "%s", view->refused);
    return;
  }
  for (size_t a = 0; a < r->array_count; a++)
    if (r->arrays[a].placeable >= 0 && view->array[a].why_global) {
      class_keep_original(c, "%s: %s", r->arrays[a].name, view->array[a].why_global);
      return;
    }
  class_keep_original(c, "%s", *why.text ? why.text : WHY_NONE_PLACEABLE);
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
  plan_memory_free(&c->memory);
  history_free(&c->history);
  free(c->plan);
  free(c->yardstick);
  free(c->key);
  free(c->array);
  free(c->summary);
  free(c->advice);
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
  c->gain_ns = 0;
  c->generation++;
}

/* Why the original is kept after a trial, with what came closest. */
static void keep_after_trial(struct rt_class *c, const struct rt_region *region) {
  const struct tune *t = &c->tune;
  char plan[160];
  double percent = 100 * t->gain;
  if (t->best <= 0) {
    class_keep_original(c, "%s", t->reason);
    return;
  }
  class_describe(region->region, &c->plan[t->best], plan, sizeof plan);
  if (percent < 0.05 && percent > -0.05) class_keep_original(c, WHY_NOTHING_DIFFERS, plan);
  else if (percent < 0) class_keep_original(c, WHY_NOTHING_FASTER, plan, -percent);
  else if (t->unsure)
    class_keep_original(c, WHY_VARIES_TOO_MUCH, plan, percent);
  else class_keep_original(c, WHY_BELOW_THRESHOLD, plan, percent);
}

/* What each launch of the chosen plan saves, as its trial measured it. */
static double measured_gain(const struct rt_class *c) {
  const struct tune_arm *chosen = &c->tune.arm[c->chosen];
  return tune_original_ns(&c->tune) - tune_median(chosen->kernel_ns, chosen->count);
}

/* False: watching it would take up what it gains. */
static bool watch_winner(struct rt_class *c) {
  const struct tune *t = &c->tune;
  const struct tune_arm *base = &t->arm[0];
  double share;
  bias_guess(&c->bias, &share);
  double base_loss = (1 - share) * tune_median(base->kernel_ns, base->count);
  return watch_start(&c->watch, &(struct watch_trial){
                                  .period_launches = t->period_launches,
                                  .noise = tune_noise(t),
                                  .base_ns = tune_original_ns(t),
                                  .gain_ns = c->gain_ns,
                                  .clear = t->rested,
                                  .measure_ns = BUDGET_MEASURE_NS + base_loss / 2 /* every second such launch is the base's */,
                                });
}

void class_after_trial(struct rt_class *c, const struct rt_region *region) {
  if (c->phase != CLASS_TRIAL || !c->tune.done) return;
  c->trial_original_ns = c->usual_original_ns;
  if (c->tune.winner < 0) {
    keep_after_trial(c, region);
    return;
  }
  c->phase = CLASS_SETTLED;
  c->chosen = c->tune.winner;
  c->gain_ns = measured_gain(c);
  c->generation++;
  if (!watch_winner(c) && c->tune.bounded) class_keep_original(c, WHY_NOT_WORTH_CHECKING);
}

void class_forget(struct rt_class *c) {
  c->phase = CLASS_NEW;
  c->chosen = -1;
  c->plan_count = 0;
  c->reason[0] = c->note[0] = 0;
  c->generation++;
}

bool class_is_watched(const struct rt_class *c, const struct config *config) {
  return config->patience_ns > 0 && c->chosen > 0 && !c->trusted && c->tune.done;
}

/* Launches of one size may still do other work, by a scalar that an inner loop goes to, or by their data. */
static bool is_other_work(double then_ns, double now_ns) {
  static const double other = 1.25;
  return then_ns > 0 && now_ns > 0 && (now_ns > other * then_ns || then_ns > other * now_ns);
}

void class_give_up(struct rt_class *c, const struct rt_region *region) {
  char plan[120];
  class_describe(region->region, &c->plan[c->chosen], plan, sizeof plan);
  class_keep_original(c, WHY_GIVEN_UP, plan, c->watch.lost, c->watch.pairs);
  c->other_work = is_other_work(tune_median(c->tune.arm[0].kernel_ns, c->tune.arm[0].count), c->watch.base_ns);
  c->saved_ns = 0; /* since when it has been slower is not known: nothing is claimed */
  c->settled_launches = 0;
  c->next_check = c->next_check < CLASS_FIRST_CHECK ? CLASS_FIRST_CHECK : c->next_check;
  if (c->next_check < CLASS_LAST_CHECK) c->next_check *= 2;
}

/* What was settled on, or what came next to the original (0: nothing did). */
static int settled_arm(const struct rt_class *c) { return c->chosen > 0 ? c->chosen : c->tune.best; }

/* The plan that came next to that (0: none). */
static int next_best(const struct rt_class *c, int settled) {
  int best = 0;
  for (int i = 1; i < c->tune.arms; i++) {
    const struct tune_arm *a = &c->tune.arm[i];
    if (i == settled || !a->count) continue;
    const struct tune_arm *b = &c->tune.arm[best];
    if (!best || tune_median(a->kernel_ns, a->count) < tune_median(b->kernel_ns, b->count)) best = i;
  }
  return best;
}

static void swap_plans(struct rt_class *c, int a, int b) {
  struct place_plan plan = c->plan[a];
  c->plan[a] = c->plan[b];
  c->plan[b] = plan;
}

/* What was settled on before and what came next are put first: the arms of a trial, and how many. Clocks, caches and data may have
 * changed. */
static int best_arms_first(struct rt_class *c) {
  int settled = settled_arm(c), next = next_best(c, settled);
  swap_plans(c, 1, settled);
  if (next == 1) next = settled;
  if (next) swap_plans(c, 2, next);
  c->chosen = c->chosen > 0 ? 1 : -1;
  return next ? 2 : 1;
}

static void try_again(struct rt_class *c, int plans, bool hasty) {
  bool bounded = c->tune.bounded;
  tune_start(&c->tune, plans);
  if (hasty) tune_set_hasty(&c->tune);
  else tune_set_warm(&c->tune);
  c->tune.bounded = bounded;
  c->settled_launches = 0;
  c->other_work = false;
  c->phase = CLASS_TRIAL;
  c->reason[0] = 0;
  c->generation++;
}

/* Whether launches are other work than any trial has seen: what was chosen was given up there, or they take far longer now than when nothing was
 * found to be faster. */
static bool has_other_work(const struct rt_class *c) {
  static const double grown = 1.5, clear_ns = 50e3; /* of a wall time, and one that the host's accidents do not double */
  return c->other_work || (c->trial_original_ns > 0 && c->usual_original_ns > fmax(grown * c->trial_original_ns, clear_ns));
}

/* Whether the original is launched for want of another trial. */
static bool is_to_renew(const struct rt_class *c) {
  return c->chosen <= 0 && c->renewed < CLASS_MOST_RENEWALS && (c->tune.disturbed || has_other_work(c));
}

bool class_check_is_due(struct rt_class *c) {
  if (c->phase != CLASS_SETTLED || c->trusted || !c->tune.done) return false;
  bool renew = is_to_renew(c);
  if (settled_arm(c) <= 0 && !renew) return false;
  if (!c->next_check) c->next_check = CLASS_FIRST_CHECK;
  uint64_t periods = renew ? (uint64_t)CLASS_RENEW << c->renewed : c->next_check;
  return ++c->settled_launches >= periods * (c->tune.period_launches ? c->tune.period_launches : 1);
}

void class_check_again(struct rt_class *c) {
  bool renew = is_to_renew(c), anew = renew && has_other_work(c);
  if (!renew && c->next_check < CLASS_LAST_CHECK) c->next_check *= 2;
  if (renew) c->renewed++;
  try_again(c, anew ? c->plan_count - 1 : best_arms_first(c), anew);
}

/* Copies took up what the chosen plan gained: the trial that chose it saw its arrays unchanged. Another sees what changes, if there is a choice. */
static void give_up_copies(struct rt_class *c, double gain_ns) {
  int settled = c->chosen;
  class_keep_original(c, WHY_COPYING_TOO_DEAR, gain_ns / 1e3);
  if (next_best(c, settled)) class_check_again(c);
}

void class_check_preparing(struct rt_class *c, double planning_ns, double copying_ns) {
  /* Launches that are judged together: the first ones after a trial all need a plan; a few in a row may need copies. */
  enum { WINDOW = 128, FEW = 32 };
  if (c->phase != CLASS_SETTLED || c->chosen <= 0 || c->trusted) return;
  c->planned_launches++;
  c->planning_ns += planning_ns;
  c->copying_ns += copying_ns;
  bool all = c->planned_launches >= WINDOW;
  if (!all && !(copying_ns > 0)) return; /* most launches */
  double gain_ns = measured_gain(c);
  bool dear_copies = c->copying_ns > fmax(gain_ns, 0) * fmax(c->planned_launches, FEW);
  if (!all && !dear_copies) return;
  if (dear_copies) give_up_copies(c, gain_ns);
  else if (2 * c->planning_ns + c->copying_ns > gain_ns * WINDOW) class_keep_original(c, WHY_PREPARING_TOO_DEAR, gain_ns / 1e3);
  c->planning_ns = c->copying_ns = 0;
  c->planned_launches = 0;
}

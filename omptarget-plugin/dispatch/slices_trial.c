#include "slices_trial.h"

#include <math.h>

#include "class.h"
#include "rank.h"
#include "slices_shape.h"
#include "versions.h"

enum { TRIED_PART = 4, FEWER_SLICES = 8 /* where much is predicted to be gained */ };
enum { FINALISTS = 3, FINAL_PART = 64, FINAL_TIMES = 2 /* as long as other slices, at least */ };
enum { SLICE_PART = 512 };            /* of a launch: a longer one has longer slices, which tell more */
static const double slice_ns = 300e3; /* of a slice: beside it, the idle time at its end is little */
static const double much = 1.5, hopeless = 1.2, near_by = 1.15;

/* ---- which plans ---- */

/* Threads of a version that a multiprocessor may hold, as far as shared memory allows. */
static uint64_t threads_at_once(const struct flight *f, int version) {
  enum { SHARED_OF_MULTIPROCESSOR = 228 * 1024 };
  unsigned shared = f->region->versions[version].static_shared, threads = f->region->region->versions[version].threads;
  uint64_t held = shared && threads ? (uint64_t)SHARED_OF_MULTIPROCESSOR / shared * threads : SLICES_SM_THREADS;
  return held < SLICES_SM_THREADS ? held : SLICES_SM_THREADS;
}

/* Iterations of a version that fill the GPU. In fewer, a version has more of the caches to itself than it will have in the rest. */
static uint64_t fill_of(const struct flight *f, int version) {
  const struct place_version *v = &f->region->region->versions[version];
  uint64_t each = 1;
  if (slices_always(f)) return 1;
  for (unsigned d = 0; d < v->block.dims; d++) each *= v->block.each[d];
  return (uint64_t)f->rt->machine->sm_count * threads_at_once(f, version) * each;
}

/* A launch of that many times the plan's time would be the base's, by the model. */
static bool is_promising(const struct rt_class *c, int plan) { return c->plan[plan].cost_ns > 0 && c->plan[plan].cost_ns * much < c->plan[0].cost_ns; }

/* Plans whose versions cannot be launched in slices, or only in such that are too long, are not tried. Returns how many are left. */
static int drop_others(struct slicing *s) {
  struct flight *f = s->f;
  struct rt_class *c = f->in_class;
  int left = 0;
  for (int i = 1; i < c->tune.arms; i++) {
    struct slices_shape shape;
    uint64_t most = s->trips / (slices_always(f) ? 2 : is_promising(c, i) ? FEWER_SLICES : SLICES_LEAST);
    bool fits = slices_shape(f->region, c->plan[i].version, &f->decision->view.launch, &shape);
    uint64_t grain = fits && shape.grain <= most ? slices_common_grain(s->grain, shape.begin) : 0;
    if (grain && grain <= most && fill_of(f, c->plan[i].version) <= most) s->grain = grain, left++;
    else tune_drop(&c->tune, i, f->rt->config.threshold);
  }
  return left;
}

bool slices_begin(struct slicing *s) {
  struct flight *f = s->f;
  struct rt_class *c = f->in_class;
  rank_plans(f, NULL);
  pthread_mutex_lock(&f->device->lock); /* other threads ask what leads */
  f->lost_ns += c->solve_ns;
  flight_note(f, HISTORY_LOOKED, c->solve_ns, NULL);
  bool tries = c->phase == CLASS_TRIAL;
  if (tries) tune_set_sliced(&c->tune);
  tries = tries && drop_others(s) > 0;
  pthread_mutex_unlock(&f->device->lock);
  return tries;
}

static int version_of(const struct slicing *s, int plan) {
  return plan == SLICE_OF_BASE ? versions_base(s->f->region) : s->f->in_class->plan[plan].version;
}

uint64_t slices_up_to(const struct slicing *s, int plan, uint64_t iterations) {
  struct slices_shape shape;
  int version = version_of(s, plan);
  bool fits = slices_shape(s->f->region, version, &s->f->decision->view.launch, &shape);
  uint64_t grain = fits ? slices_common_grain(s->grain, shape.grain) : 0;
  return slices_round_up(iterations, grain ? grain : s->grain);
}

/* Where teams of all versions may begin, as far as is known before plans are ranked; 0: nowhere near. */
static uint64_t grain_of_all(const struct slicing *s) {
  uint64_t grain = s->grain;
  for (int v = 0; v < (int)s->f->region->region->version_count && grain; v++) {
    struct slices_shape shape;
    if (slices_shape(s->f->region, v, &s->f->decision->view.launch, &shape)) grain = slices_common_grain(grain, shape.begin);
  }
  return grain;
}

uint64_t slices_first_length(const struct slicing *s) {
  uint64_t least = slices_round_up(fill_of(s->f, versions_base(s->f->region)), s->grain), grain = grain_of_all(s);
  uint64_t further = grain ? slices_round_up(least, grain) : 0;
  return further && further <= 2 * least ? further : least;
}

/* Iterations of a plan's slice: as many as take long enough, a sixteenth of the tried part at most unless fewer would not fill the
 * GPU. */
static uint64_t length_of(const struct slicing *s, int plan) {
  uint64_t least = fill_of(s->f, version_of(s, plan)), most = s->trips / (SLICES_LEAST * TRIED_PART);
  double wanted = s->base_ns > 0 ? fmax(slice_ns / s->base_ns, (double)s->trips / SLICE_PART) : 0;
  uint64_t length = wanted < (double)most ? (uint64_t)wanted : most;
  return slices_up_to(s, plan, length > least ? length : least);
}

/* ---- a slice each ---- */

/* A slice of a plan has taken that long: it is charged for what the base would have taken less. Returns what the whole launch would take. */
static double account(struct slicing *s, int arm, uint64_t length, double ns) {
  struct flight *f = s->f;
  double whole_ns = ns * (double)s->trips / (double)length;
  if (arm) f->lost_ns += fmax(0, ns - s->base_ns * (double)length);
  f->in_class->slices++;
  flight_note(f, HISTORY_TRIED, whole_ns, &f->in_class->plan[arm]);
  return whole_ns;
}

static void record(struct slicing *s, int arm, uint64_t length, double ns, uint64_t from_ns) {
  struct flight *f = s->f;
  double whole_ns = s->whole_ns[arm] = account(s, arm, length, ns);
  const struct tune_took took = {whole_ns, 0, (double)(f->rt->ops.now_ns() - from_ns), false};
  if (length > s->longest) s->longest = length;
  if (!arm) s->base_ns = ns / (double)length;
  tune_record(&f->in_class->tune, arm, &took, f->rt->config.threshold);
}

/* Carries out the next `length` iterations, and records what the plan took. 0: the plan is out. */
static void try_plan(struct slicing *s, int arm, uint64_t length) {
  struct flight *f = s->f;
  uint64_t from_ns = f->rt->ops.now_ns();
  double ns = 0;
  enum slice_outcome outcome = length ? slice_run(s, arm, s->done + length, &ns) : SLICE_LEFT;
  pthread_mutex_lock(&f->device->lock);
  tune_turn_to(&f->in_class->tune, arm);
  if (outcome == SLICE_DONE) record(s, arm, length, ns, from_ns);
  else tune_drop(&f->in_class->tune, arm, f->rt->config.threshold);
  pthread_mutex_unlock(&f->device->lock);
}

/* Of the plans that have teams begin here and at `to`, the fastest as predicted that cannot decline; 0: the base. */
static int predicted_between(const struct slicing *s, uint64_t to) {
  const struct rt_class *c = s->f->in_class;
  int fastest = 0;
  for (int i = 1; i < c->tune.arms; i++) {
    struct slices_shape shape;
    struct slices_teams part;
    bool fits = !c->tune.arm[i].out && !s->f->region->region->versions[c->plan[i].version].block.dims &&
                slices_shape(s->f->region, c->plan[i].version, &s->f->decision->view.launch, &shape) && slices_part(&shape, s->done, to, &part);
    if (fits && c->plan[i].cost_ns < c->plan[fastest].cost_ns) fastest = i;
  }
  return fastest;
}

void slices_align(struct slicing *s) {
  struct flight *f = s->f;
  uint64_t done = s->done, to = slices_round_up(done, s->grain);
  pthread_mutex_lock(&f->device->lock);
  tune_turn_to(&f->in_class->tune, 0);
  record(s, 0, done, s->base_ns * (double)done, f->launched_ns);
  pthread_mutex_unlock(&f->device->lock);
  int plan = to > done ? predicted_between(s, to) : 0;
  if (plan && to - done >= fill_of(f, f->in_class->plan[plan].version)) try_plan(s, plan, to - done);
  else if (plan) slice_run(s, plan, to, NULL);
  if (s->done < to) slice_run(s, SLICE_OF_BASE, to, NULL);
}

/* What a plan may take at best: what the model says, times the least that the others took of what it said of them. Where it sees no difference
 * to the base, there may be one of that size all the same. */
static double hoped_ns(const struct slicing *s, int plan) {
  const struct rt_class *c = s->f->in_class;
  double least = INFINITY;
  for (int i = 0; i < c->tune.arms; i++)
    if (s->whole_ns[i] > 0 && c->plan[i].cost_ns > 0) least = fmin(least, s->whole_ns[i] / c->plan[i].cost_ns);
  if (isinf(least)) return 0;
  return c->plan[plan].cost_ns * least / (c->plan[plan].cost_ns < c->plan[0].cost_ns ? 1 : much);
}

static double fastest_ns(const struct slicing *s) {
  double fastest = INFINITY;
  for (int i = 0; i < s->f->in_class->tune.arms; i++)
    if (s->whole_ns[i] > 0) fastest = fmin(fastest, s->whole_ns[i]);
  return fastest;
}

/* Whether a slice could show the plan to be the fastest. The model is asked only where much has been gained already. */
static bool has_hope(const struct slicing *s, int plan) {
  double fastest = fastest_ns(s);
  return fastest * much > s->whole_ns[0] || hoped_ns(s, plan) <= fastest * hopeless;
}

/* The plan that is to have the next slice: of those that had none and are not out, the fastest as predicted; 0: none. More slices each would
 * cost more than they could tell: a gain too small to be seen on one. */
static int next_plan(const struct rt_class *c) {
  int next = 0;
  for (int i = 1; i < c->tune.arms; i++)
    if (!c->tune.arm[i].out && !c->tune.arm[i].count && (!next || c->plan[i].cost_ns < c->plan[next].cost_ns)) next = i;
  return next;
}

void slices_try(struct slicing *s) {
  struct flight *f = s->f;
  struct rt_class *c = f->in_class;
  uint64_t enough = slices_always(f) ? s->trips : s->trips / TRIED_PART;
  for (int arm; !c->tune.done && (arm = next_plan(c)) != 0;) {
    uint64_t length = length_of(s, arm);
    bool fits = s->done + length <= enough;
    try_plan(s, arm, fits && (slices_always(f) || has_hope(s, arm)) ? length : 0);
  }
}

/* ---- the final ---- */

static bool is_near(const struct slicing *s, int arm) { return s->whole_ns[arm] > 0 && s->whole_ns[arm] <= fastest_ns(s) * near_by; }

static bool has_rivals(const struct slicing *s) {
  int near = 0;
  for (int i = 0; i < s->f->in_class->tune.arms; i++) near += is_near(s, i);
  return near > 1;
}

/* The fastest that has had no longer slice yet and is close to the fastest of all; -1: none. */
static int next_finalist(const struct slicing *s) {
  int next = -1;
  for (int i = 0; i < s->f->in_class->tune.arms; i++)
    if (is_near(s, i) && !(s->final_ns[i] > 0) && (next < 0 || s->whole_ns[i] < s->whole_ns[next])) next = i;
  return next;
}

static void record_final(struct slicing *s, int arm, uint64_t length, double ns) {
  struct flight *f = s->f;
  pthread_mutex_lock(&f->device->lock);
  s->final_ns[arm] = account(s, arm, length, ns);
  tune_correct(&f->in_class->tune, arm, s->final_ns[arm]);
  pthread_mutex_unlock(&f->device->lock);
}

static uint64_t length_of_final(const struct slicing *s) {
  uint64_t part = s->trips / FINAL_PART, longer = FINAL_TIMES * s->longest;
  return slices_always(s->f) ? 1 : part > longer ? part : longer;
}

void slices_compare(struct slicing *s) {
  struct flight *f = s->f;
  uint64_t length = length_of_final(s), enough = slices_always(f) ? s->trips : s->trips / 2;
  if (f->in_class->tune.done || !has_rivals(s) || (length > s->trips / SLICES_LEAST && !slices_always(f))) return;
  for (int k = 0, arm; k < FINALISTS && (arm = next_finalist(s)) >= 0; k++) {
    int plan = arm ? arm : SLICE_OF_BASE;
    uint64_t from = s->done, to = from + slices_up_to(s, plan, length);
    double ns = 0;
    if (to > enough || slice_run(s, plan, to, &ns) == SLICE_LEFT) return;
    record_final(s, arm, to - from, ns);
  }
}

/* The fastest of the final; 0: the base, or none of the others is faster than that by the threshold; -1: there was no final. */
static int winner_of_final(const struct slicing *s) {
  double base_ns = s->final_ns[0] > 0 ? s->final_ns[0] : s->whole_ns[0];
  int winner = -1;
  for (int i = 0; i < s->f->in_class->tune.arms; i++)
    if (s->final_ns[i] > 0 && (winner < 0 || s->final_ns[i] < s->final_ns[winner])) winner = i;
  return winner <= 0 || s->final_ns[winner] < base_ns * (1 - s->f->rt->config.threshold) ? winner : 0;
}

int slices_settle(struct slicing *s) {
  struct rt_class *c = s->f->in_class;
  int of_final = winner_of_final(s);
  int leader = of_final >= 0 ? of_final : c->tune.done ? c->tune.winner : tune_leader(&c->tune, 1);
  if (!c->tune.done && leader > 0) tune_settle(&c->tune, leader);
  class_after_trial(c, s->f->region);
  return leader > 0 && c->phase == CLASS_SETTLED && c->chosen > 0 ? leader : SLICE_OF_BASE;
}

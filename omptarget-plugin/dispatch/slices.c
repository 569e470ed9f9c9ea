#include "slices.h"

#include <math.h>

#include "class.h"
#include "place/launch_reason.h"
#include "rank.h"
#include "report.h"
#include "slices_shape.h"
#include "versions.h"

enum { THREADS_OF_MULTIPROCESSOR = 2048, LEAST_SLICES = 16 /* of so many iterations that they fill the GPU */, TRIED_PART = 4, PROVING_PART = 8 };
enum { FEWER_SLICES = 8 /* where much is predicted to be gained */ };
static const double much = 1.5, hopeless = 1.2;
static const double long_ns = 5e6;    /* of a launch: what pays for ranking, and for slices that leave the GPU idle at their ends */
static const double slice_ns = 300e3; /* of a slice: beside it, the idle time at its end is little */

static bool always(const struct flight *f) { return f->rt->config.slices == SLICES_ALWAYS; }

/* ---- whether ---- */

/* Whether a data environment around all slices leaves nothing to be copied by each. */
static bool can_hold(const struct rt_call *call) {
  for (uint32_t i = 0; i < call->maps.count; i++)
    if (call->maps.type[i] & (MAP_ALWAYS | MAP_DELETE | MAP_NON_CONTIG)) return false;
  return call->hold;
}

static bool has_other_version(const struct place_region *r, int base) {
  for (int v = 0; v < (int)r->version_count; v++)
    if (v != base && r->versions[v].slice) return true;
  return false;
}

/* So many iterations fill the GPU, whatever version has them. */
static uint64_t filling(const struct place_machine *machine) { return (uint64_t)machine->sm_count * THREADS_OF_MULTIPROCESSOR; }

static bool may_be_long(const struct flight *f, uint64_t trips) {
  const struct rt_class *c = f->in_class;
  if (always(f)) return true;
  bool first = f->state->launches == 1 && c->launches == 1;
  return trips / LEAST_SLICES >= filling(f->rt->machine) && (first || c->original_ns >= long_ns);
}

bool slices_are_wanted(const struct flight *f, const struct rt_call *call) {
  enum { FIRST_LAUNCHES = 2 };
  const struct place_region *r = f->region->region;
  const struct view *view = &f->decision->view;
  const struct rt_class *c = f->in_class;
  int base = versions_base(f->region);
  bool asked = f->rt->config.slices != SLICES_OFF && f->rt->config.trials && f->rt->machine;
  if (!asked || c->phase != CLASS_NEW || (c->launches > FIRST_LAUNCHES && !always(f)) || call->nowait || base < 0 || !r->versions[base].slice) return false;
  if (view->keeps_shape || view->teams_limited || view->refused || r->teams != PLACE_TEAMS_OPEN) return false;
  return may_be_long(f, view->launch.trip_count) && has_other_version(r, base) && can_hold(call);
}

/* ---- one slice ---- */

struct slicing {
  struct flight *f;
  const struct rt_call *call;
  rt_launcher launcher;
  void *context;
  uint64_t trips, done; /* iterations */
  uint64_t grain;       /* of all versions that are tried */
  double base_ns;       /* of an iteration */
  double whole_ns[TUNE_MAX_ARMS]; /* of the launch, by a plan's slice; 0: it had none */
  int rc;               /* of the last launch that failed */
};

enum { OF_BASE = TUNE_MAX_ARMS }; /* in place of a plan's number: the base, before there are plans */

static bool make_plan(struct flight *f, int plan) {
  if (plan < OF_BASE) return !decision_plan(f->decision, f->region, plan, f->rt->machine);
  static const enum place_space global[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  static const struct force_choice base = {.version = FORCE_BASE};
  return !decision_force(f->decision, f->region, global, &base, f->rt->machine);
}

/* The plan is ready to be launched from `done` on to that iteration. */
static bool prepare(struct slicing *s, int plan, uint64_t to, bool timed) {
  struct flight *f = s->f;
  struct slices_shape shape;
  const char *why;
  if (!make_plan(f, plan) || !slices_shape(f->region, f->decision->plan.version, &f->decision->view.launch, &shape)) return false;
  if (s->done % shape.grain || (to % shape.grain && to != s->trips)) return false;
  if (prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, s->call, timed, &why)) return false;
  uint32_t first = slices_team(&shape, s->done);
  prepare_slice(&f->prepared, first, slices_team(&shape, to) - first, shape.teams);
  f->prepared.request.wait = true;
  if (!timed || f->prepared.timer_entry) return true;
  prepare_release(&f->prepared, f->device, f->module);
  return false;
}

enum outcome { SLICE_DONE, SLICE_LEFT }; /* LEFT: nothing was carried out; the region is dropped if libomptarget says so */

/* Carries out the iterations from `done` to `to`. ns: of the kernel; NULL: it is not timed, and known not to decline. */
static enum outcome run(struct slicing *s, int plan, uint64_t to, double *ns) {
  struct flight *f = s->f;
  pthread_mutex_lock(&f->device->lock);
  bool ready = prepare(s, plan, to, ns != NULL);
  pthread_mutex_unlock(&f->device->lock);
  if (!ready) return SLICE_LEFT;
  int rc = s->launcher(s->context, &f->prepared.request);
  if (ns) *ns = rc ? 0 : prepare_read_timer(f->device, f->module, f->prepared.timer_entry);
  pthread_mutex_lock(&f->device->lock);
  prepare_release(&f->prepared, f->device, f->module);
  if (rc) f->state->dropped = WHY_NOT_LAUNCHED, s->rc = rc;
  pthread_mutex_unlock(&f->device->lock);
  if (rc || (ns && *ns == PREPARE_DECLINED)) return SLICE_LEFT;
  s->done = to;
  return SLICE_DONE;
}

/* The rest by a plan, or by the base where that cannot have it. */
static int finish(struct slicing *s, int plan) {
  enum outcome outcome = s->done < s->trips ? run(s, plan, s->trips, NULL) : SLICE_DONE;
  if (outcome == SLICE_LEFT && plan != OF_BASE) outcome = run(s, OF_BASE, s->trips, NULL);
  return outcome == SLICE_DONE ? 0 : s->rc ? s->rc : -1;
}

/* ---- trying ---- */

/* Threads of a version that a multiprocessor may hold, as far as shared memory allows. */
static uint64_t threads_at_once(const struct flight *f, int version) {
  enum { SHARED_OF_MULTIPROCESSOR = 228 * 1024 };
  unsigned shared = f->region->versions[version].static_shared, threads = f->region->region->versions[version].threads;
  uint64_t held = shared && threads ? (uint64_t)SHARED_OF_MULTIPROCESSOR / shared * threads : THREADS_OF_MULTIPROCESSOR;
  return held < THREADS_OF_MULTIPROCESSOR ? held : THREADS_OF_MULTIPROCESSOR;
}

/* Iterations of a version that fill the GPU. In fewer, a version has more of the caches to itself than it will have in the rest. */
static uint64_t fill_of(const struct flight *f, int version) {
  const struct place_version *v = &f->region->region->versions[version];
  uint64_t each = 1;
  if (always(f)) return 1;
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
    uint64_t most = s->trips / (always(f) ? 2 : is_promising(c, i) ? FEWER_SLICES : LEAST_SLICES);
    bool fits = slices_shape(f->region, c->plan[i].version, &f->decision->view.launch, &shape);
    uint64_t grain = fits ? slices_common_grain(s->grain, shape.grain) : 0;
    if (grain && grain <= most && fill_of(f, c->plan[i].version) <= most) s->grain = grain, left++;
    else tune_drop(&c->tune, i, f->rt->config.threshold);
  }
  return left;
}

/* Whether there is something to try, and a trial has begun. */
static bool begin(struct slicing *s) {
  struct flight *f = s->f;
  struct rt_class *c = f->in_class;
  uint64_t from_ns = f->rt->ops.now_ns();
  rank_plans(f, NULL);
  f->lost_ns += (double)(f->rt->ops.now_ns() - from_ns);
  flight_note(f, HISTORY_LOOKED, c->solve_ns, NULL);
  if (c->phase != CLASS_TRIAL) return false;
  tune_set_sliced(&c->tune);
  return drop_others(s) > 0;
}

static uint64_t round_up(uint64_t iterations, uint64_t grain) { return (iterations + grain - 1) / grain * grain; }

/* Iterations of a version's slice: as many as take long enough, a sixteenth of the tried part at most unless fewer would not fill the
 * GPU. */
static uint64_t length_of(const struct slicing *s, int version) {
  uint64_t least = fill_of(s->f, version), most = s->trips / (LEAST_SLICES * TRIED_PART);
  double wanted = s->base_ns > 0 ? slice_ns / s->base_ns : 0;
  uint64_t length = wanted < (double)most ? (uint64_t)wanted : most;
  return round_up(length > least ? length : least, s->grain);
}

static void record(struct slicing *s, int arm, uint64_t length, double ns, uint64_t from_ns) {
  struct flight *f = s->f;
  struct rt_class *c = f->in_class;
  double whole_ns = ns * (double)s->trips / (double)length;
  const struct tune_took took = {whole_ns, 0, (double)(f->rt->ops.now_ns() - from_ns)};
  s->whole_ns[arm] = whole_ns;
  if (!arm) s->base_ns = ns / (double)length;
  else f->lost_ns += fmax(0, ns - s->base_ns * (double)length);
  c->slices++;
  flight_note(f, HISTORY_TRIED, whole_ns, &c->plan[arm]);
  tune_record(&c->tune, arm, &took, f->rt->config.threshold);
}

/* To where all versions have teams begin; with what the base has done before, that is its first slice of the trial. */
static void align(struct slicing *s) {
  struct flight *f = s->f;
  uint64_t done = s->done, to = round_up(done, s->grain), from_ns = f->rt->ops.now_ns();
  double ns = 0, before_ns = s->base_ns * (double)done;
  enum outcome outcome = to > done ? run(s, OF_BASE, to, &ns) : SLICE_DONE;
  pthread_mutex_lock(&f->device->lock);
  if (outcome == SLICE_DONE) record(s, 0, to, before_ns + ns, from_ns);
  pthread_mutex_unlock(&f->device->lock);
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

/* A slice each, if there are enough iterations for that, and what a plan may take at best could still be the fastest. */
static void try_plans(struct slicing *s) {
  struct flight *f = s->f;
  struct rt_class *c = f->in_class;
  uint64_t enough = always(f) ? s->trips : s->trips / TRIED_PART;
  for (int arm; !c->tune.done && (arm = next_plan(c)) != 0;) {
    uint64_t length = length_of(s, c->plan[arm].version), from_ns = f->rt->ops.now_ns();
    double ns = 0;
    if (s->done + length > enough) break;
    bool worth = always(f) || has_hope(s, arm);
    enum outcome outcome = worth ? run(s, arm, s->done + length, &ns) : SLICE_LEFT;
    pthread_mutex_lock(&f->device->lock);
    tune_turn_to(&c->tune, arm);
    if (outcome == SLICE_DONE) record(s, arm, length, ns, from_ns);
    else tune_drop(&c->tune, arm, f->rt->config.threshold);
    pthread_mutex_unlock(&f->device->lock);
  }
}

/* ---- the rest ---- */

/* What the trial says that the rest is for: a plan, or the base. */
static int settle(struct slicing *s) {
  struct rt_class *c = s->f->in_class;
  int leader = c->tune.done ? c->tune.winner : tune_leader(&c->tune, 1);
  if (!c->tune.done && leader > 0) tune_settle(&c->tune, leader);
  class_after_trial(c, s->f->region);
  return leader > 0 && c->phase == CLASS_SETTLED && c->chosen > 0 ? leader : OF_BASE;
}

/* The class keeps what was found only where it is a gain: a later launch, with a profile, may find more. */
static void conclude(struct slicing *s, int plan) {
  struct flight *f = s->f;
  if (plan == OF_BASE) {
    class_forget(f->in_class);
    f->state->fruitless--; /* as rank_plans counts a look */
    return;
  }
  f->state->fruitless = 0;
  flight_note_settled(f);
  report_decision(f->rt, f->region, f->in_class);
}

/* The next part of the iterations by a plan. ns: of an iteration. */
static enum outcome run_part(struct slicing *s, int plan, double *ns) {
  uint64_t from = s->done, to = from + round_up(s->trips / PROVING_PART, s->grain);
  if (to >= s->trips) return SLICE_LEFT;
  enum outcome outcome = run(s, plan, to, ns);
  *ns /= (double)(to - from);
  return outcome;
}

/* A larger part by what was found to be the fastest. If that is slower than the base was in the trial, the iterations may be others: then
 * the base has the next part, and the faster one the rest. */
static int prove(struct slicing *s, int plan) {
  double ns = 0, base_ns = 0;
  if (plan == OF_BASE) return plan;
  if (run_part(s, plan, &ns) == SLICE_LEFT || ns <= s->base_ns) return plan;
  if (run_part(s, OF_BASE, &base_ns) == SLICE_LEFT || base_ns > ns) return plan;
  s->f->lost_ns += (ns - base_ns) * (double)s->trips / PROVING_PART;
  return OF_BASE;
}

static int end_trial(struct slicing *s) {
  pthread_mutex_lock(&s->f->device->lock);
  int plan = settle(s);
  pthread_mutex_unlock(&s->f->device->lock);
  plan = prove(s, plan);
  pthread_mutex_lock(&s->f->device->lock);
  conclude(s, plan);
  pthread_mutex_unlock(&s->f->device->lock);
  return finish(s, plan);
}

/* ---- all ---- */

/* How long the launch would take with the base, by its first part; below 0: nothing was done, the launch is still whole. */
static double measure_base(struct slicing *s) {
  uint64_t length = length_of(s, versions_base(s->f->region));
  double ns = 0;
  if (length >= s->trips || run(s, OF_BASE, length, &ns) == SLICE_LEFT) return -1;
  s->base_ns = ns / (double)length;
  return s->base_ns * (double)s->trips;
}

/* False: nothing could be launched. */
static bool launch(struct slicing *s, int *rc) {
  double whole_ns = measure_base(s);
  if (whole_ns < 0) return false;
  if (whole_ns < long_ns && !always(s->f)) return *rc = finish(s, OF_BASE), true;
  if (!begin(s) || round_up(s->done, s->grain) >= s->trips) {
    conclude(s, OF_BASE);
    return *rc = finish(s, OF_BASE), true;
  }
  align(s);
  try_plans(s);
  return *rc = end_trial(s), true;
}

bool slices_launch(struct flight *f, const struct rt_call *call, rt_launcher launcher, void *context, int *rc) {
  struct slices_shape shape;
  struct slicing s = {.f = f, .call = call, .launcher = launcher, .context = context, .trips = f->decision->view.launch.trip_count};
  *rc = 0;
  f->launched_ns = f->rt->ops.now_ns();
  bool launched = slices_shape(f->region, versions_base(f->region), &f->decision->view.launch, &shape);
  if (launched) {
    s.grain = shape.grain;
    call->hold(context, true);
    launched = launch(&s, rc);
    call->hold(context, false);
  }
  f->returned_ns = f->rt->ops.now_ns();
  if (!launched) f->step = STEP_ORIGINAL;
  return launched;
}

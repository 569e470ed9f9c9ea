#include "slices.h"

#include "class.h"
#include "report.h"
#include "slices_shape.h"
#include "slices_trial.h"
#include "versions.h"

enum { PROVING_PART = 8 };
static const double long_ns = 5e6; /* of a launch: what pays for ranking, and for slices that leave the GPU idle at their ends */

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
static uint64_t filling(const struct place_machine *machine) { return (uint64_t)machine->sm_count * SLICES_SM_THREADS; }

static bool may_be_long(const struct flight *f, uint64_t trips) {
  const struct rt_class *c = f->in_class;
  if (slices_always(f)) return true;
  bool first = f->state->launches == 1 && c->launches == 1;
  return trips / SLICES_LEAST >= filling(f->rt->machine) && (first || c->original_ns >= long_ns);
}

bool slices_are_wanted(const struct flight *f, const struct rt_call *call) {
  enum { FIRST_LAUNCHES = 2 };
  const struct place_region *r = f->region->region;
  const struct view *view = &f->decision->view;
  const struct rt_class *c = f->in_class;
  int base = versions_base(f->region);
  bool asked = f->rt->config.slices != SLICES_OFF && f->rt->config.trials && f->rt->machine;
  if (!asked || c->phase != CLASS_NEW || (c->launches > FIRST_LAUNCHES && !slices_always(f)) || call->nowait || base < 0 || !r->versions[base].slice) return false;
  if (view->keeps_shape || view->teams_limited || view->refused || r->teams != PLACE_TEAMS_OPEN) return false;
  return may_be_long(f, view->launch.trip_count) && has_other_version(r, base) && can_hold(call);
}

/* ---- the rest ---- */

/* The rest by a plan, or by the base where that cannot have it. */
static int finish(struct slicing *s, int plan) {
  enum slice_outcome outcome = s->done < s->trips ? slice_run(s, plan, s->trips, NULL) : SLICE_DONE;
  if (outcome == SLICE_LEFT && plan != SLICE_OF_BASE) outcome = slice_run(s, SLICE_OF_BASE, s->trips, NULL);
  return outcome == SLICE_DONE ? 0 : s->rc ? s->rc : -1;
}

/* The class keeps what was found only where it is a gain: a later launch, with a profile, may find more. settled: how many iterations were done
 * when it was found. */
static void conclude(struct slicing *s, int plan, uint64_t settled) {
  struct flight *f = s->f;
  if (plan == SLICE_OF_BASE) {
    class_forget(f->in_class);
    f->state->fruitless--; /* as rank_plans counts a look */
    return;
  }
  f->state->fruitless = 0;
  f->in_class->saved_ns += f->in_class->gain_ns * (double)(s->trips - settled) / (double)s->trips;
  flight_note_settled(f);
  report_decision(f->rt, f->region, f->in_class);
}

/* The next part of the iterations by a plan. ns: of an iteration. */
static enum slice_outcome run_part(struct slicing *s, int plan, double *ns) {
  uint64_t from = s->done, to = from + slices_up_to(s, plan, s->trips / PROVING_PART);
  if (to >= s->trips) return SLICE_LEFT;
  enum slice_outcome outcome = slice_run(s, plan, to, ns);
  *ns /= (double)(to - from);
  return outcome;
}

/* A larger part by what was found to be the fastest, unless it has had a longer slice. If that is slower than the base was in the trial, the
 * iterations may be others: then the base has the next part, and the faster one the rest. */
static int prove(struct slicing *s, int plan) {
  double ns = 0, base_ns = 0;
  if (plan == SLICE_OF_BASE || s->final_ns[plan] > 0) return plan;
  if (run_part(s, plan, &ns) == SLICE_LEFT || ns <= s->base_ns) return plan;
  if (run_part(s, SLICE_OF_BASE, &base_ns) == SLICE_LEFT || base_ns > ns) return plan;
  s->f->lost_ns += (ns - base_ns) * (double)s->trips / PROVING_PART;
  return SLICE_OF_BASE;
}

static int end_trial(struct slicing *s) {
  pthread_mutex_lock(&s->f->device->lock);
  int plan = slices_settle(s);
  uint64_t settled = s->done;
  pthread_mutex_unlock(&s->f->device->lock);
  plan = prove(s, plan);
  pthread_mutex_lock(&s->f->device->lock);
  conclude(s, plan, settled);
  pthread_mutex_unlock(&s->f->device->lock);
  return finish(s, plan);
}

/* ---- all ---- */

/* How long the launch would take with the base, by its first part; below 0: nothing was done, the launch is still whole. */
static double measure_base(struct slicing *s) {
  uint64_t length = slices_first_length(s);
  double ns = 0;
  if (length >= s->trips || slice_run(s, SLICE_OF_BASE, length, &ns) == SLICE_LEFT) return -1;
  s->base_ns = ns / (double)length;
  return s->base_ns * (double)s->trips;
}

/* False: nothing could be launched. */
static bool launch(struct slicing *s, int *rc) {
  double whole_ns = measure_base(s);
  if (whole_ns < 0) return false;
  if (whole_ns < long_ns && !slices_always(s->f)) return *rc = finish(s, SLICE_OF_BASE), true;
  if (!slices_begin(s) || slices_round_up(s->done, s->grain) >= s->trips) {
    pthread_mutex_lock(&s->f->device->lock);
    conclude(s, SLICE_OF_BASE, s->done);
    pthread_mutex_unlock(&s->f->device->lock);
    return *rc = finish(s, SLICE_OF_BASE), true;
  }
  slices_align(s);
  slices_try(s);
  slices_compare(s);
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

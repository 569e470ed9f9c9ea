#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "case_file.h"
#include "class.h"
#include "decision.h"
#include "flight.h"
#include "needs.h"
#include "place/launch_reason.h"
#include "presume.h"
#include "rank.h"
#include "recall.h"
#include "regret.h"
#include "report.h"
#include "slices.h"
#include "versions.h"

/* ---- what a launch writes ---- */

static void mark_writers(struct flight *f, bool nowait) {
  struct extents *ext = &f->device->ext;
  const struct view *view = f->decision ? &f->decision->view : NULL;
  f->writes_unknown = !view || view->writes_unknown || view->written_count > FLIGHT_MAX_WRITTEN;
  if (f->writes_unknown) {
    ext->writers++;
    if (nowait) ext->unstable = WHY_MAY_WRITE_NOWAIT;
    return;
  }
  for (unsigned i = 0; i < view->written_count; i++) {
    f->written[f->written_count++] = view->written[i];
    ext_use(view->written[i], true);
    if (nowait && !view->written[i]->unstable) view->written[i]->unstable = WHY_WRITTEN_NOWAIT;
  }
}

static void unmark_writers(struct flight *f) {
  struct extents *ext = &f->device->ext;
  if (f->writes_unknown) {
    ext->writers--;
    ext_change_all(ext);
  }
  for (unsigned i = 0; i < f->written_count; i++) ext_release(ext, f->written[i], true);
}

/* ---- choosing ---- */

static bool can_profile(const struct flight *f) {
  const struct place_region *r = f->region->region;
  if (!f->module->profile || versions_of_role(f->region, PLACE_ROLE_PROFILE) < 0) return false;
  if (!class_has_choice(r, &f->decision->view)) return false;
  for (size_t i = 0; i < r->access_count; i++)
    if (r->accesses[i].log >= 0) return true;
  return false;
}

/* A region that is launched once, or hardly runs, pays for nothing. */
static bool is_worth_looking_at(struct flight *f) {
  if (f->state->launches < 2 || f->state->budget.ran_ns < regret_patience(f)) return false;
  if (regret_covers_look(f)) return true;
  f->in_class->waited_launches++;
  return false;
}

/* What a trial settled on is compared with the base now and then. */
static enum step choose_settled(struct flight *f) {
  struct rt_class *c = f->in_class;
  f->plan = c->chosen;
  if (c->chosen < 0) return STEP_ORIGINAL;
  if (!class_is_watched(c, &f->rt->config) || !(watch_is_due(&c->watch) || plan_wants_original(f))) return STEP_PLAN;
  if (f->device->measuring) return watch_skip(&c->watch), bias_break(&c->bias), STEP_PLAN;
  return STEP_WATCH;
}

static enum step choose(struct flight *f, const struct rt_call *call) {
  struct rt_class *c = f->in_class;
  if (f->state->force.any) return forced_step(f);
  if (!f->device->measuring && class_check_is_due(c) && regret_covers_recheck(f)) class_check_again(c);
  if (c->phase == CLASS_SETTLED) return choose_settled(f);
  if (c->phase == CLASS_TRIAL && f->device->measuring) return tune_break_period(&c->tune), bias_break(&c->bias), plan_meanwhile(f);
  if (f->device->measuring) return STEP_ORIGINAL;
  if (c->phase == CLASS_TRIAL) return STEP_TRIAL;
  if (slices_are_wanted(f, call)) return STEP_SLICES;
  if (is_worth_looking_at(f)) return STEP_FIRST;
  return presume_may(f) ? STEP_PRESUMED : STEP_ORIGINAL;
}

void flight_fall_back(struct flight *f, const char *why) {
  struct rt_class *c = f->in_class;
  f->step = STEP_ORIGINAL;
  if (strncmp(c->fell_back, why, sizeof c->fell_back - 1)) snprintf(c->fell_back, sizeof c->fell_back, "%s", why);
  c->fallbacks++;
}

void flight_note(struct flight *f, enum history_kind kind, double ns, const struct place_plan *plan) {
  history_add(&f->in_class->history, (struct history_event){.at_ns = f->begun_ns, .ns = ns, .kind = kind}, plan);
}

void flight_note_settled(struct flight *f) {
  const struct rt_class *c = f->in_class;
  flight_note(f, c->chosen > 0 ? HISTORY_CHOSE : HISTORY_KEPT, 0, c->chosen > 0 ? &c->plan[c->chosen] : NULL);
}

static void start_profile(struct flight *f, const struct rt_call *call) {
  const char *why = NULL;
  f->measuring = true;
  if (!prepare_profile(&f->prepared, f->device, f->module, f->region, f->decision, call, &why)) return;
  f->step = STEP_FIRST;
  snprintf(f->in_class->note, sizeof f->in_class->note, WHY_NOT_PROFILED, why);
}

/* The module is looked up only for a launch that may be anything but the original's. */
static void start(struct flight *f, const struct rt_call *call) {
  f->step = choose(f, call);
  if (call->routine) f->step = STEP_ORIGINAL; /* and what was chosen from the next launch on */
  if (f->step == STEP_ORIGINAL) return;
  f->module = prepare_module(f->device, f->region->module, f->rt->prepare);
  if (!f->module) {
    f->step = STEP_ORIGINAL;
    return;
  }
  if (f->step == STEP_FIRST && can_profile(f)) f->step = STEP_PROFILE;
  if (f->step == STEP_PROFILE) start_profile(f, call);
  else if (f->step == STEP_FIRST || f->step == STEP_SLICES) f->measuring = true;
  else if (f->step == STEP_FORCED) forced_start(f, call);
  else if (f->step == STEP_PRESUMED) presume_start(f, call);
  else plan_start(f, call);
  if (f->measuring) {
    f->device->measuring = true;
    f->decision->pinned = true;
  }
}

/* ---- beginning ---- */

static struct rt_device_region *state_of(struct flight *f) {
  struct rt_device_region *s = f->region->device[f->device->number];
  if (s) return s;
  if (!(s = calloc(1, sizeof *s))) return NULL;
  s->budget = budget_with(BUDGET_REGION_NS);
  s->learned = 1;
  struct place_diag diag = {""};
  if (force_apply(f->rt->force, f->region->region, &s->force, &diag))
    snprintf(s->force_note, sizeof s->force_note, "%.200s", diag.text);
  f->region->device[f->device->number] = s;
  return s;
}

static void clock_begin(struct flight *f) {
  if (!f->begun_ns) f->begun_ns = f->rt->ops.now_ns();
}

static void begin(struct flight *f, const struct rt_call *call) {
  bool fast = false;
  const char *why = WHY_OUT_OF_MEMORY;
  f->device->launches++;
  f->state = state_of(f);
  if (f->state) f->decision = decision_find(f->device, f->state, f->region, call, &fast, &why);
  if (!fast) clock_begin(f);
  if (f->decision && !fast) f->decision->view.keeps_shape = f->rt->config.keeps_shape;
  if (f->state) {
    f->state->launches++;
    f->state->nowait_launches += call->nowait;
    *(fast ? &f->state->fast : &f->state->slow) += 1;
  }
  if (!f->decision || f->decision->view.changes_mapped) view_apply_maps(call, &f->device->ext);
  f->in_class = f->decision ? f->decision->in_class : NULL;
  const unsigned generation = f->in_class ? f->in_class->generation : 0;
  if (f->in_class && !f->in_class->launches++) recall_class(f);
  f->step = STEP_ORIGINAL;
  if (f->in_class && !f->state->dropped && !f->region->unusable && !f->rt->on_host) start(f, call);
  if (f->in_class) f->state->learned += f->in_class->generation != generation;
  f->waits = !call->nowait || f->measuring || f->prepared.slots || f->prepared.textures;
  f->clocked = !f->state || regret_wants_clock(f);
  if (f->clocked) clock_begin(f);
  mark_writers(f, call->nowait);
}

/* ---- launching ---- */

static bool is_version(const struct flight *f) {
  return f->step != STEP_ORIGINAL && f->step != STEP_FIRST && f->step != STEP_BESIDE;
}

static struct rt_request request_of(const struct rt_call *call, bool wait) {
  return (struct rt_request){.host_ptr = call->host_ptr, .teams = call->teams, .dynamic_shared_bytes = call->dynamic_shared_bytes, .wait = wait};
}

/* Whether what the launch takes beside its kernel is charged (regret.c). */
static bool is_charged(const struct flight *f) { return f->step == STEP_PROFILE || (f->step == STEP_TRIAL && f->measuring); }

static int launch(struct flight *f, const struct rt_call *call, rt_launcher launcher, void *context) {
  int rc;
  if (f->step == STEP_SLICES && slices_launch(f, call, launcher, context, &rc)) return rc;
  const struct rt_request original = request_of(call, f->waits);
  f->prepared.request.wait = f->waits;
  const uint64_t delayed_ns = is_charged(f) ? f->rt->ops.delayed_ns() : 0;
  if (f->clocked) f->launched_ns = f->rt->ops.now_ns();
  rc = launcher(context, is_version(f) ? &f->prepared.request : &original);
  if (rc && is_version(f)) {
    /* libomptarget 19 ends the program when a launch fails; others may let it go on. */
    pthread_mutex_lock(&f->device->lock);
    f->state->dropped = WHY_NOT_LAUNCHED;
    pthread_mutex_unlock(&f->device->lock);
    rc = launcher(context, &original);
  }
  if (f->clocked) f->returned_ns = f->rt->ops.now_ns();
  if (is_charged(f)) f->delayed_ns = (double)(f->rt->ops.delayed_ns() - delayed_ns);
  return rc;
}

/* ---- ending ---- */

/* Whether launches get the original whichever size comes next, of those that the region has had. */
static bool is_settled_on_original(const struct rt_device_region *s) {
  enum { FEW = 4 }; /* sizes, that are soon looked through */
  if (s->class_count > FEW || s->force.any) return false;
  for (unsigned i = 0; i < s->class_count; i++)
    if (s->classes[i]->phase != CLASS_SETTLED || s->classes[i]->chosen >= 0) return false;
  return true;
}

static bool is_routine(const struct flight *f) {
  const struct rt_class *c = f->in_class;
  return f->step == STEP_ORIGINAL && !f->clocked && c && c->unclocked < c->clock_in && is_settled_on_original(f->state);
}

bool dispatch_is_routine(const struct rt_device *device, const struct rt_region *region) {
  const struct rt_device_region *state = atomic_load_explicit(&region->device[device->number], memory_order_acquire);
  return state && atomic_load_explicit(&state->routine, memory_order_relaxed);
}

static void look(struct flight *f, uint32_t *words, double profile_ns) {
  struct rt_class *c = f->in_class;
  rank_plans(f, words);
  pthread_mutex_lock(&f->device->lock);
  c->profile_ns = profile_ns;
  flight_note(f, HISTORY_LOOKED, profile_ns + c->solve_ns, NULL);
  if (c->phase == CLASS_SETTLED) flight_note_settled(f);
  report_decision(f->rt, f->region, c);
  pthread_mutex_unlock(&f->device->lock);
  if (f->rt->config.case_folder) case_write(f->rt, f->region, c, &f->decision->view.launch, words);
}

static void after_first(struct flight *f) {
  uint32_t *words = NULL;
  double profile_ns = 0;
  if (f->step == STEP_PROFILE) {
    uint64_t from = f->rt->ops.now_ns();
    words = prepare_read_profile(f->device, f->module, f->region->region);
    profile_ns = (double)(f->launched_ns - f->begun_ns) + (double)(f->rt->ops.now_ns() - from);
  }
  if (!f->state->force.any) {
    look(f, words, profile_ns);
    advise_looked(f, words);
  }
  free(words);
}

static void after_timed(struct flight *f, double kernel_ns) {
  struct rt_class *c = f->in_class;
  if (f->step == STEP_FORCED && kernel_ns > 0) c->sample[c->samples++ % RT_SAMPLES] = kernel_ns;
  else plan_measured(f, kernel_ns);
}

static void count(struct flight *f, int rc, uint64_t ended_ns) {
  struct rt_device_region *s = f->state;
  struct rt_class *c = f->in_class;
  if (!s) return;
  s->fallback_launches += rc != 0;
  s->original_launches += !is_version(f);
  if (is_version(f) && c) c->placed_launches++;
  if (f->step == STEP_PRESUMED) c->presumed_launches++;
  if (f->step == STEP_PLAN && c && c->phase == CLASS_SETTLED) c->saved_ns += c->gain_ns;
  plan_passed(f);
  if (!f->clocked || f->measuring) return;
  s->overhead_ns += (double)(f->launched_ns - f->begun_ns) + (double)(ended_ns - f->returned_ns);
  s->overhead_samples++;
}

/* What was measured. A comparison that ends as those before it teaches nothing about other sizes. */
static void after_measured(struct flight *f, double kernel_ns, int rc) {
  const struct rt_class *c = f->in_class;
  const bool compares = c->phase == CLASS_SETTLED && (f->step == STEP_WATCH || f->step == STEP_BESIDE);
  const bool in_one = f->step != STEP_SLICES && f->step != STEP_ORIGINAL; /* which a launch may be that could not be sliced */
  const unsigned generation = c->generation;
  if (in_one && !rc) after_timed(f, kernel_ns);
  f->device->measuring = false;
  f->decision->pinned = false;
  f->state->learned += !compares || c->generation != generation;
}

static void end(struct flight *f, int rc) {
  double kernel_ns = 0;
  if (f->measuring && !rc && f->prepared.timer_entry)
    kernel_ns = prepare_read_timer(f->device, f->module, f->prepared.timer_entry);
  if (f->measuring && !rc && (f->step == STEP_FIRST || f->step == STEP_PROFILE)) after_first(f);
  pthread_mutex_lock(&f->device->lock);
  unmark_writers(f);
  if (f->module) prepare_release(&f->prepared, f->device, f->module);
  uint64_t ended_ns = f->clocked ? f->rt->ops.now_ns() : 0;
  regret_account(f, kernel_ns, ended_ns);
  if (f->measuring) after_measured(f, kernel_ns, rc);
  count(f, rc, ended_ns);
  if (!rc) advise_unlooked(f);
  if (f->state) atomic_store_explicit(&f->state->routine, is_routine(f), memory_order_relaxed);
  pthread_mutex_unlock(&f->device->lock);
}

/* ---- routine launches ---- */

/* The original, where a decision of earlier launches tells all that there is to know and nothing is due: what begin and end do for such a launch,
 * without what they would find out. False: it needs all of that. */
static bool routine_begin(struct flight *f, const struct rt_call *call) {
  struct rt_device_region *s = f->region->device[f->device->number];
  f->decision = s ? decision_known(f->device, s, f->region, call) : NULL;
  struct rt_class *c = f->decision ? f->decision->in_class : NULL;
  if (!c || c->phase != CLASS_SETTLED || c->chosen >= 0 || c->unclocked >= c->clock_in || f->decision->view.changes_mapped) return false;
  if (class_check_is_due(c)) return false;
  f->device->launches++;
  s->launches++, s->fast++, s->original_launches++;
  s->nowait_launches += call->nowait;
  c->launches++, c->unclocked++;
  mark_writers(f, call->nowait);
  if (c->unclocked >= c->clock_in) atomic_store_explicit(&s->routine, false, memory_order_relaxed);
  return true;
}

static bool routine_launch(struct rt_device *device, struct rt_region *region, const struct rt_call *call, rt_launcher launcher, void *context,
                           int *rc) {
  const struct rt_request original = request_of(call, !call->nowait);
  struct flight f; /* of which only what follows, and what is written, is used */
  f.device = device;
  f.region = region;
  f.written_count = 0;
  pthread_mutex_lock(&device->lock);
  bool routine = routine_begin(&f, call);
  pthread_mutex_unlock(&device->lock);
  if (!routine) return false;
  *rc = launcher(context, &original);
  if (!*rc && !f.written_count && !f.writes_unknown) return true;
  pthread_mutex_lock(&device->lock);
  unmark_writers(&f);
  region->device[device->number]->fallback_launches += *rc != 0;
  pthread_mutex_unlock(&device->lock);
  return true;
}

int dispatch_launch(struct runtime *rt, struct rt_device *device, struct rt_region *region, const struct rt_call *call,
                    rt_launcher launcher, void *context) {
  struct flight f;
  int rc;
  if (call->routine && routine_launch(device, region, call, launcher, context, &rc)) return rc;
  memset(&f, 0, offsetof(struct flight, prepared));
  f.prepared.slots = f.prepared.textures = f.prepared.timer_entry = 0;
  f.prepared.copying_ns = 0;
  f.written_count = 0;
  f.rt = rt;
  f.device = device;
  f.region = region;
  f.begun_ns = call->routine ? 0 : rt->ops.now_ns();
  pthread_mutex_lock(&device->lock);
  begin(&f, call);
  pthread_mutex_unlock(&device->lock);
  rc = launch(&f, call, launcher, context);
  end(&f, rc);
  return rc;
}

/* ---- regions without a table ---- */

void dispatch_unknown_begin(struct rt_device *device, bool nowait) {
  pthread_mutex_lock(&device->lock);
  device->unknown_launches++;
  device->ext.writers++;
  if (nowait) device->ext.unstable = WHY_UNKNOWN_NOWAIT;
  pthread_mutex_unlock(&device->lock);
}

void dispatch_unknown_end(struct rt_device *device) {
  pthread_mutex_lock(&device->lock);
  device->ext.writers--;
  ext_change_all(&device->ext);
  pthread_mutex_unlock(&device->lock);
}

int dispatch_unknown(struct rt_device *device, const struct rt_call *call, rt_launcher launcher, void *context) {
  const struct rt_request original = {.host_ptr = call->host_ptr, .teams = call->teams,
                                      .dynamic_shared_bytes = call->dynamic_shared_bytes};
  dispatch_unknown_begin(device, call->nowait);
  int rc = launcher(context, &original);
  dispatch_unknown_end(device);
  return rc;
}

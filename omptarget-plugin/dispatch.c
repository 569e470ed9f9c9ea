#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "class.h"
#include "decision.h"
#include "needs.h"
#include "prepare.h"
#include "report.h"
#include "versions.h"

enum step { STEP_ORIGINAL, STEP_FIRST, STEP_PROFILE, STEP_TRIAL, STEP_PLAN, STEP_FORCED };
enum { MAX_WRITTEN = 32, SAMPLE_EVERY = 16, MAX_MISSES = 8 };

/* A launch between its beginning and its end. */
struct flight {
  struct runtime *rt;
  struct rt_device *device;
  struct rt_region *region;
  struct rt_device_region *state;
  struct rt_module_state *module;
  struct decision *decision; /* valid under the lock, and outside of it while it is pinned */
  struct rt_class *in_class;
  enum step step;
  int arm;                   /* of STEP_TRIAL */
  bool measuring;            /* this launch holds device->measuring */
  bool patient;              /* what it takes counts towards the region's first look */
  bool clocked;              /* launched_ns and returned_ns are read */
  double planning_ns;        /* spent on making this launch's plan */
  struct prepared prepared;
  struct ext_object *written[MAX_WRITTEN];
  unsigned written_count;
  bool writes_unknown;
  uint64_t begun_ns, launched_ns, returned_ns;
};

/* ---- what a launch writes ---- */

static const char nowait_reason[] = "written by a nowait region";

static void mark_writers(struct flight *f, bool nowait) {
  struct extents *ext = &f->device->ext;
  const struct view *view = f->decision ? &f->decision->view : NULL;
  f->writes_unknown = !view || view->writes_unknown || view->written_count > MAX_WRITTEN;
  if (f->writes_unknown) {
    ext->writers++;
    if (nowait) ext->unstable = "a nowait region may write it";
    return;
  }
  for (unsigned i = 0; i < view->written_count; i++) {
    f->written[f->written_count++] = view->written[i];
    ext_use(view->written[i], true);
    if (nowait && !view->written[i]->unstable) view->written[i]->unstable = nowait_reason;
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

static enum step choose_forced(struct flight *f) {
  const struct force_choice *force = &f->state->force;
  if (force->version == FORCE_PROFILE) return f->device->measuring ? STEP_ORIGINAL : STEP_PROFILE;
  return STEP_FORCED;
}

/* A region that is launched once, or hardly runs, pays for nothing. */
static bool is_worth_looking_at(const struct flight *f) {
  return f->state->launches > 1 && f->state->spent_ns >= f->rt->config.patience_ns;
}

static enum step choose(struct flight *f) {
  struct rt_class *c = f->in_class;
  if (f->state->force.any) return choose_forced(f);
  if (!f->device->measuring) class_check_drift(c);
  if (c->phase == CLASS_SETTLED) return c->chosen >= 0 ? STEP_PLAN : STEP_ORIGINAL;
  if (c->phase == CLASS_TRIAL && f->device->measuring) tune_break_lap(&c->tune);
  if (f->device->measuring) return STEP_ORIGINAL;
  if (c->phase == CLASS_TRIAL) return STEP_TRIAL;
  return is_worth_looking_at(f) ? STEP_FIRST : STEP_ORIGINAL;
}

static void fall_back(struct flight *f, const char *why) {
  struct rt_class *c = f->in_class;
  f->step = STEP_ORIGINAL;
  if (strncmp(c->fell_back, why, sizeof c->fell_back - 1)) snprintf(c->fell_back, sizeof c->fell_back, "%s", why);
  c->fallbacks++;
}

/* Forced spaces that this launch does not allow stay global, and are named in the report. */
static void legal_forced(struct flight *f, enum place_space *spaces) {
  const struct place_region *r = f->region->region;
  for (size_t a = 0; a < r->array_count; a++) {
    int p = r->arrays[a].placeable;
    if (p < 0 || f->decision->view.allowed[a] & PLACE_SPACE_BIT(spaces[p])) continue;
    const struct view_array *v = &f->decision->view.array[a];
    const char *why = f->decision->view.refused ? f->decision->view.refused : v->why_global ? v->why_global
      : v->why_constant ? v->why_constant : v->object && v->object->unstable ? v->object->unstable : "not legal here";
    if (f->state->force.asked[p])
      snprintf(f->in_class->note, sizeof f->in_class->note, "%s: %s is not in %s memory: %s",
               f->state->force.hinted ? "#pragma place" : "PLACE_FORCE", r->arrays[a].name,
               place_space_name(spaces[p]), why);
    spaces[p] = PLACE_GLOBAL;
  }
}

static bool try_forced(struct flight *f, const enum place_space *spaces) {
  f->decision->planned = -1;
  return !decision_force(f->decision, f->region, spaces, &f->state->force, f->rt->machine);
}

/* `all=space` means as many arrays as can be there: leaves out those that cannot even alone, then the last ones. */
static bool try_fewer(struct flight *f, enum place_space *spaces) {
  const struct force_choice *force = &f->state->force;
  enum place_space alone[PLACE_MAX_PLACEABLE];
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) {
    if (force->asked[i] || spaces[i] == PLACE_GLOBAL) continue;
    memset(alone, 0, sizeof alone);
    alone[i] = spaces[i];
    if (!try_forced(f, alone)) spaces[i] = PLACE_GLOBAL;
  }
  bool made = try_forced(f, spaces);
  for (unsigned i = PLACE_MAX_PLACEABLE; !made && i-- > 0;) {
    if (force->asked[i] || spaces[i] == PLACE_GLOBAL) continue;
    spaces[i] = PLACE_GLOBAL;
    made = try_forced(f, spaces);
  }
  return made;
}

static bool any_placed(const enum place_space *spaces) {
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++)
    if (spaces[i] != PLACE_GLOBAL) return true;
  return false;
}

/* The plan of the first launch with these arguments is kept; decision_force says whether there is one already. */
static bool plan_forced(struct flight *f) {
  const struct force_choice *force = &f->state->force;
  enum place_space spaces[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  bool asked = force->version != FORCE_ANY;
  if (f->decision->planned == TUNE_MAX_ARMS || decision_recall(f->decision, f->region, TUNE_MAX_ARMS)) return !*f->decision->refused;
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) {
    spaces[i] = force->version == FORCE_BASE ? PLACE_GLOBAL : force->space[i];
    asked |= force->space[i] == PLACE_GLOBAL && force->asked[i];
  }
  legal_forced(f, spaces);
  if ((any_placed(spaces) || asked) && (try_forced(f, spaces) || (any_placed(spaces) && try_fewer(f, spaces))) &&
      (any_placed(spaces) || asked))
    *f->decision->refused = 0;
  else if (!*f->decision->refused)
    snprintf(f->decision->refused, sizeof f->decision->refused, "nothing that it asks for is possible here");
  f->decision->planned = TUNE_MAX_ARMS;
  decision_remember(f->decision, TUNE_MAX_ARMS);
  return !*f->decision->refused;
}

static void start_forced(struct flight *f, const struct rt_call *call) {
  const char *why = f->decision->refused;
  bool timed = !f->device->measuring && f->module->timer;
  if (!plan_forced(f) || prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, call, timed, &why)) {
    fall_back(f, why);
    return;
  }
  f->measuring = f->prepared.timer_entry != 0;
  if (class_make_room(f->in_class)) f->in_class->plan[0] = f->decision->plan; /* for the report */
}

/* The arm whose turn it is; false: there was nothing left to try, and the class is settled. */
static bool take_arm(struct flight *f, const struct rt_call *call) {
  struct rt_class *c = f->in_class;
  f->arm = tune_next(&c->tune, decision_identity(call), f->rt->config.threshold);
  class_after_trial(c, f->region);
  if (c->phase == CLASS_TRIAL) return true;
  report_decision(f->rt, f->region, c);
  f->step = c->chosen >= 0 ? STEP_PLAN : STEP_ORIGINAL;
  return false;
}

static void start_plan(struct flight *f, const struct rt_call *call) {
  struct rt_class *c = f->in_class;
  const char *why = f->decision->refused;
  bool trial = f->step == STEP_TRIAL && take_arm(f, call);
  if (f->step == STEP_ORIGINAL) return;
  int index = trial ? f->arm : c->chosen;
  bool made = f->decision->planned != index;
  uint64_t from = made ? f->rt->ops.now_ns() : 0;
  bool failed = decision_plan(f->decision, f->region, index, f->rt->machine) != 0;
  if (made) f->planning_ns = (double)(f->rt->ops.now_ns() - from);
  if (!trial) class_check_planning(c, f->planning_ns);
  failed = failed || prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, call, trial, &why);
  if (!failed) {
    f->measuring = f->step == STEP_TRIAL;
    c->plan[index].teams = f->decision->plan.teams; /* for the report */
    return;
  }
  /* What stands in the way may pass (a writer in flight, a slot in use); what stays is taken out of the trial. */
  if (trial) tune_break_lap(&c->tune);
  if (trial && (*f->decision->refused || ++c->trial_misses > MAX_MISSES)) {
    tune_drop(&c->tune, index, f->rt->config.threshold);
    class_after_trial(c, f->region);
    c->trial_misses = 0;
  }
  fall_back(f, why);
}

static void start_profile(struct flight *f, const struct rt_call *call) {
  const char *why = NULL;
  f->measuring = true;
  if (!prepare_profile(&f->prepared, f->device, f->module, f->region, f->decision, call, &why)) return;
  f->step = STEP_FIRST;
  snprintf(f->in_class->note, sizeof f->in_class->note, "not profiled: %s", why);
}

/* The module is looked up only for a launch that may be anything but the original's. */
static void start(struct flight *f, const struct rt_call *call) {
  f->step = choose(f);
  if (f->step == STEP_ORIGINAL) return;
  f->module = prepare_module(f->device, f->region->module, f->rt->prepare);
  if (!f->module) {
    f->step = STEP_ORIGINAL;
    return;
  }
  if (f->step == STEP_FIRST && can_profile(f)) f->step = STEP_PROFILE;
  if (f->step == STEP_PROFILE) start_profile(f, call);
  else if (f->step == STEP_FIRST) f->measuring = true;
  else if (f->step == STEP_FORCED) start_forced(f, call);
  else start_plan(f, call);
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
  struct place_diag diag = {""};
  if (force_apply(f->rt->force, f->region->region, &s->force, &diag))
    snprintf(s->force_note, sizeof s->force_note, "%.200s", diag.text);
  f->region->device[f->device->number] = s;
  return s;
}

static void begin(struct flight *f, const struct rt_call *call) {
  bool fast = false;
  const char *why = "out of memory";
  f->device->launches++;
  f->state = state_of(f);
  if (f->state) f->decision = decision_find(f->device, f->state, f->region, call, &fast, &why);
  if (f->state) {
    f->state->launches++;
    f->state->nowait_launches += call->nowait;
    f->patient = f->state->spent_ns < f->rt->config.patience_ns;
    *(fast ? &f->state->fast : &f->state->slow) += 1;
  }
  if (!f->decision || f->decision->view.changes_mapped) view_apply_maps(call, &f->device->ext);
  f->in_class = f->decision ? f->decision->in_class : NULL;
  if (f->in_class) f->in_class->launches++;
  f->step = STEP_ORIGINAL;
  if (f->in_class && !call->nowait && !f->state->dropped && !f->region->unusable) start(f, call);
  mark_writers(f, call->nowait);
}

/* ---- launching ---- */

static bool is_version(const struct flight *f) {
  return f->step != STEP_ORIGINAL && f->step != STEP_FIRST;
}

static int launch(struct flight *f, const struct rt_call *call, rt_launcher launcher, void *context) {
  const struct rt_request original = {.host_ptr = call->host_ptr, .teams = call->teams,
                                      .dynamic_shared_bytes = call->dynamic_shared_bytes};
  /* Reading a clock costs as much as the rest of a settled launch's dispatch. */
  f->clocked = f->measuring || f->patient || !f->state || f->state->launches % SAMPLE_EVERY == 0;
  if (f->clocked) f->launched_ns = f->rt->ops.now_ns();
  int rc = launcher(context, is_version(f) ? &f->prepared.request : &original);
  if (rc && is_version(f)) {
    /* libomptarget 19 ends the program when a launch fails; others may let it go on. */
    pthread_mutex_lock(&f->device->lock);
    f->state->dropped = "a version of it could not be launched";
    pthread_mutex_unlock(&f->device->lock);
    rc = launcher(context, &original);
  }
  if (f->clocked) f->returned_ns = f->rt->ops.now_ns();
  return rc;
}

/* ---- ending ---- */

/* Ranks plans; the device is `measuring` and the decision pinned, so no lock is needed but for the result. */
static void solve(struct flight *f, uint32_t *words, double profile_ns) {
  struct runtime *rt = f->rt;
  struct place_profile profile = {words};
  struct place_options options = {.solver = rt->config.solver, .model = rt->config.model};
  struct place_diag diag = {""};
  struct place_plan plans[64];
  struct rt_class *c = f->in_class;
  size_t versions = f->region->region->version_count;
  struct place_estimate *estimate = calloc(versions + 1, sizeof *estimate);
  bool *usable = calloc(versions + 1, sizeof *usable);
  if (!c->summary) c->summary = calloc(f->region->region->array_count + 1, sizeof *c->summary);
  uint64_t from = rt->ops.now_ns();
  if (usable) needs_usable(f->region, &f->decision->view, usable);
  int count = !rt->machine           ? place_diag_set(&diag, "there is no machine model")
              : !estimate || !usable ? place_diag_set(&diag, "out of memory")
                                     : place_plan_rank(f->region->table, f->region->region, &f->decision->view.launch,
                                                       words ? &profile : NULL, rt->machine, &options, plans, 64, c->summary,
                                                       estimate, &diag);
  pthread_mutex_lock(&f->device->lock);
  c->solve_ns = (double)(rt->ops.now_ns() - from);
  c->profile_ns = profile_ns;
  if (count < 0) class_keep_original(c, "no plan: %s", diag.text);
  else
    class_consider(c, f->region, plans, count, estimate, versions_base(f->region), usable, &rt->config);
  free(estimate);
  free(usable);
  report_decision(rt, f->region, c);
  pthread_mutex_unlock(&f->device->lock);
  if (rt->config.case_folder) case_write(rt, f->region, c, &f->decision->view.launch, words);
}

static void after_first(struct flight *f) {
  uint32_t *words = NULL;
  double profile_ns = 0;
  if (f->step == STEP_PROFILE) {
    uint64_t from = f->rt->ops.now_ns();
    words = prepare_read_profile(f->device, f->module, f->region->region);
    profile_ns = (double)(f->launched_ns - f->begun_ns) + (double)(f->rt->ops.now_ns() - from);
  }
  if (!f->state->force.any) solve(f, words, profile_ns);
  free(words);
}

static void after_timed(struct flight *f, double kernel_ns) {
  struct rt_class *c = f->in_class;
  if (f->step == STEP_FORCED && kernel_ns > 0) c->sample[c->samples++ % RT_SAMPLES] = kernel_ns;
  if (f->step != STEP_TRIAL) return;
  double threshold = f->rt->config.threshold;
  const struct tune_took took = {kernel_ns, (double)(f->launched_ns - f->begun_ns) - f->planning_ns,
                                 (double)(f->returned_ns - f->begun_ns)};
  if (f->state->dropped) tune_drop(&c->tune, f->arm, threshold);
  else tune_record(&c->tune, f->arm, &took, threshold);
  class_after_trial(c, f->region);
  if (c->phase == CLASS_SETTLED) report_decision(f->rt, f->region, c);
}

static void count(struct flight *f, int rc) {
  struct rt_device_region *s = f->state;
  if (!s) return;
  s->fallback_launches += rc != 0;
  s->original_launches += !is_version(f);
  if (is_version(f) && f->in_class) f->in_class->placed_launches++;
  if (f->patient) s->spent_ns += (double)(f->returned_ns - f->begun_ns);
  if (!f->clocked || f->measuring) return;
  s->overhead_ns += (double)(f->launched_ns - f->begun_ns) + (double)(f->rt->ops.now_ns() - f->returned_ns);
  s->overhead_samples++;
}

static void end(struct flight *f, int rc) {
  double kernel_ns = 0;
  if (f->measuring && !rc && f->prepared.timer_entry)
    kernel_ns = prepare_read_timer(f->device, f->module, f->prepared.timer_entry);
  if (f->measuring && !rc && (f->step == STEP_FIRST || f->step == STEP_PROFILE)) after_first(f);
  pthread_mutex_lock(&f->device->lock);
  unmark_writers(f);
  if (f->module) prepare_release(&f->prepared, f->module);
  if (f->measuring && !rc) after_timed(f, kernel_ns);
  if (f->measuring) {
    f->device->measuring = false;
    f->decision->pinned = false;
  }
  count(f, rc);
  pthread_mutex_unlock(&f->device->lock);
}

int dispatch_launch(struct runtime *rt, struct rt_device *device, struct rt_region *region, const struct rt_call *call,
                    rt_launcher launcher, void *context) {
  struct flight f;
  memset(&f, 0, offsetof(struct flight, prepared));
  f.prepared.slots = f.prepared.timer_entry = 0;
  f.written_count = 0;
  f.rt = rt;
  f.device = device;
  f.region = region;
  f.begun_ns = rt->ops.now_ns();
  pthread_mutex_lock(&device->lock);
  begin(&f, call);
  pthread_mutex_unlock(&device->lock);
  int rc = launch(&f, call, launcher, context);
  end(&f, rc);
  return rc;
}

/* ---- regions without a table ---- */

void dispatch_unknown_begin(struct rt_device *device, bool nowait) {
  pthread_mutex_lock(&device->lock);
  device->unknown_launches++;
  device->ext.writers++;
  if (nowait) device->ext.unstable = "a nowait region of which nothing is known may write it";
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

/* Launches of a class's plans: tried, settled on, and watched. */
#include "class.h"
#include "decision.h"
#include "flight.h"
#include "presume.h"
#include "regret.h"
#include "report.h"

enum { MAX_MISSES = 8 };

/* A trial is over. */
static void note_end(struct flight *f) {
  if (f->in_class->chosen >= 0) f->state->fruitless = 0;
  flight_note_settled(f);
  report_decision(f->rt, f->region, f->in_class);
}

static int leader_of(const struct rt_class *c) {
  double share;
  bias_guess(&c->bias, &share);
  return tune_leader(&c->tune, share);
}

/* Whether there is an arm that an earlier trial chose, and what this one has measured so far does not speak against it. */
static bool still_leads(const struct rt_class *c) {
  if (c->chosen <= 0) return false;
  const struct tune_arm *a = &c->tune.arm[c->chosen], original = judge_original(&c->tune);
  bool both = a->first_ns > 0 && original.first_ns > 0;
  return !a->out && (!both || judge_time(a) < judge_time(&original));
}

static enum step follow(struct flight *f, int leader) {
  f->plan = leader > 0 ? leader : still_leads(f->in_class) ? f->in_class->chosen : -1;
  return f->plan > 0 ? STEP_PLAN : STEP_ORIGINAL;
}

enum step plan_meanwhile(struct flight *f) { return follow(f, leader_of(f->in_class)); }

/* A period that the budget does not cover yet. After a while what leads is settled on, so that it is watched. */
static void wait_for_budget(struct flight *f) {
  enum { MOST = 64 }; /* periods */
  struct rt_class *c = f->in_class;
  int leader = leader_of(c);
  tune_break_period(&c->tune);
  f->step = follow(f, leader);
  c->waited_launches++;
  if (leader < 0 || ++c->waiting <= MOST * c->tune.period_launches) return;
  tune_settle(&c->tune, leader);
  class_after_trial(c, f->region);
  note_end(f);
}

/* ---- the original beside the base (bias.h) ---- */

static unsigned period_of(const struct rt_class *c) { return c->phase == CLASS_TRIAL ? c->tune.period_launches : c->watch.period_launches; }

static void correct(struct rt_class *c) { c->tune.original = c->watch.original = bias_original(&c->bias); }

/* A launch that would be the base's or another's becomes the original's where it is wanted for comparison. PLACE_PATIENCE=0: never,
 * what is launched depends on counts alone. */
static void take_original(struct flight *f, bool base_begins) {
  if (!(f->rt->config.patience_ns > 0) || !bias_wants_original(&f->in_class->bias, period_of(f->in_class), base_begins)) return;
  f->plan = -1;
  f->step = STEP_BESIDE;
}

bool plan_wants_original(const struct flight *f) {
  const struct rt_class *c = f->in_class;
  return c->phase == CLASS_SETTLED && c->chosen > 0 && bias_is_open(&c->bias, period_of(c));
}

/* In the units of the class's first launch where no two launches are alike. */
static double comparable_ns(const struct flight *f, double kernel_ns) {
  const struct rt_class *c = f->in_class;
  uint64_t work = class_work(&f->decision->view.launch), first = class_work(&c->shape);
  return c->tune.unlike && work && first ? kernel_ns * (double)first / (double)work : kernel_ns;
}

/* A base's first period has its code loaded, which does not count where it takes long. */
static void note_bias(struct flight *f, double kernel_ns) {
  struct rt_class *c = f->in_class;
  double wall_ns = comparable_ns(f, (double)(f->returned_ns - f->launched_ns));
  bool first = c->phase == CLASS_TRIAL && !c->tune.warm && !(c->tune.arm[0].first_ns > 0);
  bool cold = first && kernel_ns * (c->tune.period_launches ? c->tune.period_launches : 1) < TUNE_LONG_NS;
  if (f->step == STEP_BESIDE) bias_record_original(&c->bias, period_of(c), wall_ns);
  else if (!f->plan && !cold) bias_record_base(&c->bias, period_of(c), wall_ns, comparable_ns(f, kernel_ns));
}

/* ---- choosing ---- */

/* Whether so many launches of the original in a row took so long each, and as long as each other, that what tells them apart does not
 * matter. Short ones may be the stages of a transform, which come again: those are waited for. */
static bool are_alike(const struct rt_class *c) {
  enum { FEW = 8, MORE = 16 };
  static const double short_ns = 200e3; /* beside which what the host does is little */
  return c->usual_original_ns >= short_ns && c->alike_originals >= (c->usual_original_ns >= TUNE_LONG_NS ? FEW : MORE);
}

/* The arm whose turn it is, if it may be launched now; where there was nothing left to try, the class is settled. */
static void take_arm(struct flight *f) {
  struct rt_class *c = f->in_class;
  correct(c);
  if (are_alike(c)) tune_set_alike(&c->tune);
  f->plan = tune_next(&c->tune, f->identity, f->rt->config.threshold);
  class_after_trial(c, f->region);
  if (f->plan == TUNE_ORIGINAL) {
    f->step = STEP_ORIGINAL;
    return;
  }
  if (c->phase == CLASS_TRIAL) {
    bool asks = !c->tune.period.launches || !c->tune.period_launches;
    if (asks && !regret_covers_period(f, f->plan)) wait_for_budget(f);
    else c->waiting = 0;
    if (f->step == STEP_TRIAL) take_original(f, !f->plan && !c->tune.period.launches);
    return;
  }
  note_end(f);
  f->plan = c->chosen;
  f->step = c->chosen >= 0 ? STEP_PLAN : STEP_ORIGINAL;
}

static void take_side(struct flight *f) {
  struct watch *w = &f->in_class->watch;
  if ((f->side = watch_next(w)) == WATCH_BASE) f->plan = 0;
  take_original(f, f->side == WATCH_BASE && !w->period_done[WATCH_BASE]);
}

/* What stands in the way may pass (a writer in flight, a slot in use); what stays is taken out of the trial. */
static void miss(struct flight *f) {
  struct rt_class *c = f->in_class;
  if (f->step == STEP_WATCH) watch_break(&c->watch);
  bias_break(&c->bias);
  if (f->step != STEP_TRIAL) return;
  tune_break_period(&c->tune);
  if (!*f->decision->refused && ++c->trial_misses <= MAX_MISSES) return;
  tune_drop(&c->tune, f->plan, f->rt->config.threshold);
  class_after_trial(c, f->region);
  c->trial_misses = 0;
}

void plan_start(struct flight *f, const struct rt_call *call) {
  struct rt_class *c = f->in_class;
  const char *why = f->decision->refused;
  if (f->step != STEP_PLAN) f->identity = decision_identity(f->region, call);
  if (f->step == STEP_TRIAL) take_arm(f);
  if (f->step == STEP_WATCH) take_side(f);
  if (f->step == STEP_BESIDE) f->measuring = true;
  if (f->step == STEP_ORIGINAL && presume_may(f)) presume_start(f, call);
  if (f->step == STEP_ORIGINAL || f->step == STEP_BESIDE || f->step == STEP_PRESUMED) return;
  bool made = !decision_has_plan(f->decision, f->plan), timed = f->step != STEP_PLAN;
  f->prepared_ns = made || timed ? f->rt->ops.now_ns() : 0;
  bool failed = decision_plan(f->decision, f->region, f->plan, f->rt->machine) != 0;
  if (made) f->planning_ns = (double)(f->rt->ops.now_ns() - f->prepared_ns);
  failed = failed || prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, call, timed, &why);
  if (failed) {
    miss(f);
    flight_fall_back(f, why);
  } else {
    if (f->step == STEP_TRIAL) c->trial_misses = 0;
    f->measuring = timed;
    c->plan[f->plan].teams = f->decision->plan.teams; /* for the report */
  }
  if (!timed) class_check_preparing(c, f->planning_ns, f->prepared.copying_ns);
}

/* ---- after the launch ---- */

static void after_trial(struct flight *f, double kernel_ns) {
  struct rt_class *c = f->in_class;
  double threshold = f->rt->config.threshold;
  const struct tune_took took = {kernel_ns, (double)(f->launched_ns - f->prepared_ns) - f->planning_ns,
                                 (double)(f->returned_ns - f->begun_ns), f->prepared.copies};
  flight_note(f, HISTORY_TRIED, kernel_ns, &c->plan[f->plan]);
  if (f->state->dropped) tune_drop(&c->tune, f->plan, threshold);
  else tune_record(&c->tune, f->plan, &took, threshold);
  class_after_trial(c, f->region);
  if (c->phase == CLASS_SETTLED) note_end(f);
}

/* A version that loses at one size may at others. */
static void doubt_elsewhere(struct flight *f, int version) {
  for (unsigned i = 0; i < f->state->class_count; i++) {
    struct rt_class *c = f->state->classes[i];
    if (c->phase == CLASS_SETTLED && class_is_watched(c, &f->rt->config) && c->plan[c->chosen].version == version) watch_doubt(&c->watch);
  }
}

static void after_watch(struct flight *f, double kernel_ns) {
  struct rt_class *c = f->in_class;
  flight_note(f, HISTORY_COMPARED, kernel_ns, &c->plan[f->plan]);
  if (c->phase != CLASS_SETTLED || c->chosen <= 0 || !watch_record(&c->watch, f->side, kernel_ns)) return;
  regret_charge_unseen(f, watch_unseen_loss(&c->watch));
  doubt_elsewhere(f, c->plan[c->chosen].version);
  flight_note(f, HISTORY_GAVE_UP, 0, &c->plan[c->chosen]);
  class_give_up(c, f->region);
  report_decision(f->rt, f->region, c);
}

void plan_measured(struct flight *f, double kernel_ns) {
  note_bias(f, kernel_ns);
  correct(f->in_class);
  if (f->step == STEP_TRIAL) after_trial(f, comparable_ns(f, kernel_ns));
  if (f->step == STEP_WATCH) after_watch(f, comparable_ns(f, kernel_ns));
}

void plan_passed(struct flight *f) {
  struct rt_class *c = f->in_class;
  if (f->step != STEP_PLAN || c->phase != CLASS_SETTLED || !class_is_watched(c, &f->rt->config)) return;
  bool clocked = f->clocked && f->waits && c->tune.period_launches == 1;
  watch_pass(&c->watch, clocked ? comparable_ns(f, (double)(f->returned_ns - f->launched_ns)) : 0);
}

#include "regret.h"

#include <math.h>
#include <stdlib.h>

#include "class.h"

/* ---- foresight ---- */

/* What looking at a region costs where it was never done. */
static const double look_ns = 1.8e6;
static const double profile_share = 0.05; /* of the kernel's time, that the profiling version may take longer */

/* What a version may take beyond the base at worst, as a fraction of it, before it was launched: what 95% of the launches on an H200
 * stayed below (benchmarks/study-h200.csv, each version forced). A constant copy that is not read uniformly is the exception that
 * the models know of; where they do not, up to 90 times was measured. */
static const double risk_of_plain = 0.2, risk_of_placement = 0.25, risk_of_constant = 3, risk_of_blocks = 1,
                    risk_of_base = 0.2;

static bool is_bounded(const struct flight *f) { return f->rt->config.patience_ns > 0; }

/* A region whose trials came to nothing, or to no end, at several sizes is less likely to gain at the next: each makes the part of
 * its budget that may be used smaller. */
static double usable(const struct rt_device_region *s) {
  double wariness = s->fruitless > 1 ? 1 + (s->fruitless - 1) / 2.0 : 1;
  return budget_allowed(&s->budget) / wariness - s->budget.spent_ns;
}

static bool covers(const struct flight *f, double ns) {
  return !is_bounded(f) || (ns <= usable(f->state) && budget_covers(&f->device->budget, ns));
}

static bool has_constant(const struct place_plan *plan) {
  for (unsigned i = 0; i < plan->placeable_count; i++)
    if (place_space_copy(plan->array[i].space) == PLACE_COPY_PROGRAM) return true;
  return false;
}

/* What a plan is predicted to take beyond the original, as a fraction of it; 0: nothing is predicted. */
static double predicted_loss(const struct rt_class *c, const struct place_plan *plan) {
  return c->predicted_base_ns > 0 ? plan->cost_ns / c->predicted_base_ns - 1 : 0;
}

static double risk_of(const struct flight *f, const struct place_plan *plan) {
  const struct place_region *r = f->region->region;
  const struct place_version *version = &r->versions[plan->version];
  if (place_version_is_plain(r, version)) return risk_of_plain;
  double risk = version->block.dims ? risk_of_blocks : has_constant(plan) ? risk_of_constant : risk_of_placement;
  double predicted = predicted_loss(f->in_class, plan);
  return predicted > risk ? predicted : risk;
}

/* What a launch of the class takes with the original, by its latest periods. */
static double base_ns(const struct rt_class *c) { return c->yardstick ? c->yardstick->mean_ns : 0; }

/* What the base itself may. */
static double base_loss(const struct rt_class *c, double period_ns) {
  double share;
  if (bias_guess(&c->bias, &share)) return (1 - share) * period_ns;
  return period_ns > 0 ? 0 : risk_of_base * c->original_ns;
}

/* What a launch of an arm may take beyond the original. */
static double foreseen_loss(const struct flight *f, int arm) {
  const struct rt_class *c = f->in_class;
  const struct tune_arm *a = &c->tune.arm[arm];
  double share, period_ns = judge_time(&c->tune.arm[0]);
  if (!arm) return base_loss(c, period_ns);
  if (c->plan[arm].version < 0) return 0;
  bias_guess(&c->bias, &share);
  period_ns *= share;
  if (!(a->first_ns > 0)) return risk_of(f, &c->plan[arm]) * (period_ns > 0 ? period_ns : base_ns(c));
  double loss = judge_time(a) - period_ns;
  return loss > 0 ? loss : 0;
}

double regret_patience(const struct flight *f) {
  return budget_patience(f->rt->config.patience_ns, f->region->region->access_count);
}

bool regret_covers_look(const struct flight *f) {
  double wall_ns = f->in_class->original_ns;
  return covers(f, (f->state->look_ns > 0 ? f->state->look_ns : look_ns) + profile_share * wall_ns);
}

/* Whether launches of the arm have all saved more than measuring them costs: they pay back what was spent. */
static bool pays_back(const struct flight *f, int arm) {
  const struct rt_class *c = f->in_class;
  double share;
  bias_guess(&c->bias, &share);
  return arm && tune_saving_ns(&c->tune, arm, share) > 2 * BUDGET_MEASURE_NS;
}

enum { LAUNCHES_BEFORE_DOUBTFUL = 16 };
static const double behind = 0.01; /* beyond what predictions of the same traffic differ by */

/* Whether a placement or blocks that the model puts behind the original may wait: half of such are slower, and a region of few launches has no
 * time to make up for one. Not what the user asked for, or another size of the region has taken up. */
static bool is_doubtful(const struct flight *f, int arm) {
  const struct rt_class *c = f->in_class;
  const struct place_region *r = f->region->region;
  const struct place_plan *plan = &c->plan[arm];
  if (!arm || plan->version < 0 || c->tune.arm[arm].first_ns > 0 || c->sibling || r->asked_blocks) return false;
  return predicted_loss(c, plan) > behind && !place_version_is_plain(r, &r->versions[plan->version]);
}

/* A period whose length is not known yet is asked for launch by launch, with two more in reserve. */
bool regret_covers_period(const struct flight *f, int arm) {
  if (is_bounded(f) && f->in_class->launches < LAUNCHES_BEFORE_DOUBTFUL && is_doubtful(f, arm)) return false;
  unsigned launches = f->in_class->tune.period_launches;
  return pays_back(f, arm) || covers(f, (launches ? launches : 3) * (BUDGET_MEASURE_NS + foreseen_loss(f, arm)));
}

bool regret_covers_recheck(const struct flight *f) {
  enum { ARMS = 3 };
  return covers(f, ARMS * TUNE_MAX_ROUNDS * f->in_class->tune.period_launches * BUDGET_MEASURE_NS);
}

/* ---- clocks ---- */

static const double long_ns = 100e3; /* of a kernel beside which a clock costs nothing */

bool regret_wants_clock(struct flight *f) {
  struct rt_class *c = f->in_class;
  bool always = f->measuring || !c || c->phase != CLASS_SETTLED || base_ns(c) >= long_ns;
  if (!always && c->unclocked < c->clock_in) return c->unclocked++, false;
  f->stands_for = c ? c->unclocked + 1 : 1;
  if (!c) return true;
  c->unclocked = 0;
  c->clock_in = (unsigned)(c->launches * 0x9e3779b97f4a7c15u >> 59); /* 0 to 31, in no rhythm that launches could have */
  return true;
}

/* ---- charges ---- */

void regret_charge(struct flight *f, double ns) {
  budget_charge(&f->state->budget, ns);
  budget_charge(&f->device->budget, ns);
}

/* Where launches are all alike and long, the fastest ones tell what the original's kernel takes: a host that is busy makes none faster. */
static void note_floor(struct rt_class *c, bool alike) {
  bool known = alike && c->original_ns > 0 && c->beside_ns > 0 && base_ns(c) >= long_ns;
  c->bias.floor = known ? fmax(0, (c->original_ns - c->beside_ns) / base_ns(c)) : 0;
}

/* What the base's launches took beyond the original's, as soon as there is something to tell it by: before the first sample, where
 * launches are all alike, the usual wall time of the original. */
static double pay_for_base(struct rt_class *c, double kernel_ns) {
  bool alike = c->tune.period_launches == 1 && !c->tune.unlike;
  double share;
  if (alike && c->usual_original_ns > 0) c->bias.prior = fmin(1, c->usual_original_ns / base_ns(c));
  note_floor(c, alike);
  c->base_unpaid_ns += kernel_ns;
  if (!bias_guess(&c->bias, &share)) return 0;
  double owed = c->base_unpaid_ns * (1 - share);
  c->base_unpaid_ns = 0;
  return owed;
}

/* Of a measured launch: what its kernel took beyond the original's, which the base tells as far as the two are known to be alike. */
static double kernel_loss(struct flight *f, double kernel_ns) {
  struct rt_class *c = f->in_class;
  uint64_t work = class_work(&f->decision->view.launch);
  if ((f->step != STEP_TRIAL && f->step != STEP_WATCH) || !(kernel_ns > 0)) return 0;
  if (!f->plan) {
    if (!c->yardstick) c->yardstick = calloc(1, sizeof *c->yardstick);
    if (c->yardstick) yardstick_record(c->yardstick, f->identity, work, kernel_ns);
    return pay_for_base(c, kernel_ns);
  }
  double base = yardstick_ns(c->yardstick, f->identity, work), share;
  bool known = bias_guess(&c->bias, &share);
  double more = base > 0 ? kernel_ns - base * share : 0;
  return known ? more : fmax(more, 0); /* nothing is known to be saved yet */
}

/* What the launch took between its two clocks beyond its kernel, compared with the least of that: a version's first launch may have
 * its code loaded. What else the host ran meanwhile is no cost; it may have run beside the kernel, so that it tells nothing of the least. */
static double loading(struct flight *f, double inside_ns, double kernel_ns) {
  struct rt_class *c = f->in_class;
  if (f->step != STEP_TRIAL || !(kernel_ns > 0)) return 0;
  double beside = inside_ns - kernel_ns;
  if (!(c->beside_ns > 0) || beside < c->beside_ns) c->beside_ns = beside > 1 ? beside : 1;
  return c->tune.arm[f->plan].count ? 0 : fmax(0, beside - c->beside_ns - f->delayed_ns);
}

static double expense(struct flight *f, double kernel_ns, double inside_ns, uint64_t ended_ns) {
  if (f->step == STEP_SLICES) return f->lost_ns;
  double host_ns = (double)(f->launched_ns - f->begun_ns) + (double)(ended_ns - f->returned_ns) - f->preempted_ns;
  if (f->step == STEP_WATCH) return fmax(kernel_loss(f, kernel_ns), 0);
  if (f->step == STEP_PROFILE && f->in_class->original_ns > 0) host_ns += fmax(0, inside_ns - f->delayed_ns - f->in_class->original_ns);
  if (f->step == STEP_PROFILE || f->step == STEP_FIRST) f->state->look_ns = host_ns;
  double loading_ns = loading(f, inside_ns, kernel_ns); /* first: note_floor goes by the least of what is beside kernels */
  return host_ns + loading_ns + kernel_loss(f, kernel_ns);
}

static void note_original(struct flight *f, double inside_ns) {
  static const double newest = 0.25, like = 0.1;
  struct rt_class *c = f->in_class;
  if (!c || (f->step != STEP_ORIGINAL && f->step != STEP_BESIDE) || !f->waits) return;
  if (!(c->original_ns > 0) || inside_ns < c->original_ns) c->original_ns = inside_ns;
  bool alike = fabs(inside_ns - c->usual_original_ns) < like * c->usual_original_ns;
  c->alike_originals = alike ? c->alike_originals + 1 : 0;
  c->usual_original_ns += (c->usual_original_ns > 0 ? newest : 1) * (inside_ns - c->usual_original_ns);
}

/* What the launch took. A nowait launch returns before its kernel has ended: what such a kernel took when one was measured, and
 * before that what the call itself took. */
static double took_ns(const struct flight *f, uint64_t ended_ns) {
  double measured = f->waits || !f->in_class ? 0 : base_ns(f->in_class);
  return measured > 0 ? measured : (double)(ended_ns - f->begun_ns);
}

/* Launches of several threads wait for each other, and the time that each of them takes counts what others ran: all together have not run for
 * longer than the program has. */
static double within_program(const struct flight *f, const struct budget *budget, double ran_ns, uint64_t ended_ns) {
  uint64_t started_ns = f->rt->started_ns;
  return started_ns ? fmin(ran_ns, fmax(0, (double)(ended_ns - started_ns) - budget->ran_ns)) : ran_ns;
}

/* What a launch of a version saves, by the trial's launches of it and of the base. */
static double gain_ns(const struct flight *f) {
  double share;
  if (!f->in_class || f->plan <= 0 || (f->step != STEP_PLAN && f->step != STEP_TRIAL)) return 0;
  bias_guess(&f->in_class->bias, &share);
  return tune_gain_ns(&f->in_class->tune, f->plan, share);
}

/* Of a launch and those it stands for. Copies that had to be made again have taken of that, or made it a loss. */
static void note_gain(struct flight *f, double gained_ns) {
  gained_ns = fmax(gained_ns, 0); /* below 0: none is known */
  if (f->in_class) gained_ns -= f->in_class->copied_ns, f->in_class->copied_ns = 0;
  budget_gained(&f->state->budget, gained_ns);
  budget_gained(&f->device->budget, gained_ns);
  if (gained_ns < 0) regret_charge(f, -gained_ns);
}

void regret_account(struct flight *f, double kernel_ns, uint64_t ended_ns) {
  if (f->in_class && !f->measuring) f->in_class->copied_ns += f->prepared.copying_ns; /* of what is measured, the expense has them */
  if (!f->state || !f->clocked) return;
  double inside_ns = (double)(f->returned_ns - f->launched_ns), spent_ns = 0;
  note_original(f, inside_ns);
  if (f->measuring && f->step != STEP_FORCED && f->step != STEP_BESIDE) regret_charge(f, spent_ns = expense(f, kernel_ns, inside_ns, ended_ns));
  double ran_ns = took_ns(f, ended_ns) - (spent_ns > 0 ? spent_ns : 0);
  const double launches = (double)(f->stands_for ? f->stands_for : 1);
  ran_ns *= launches;
  double of_region_ns = within_program(f, &f->state->budget, ran_ns, ended_ns);
  if (f->in_class) f->in_class->ran_ns += of_region_ns;
  budget_ran(&f->state->budget, of_region_ns);
  budget_ran(&f->device->budget, within_program(f, &f->device->budget, ran_ns, ended_ns));
  note_gain(f, launches * gain_ns(f));
}

void regret_charge_unseen(struct flight *f, double ns) {
  if (ns > 0) regret_charge(f, ns);
}

#include "tune.h"

#include <string.h>

#include "place/launch_reason.h"
#include "tune_judge.h"

void tune_start(struct tune *tune, int plans) {
  memset(tune, 0, sizeof *tune);
  tune->arms = 1 + (plans < TUNE_MAX_ARMS - 1 ? plans : TUNE_MAX_ARMS - 1);
  tune->winner = -1;
}

/* ---- rounds ---- */

static bool is_in(const struct tune *tune, int arm) { return arm ? !tune->arm[arm].out : !tune->rested; }

/* The next arm of this round that is still in, or false: the round is over. */
static bool has_next(struct tune *tune) {
  int step = tune->turned ? -1 : 1;
  do tune->next += step;
  while (tune->next >= 0 && tune->next < tune->arms && !is_in(tune, tune->next));
  return tune->next >= 0 && tune->next < tune->arms;
}

static int first_arm(const struct tune *tune) {
  int first = 0;
  while (first < tune->arms - 1 && !is_in(tune, first)) first++;
  return first;
}

static int last_arm(const struct tune *tune) {
  int last = tune->arms - 1;
  while (last > 0 && !is_in(tune, last)) last--;
  return last;
}

static void advance(struct tune *tune, double threshold) {
  if (has_next(tune)) return;
  tune->turned = !tune->turned;
  judge_round(tune, threshold);
  tune->next = tune->turned ? last_arm(tune) : first_arm(tune);
}

static void start_period(struct tune *tune) { tune->period = (struct tune_period){0}; }

static void end_period(struct tune *tune, double threshold) {
  struct tune_arm *a = &tune->arm[tune->next];
  const struct tune_period *period = &tune->period;
  double kernel_ns = period->kernel_ns / period->launches, host_ns = period->host_ns / period->launches;
  bool first = !(a->first_ns > 0);
  if (first) a->first_ns = kernel_ns;
  bool is_long = judge_is_long(tune, kernel_ns);
  if (first && !tune->next && tune->bounded && is_long) tune->cut = tune->warm = tune->hasty = true;
  if (first) judge_drop_hopeless(tune);
  if ((!first || tune->warm) && a->count < TUNE_MAX_ROUNDS) {
    a->kernel_ns[a->count] = kernel_ns;
    a->host_ns[a->count++] = host_ns;
  }
  start_period(tune);
  advance(tune, threshold);
}

/* After how many launches that do not come again none will. */
static unsigned longest_period(const struct tune *tune) {
  enum { LEAST = 4 };
  return tune->strangers < TUNE_MAX_PERIOD - LEAST ? TUNE_MAX_PERIOD - tune->strangers : LEAST;
}

/* How long a period is, is found on launches of the original, which cost nothing. False: it is known. */
static bool is_finding_period(struct tune *tune, bool again) {
  struct tune_period *period = &tune->period;
  if (!tune->bounded || tune->period_launches || tune->done) return false;
  if (!again && period->launches++ < longest_period(tune)) return true;
  tune->unlike = !again;
  tune->period_launches = again ? period->launches : 1;
  start_period(tune);
  return false;
}

void tune_set_alike(struct tune *tune) {
  if (!tune->bounded || tune->period_launches || tune->done) return;
  tune->alike = tune->period.launches;
  tune->period_launches = 1;
  start_period(tune);
}

int tune_next(struct tune *tune, uint64_t identity, double threshold) {
  struct tune_period *period = &tune->period;
  bool again = period->launches && identity == period->first;
  if (!period->launches) period->first = identity;
  if (is_finding_period(tune, again)) return TUNE_ORIGINAL;
  if (!tune->period_launches && !tune->done && (again || period->launches == TUNE_MAX_PERIOD)) {
    tune->unlike = !again;
    tune->period_launches = again ? period->launches : 1;
    end_period(tune, threshold);
  }
  if (!period->launches) period->first = identity;
  return tune->next;
}

/* An arm's first period that is longer than HOPELESS others already is not carried to its end. */
static bool is_hopeless_already(const struct tune *tune) {
  double fastest = judge_fastest_first(tune);
  return tune->next && !(tune->arm[tune->next].first_ns > 0) && fastest > 0 &&
         tune->period.kernel_ns > TUNE_HOPELESS * fastest * tune->period_launches;
}

void tune_record(struct tune *tune, int arm, const struct tune_took *took, double threshold) {
  struct tune_period *period = &tune->period;
  if (tune->done) return;
  tune->spent_ns += took->wall_ns;
  tune->arm[arm].copies |= took->copies;
  if (!(took->kernel_ns > 0)) {
    judge_finish(tune, -1, WHY_NO_TIMER);
    return;
  }
  if (arm != tune->next) return;
  period->launches++;
  period->kernel_ns += took->kernel_ns;
  period->host_ns += took->host_ns;
  if (!tune->period_launches) return;
  if (period->launches == tune->period_launches || is_hopeless_already(tune)) end_period(tune, threshold);
}

/* What was launched once, and not counted, does count where there is nothing else. */
static void count_first(struct tune_arm *a) {
  if (a->count || !(a->first_ns > 0)) return;
  a->kernel_ns[0] = a->first_ns;
  a->count = 1;
}

void tune_settle(struct tune *tune, int arm) {
  count_first(&tune->arm[0]);
  count_first(&tune->arm[arm]);
  const struct tune_arm original = judge_original(tune);
  tune->best = arm;
  tune->gain = 1 - judge_time(&tune->arm[arm]) / judge_time(&original);
  judge_finish(tune, arm, NULL);
}

void tune_take_up(struct tune *tune, double base_ns, double plan_ns, unsigned period_launches, bool won) {
  tune_start(tune, 1);
  for (int i = 0; i < tune->arms; i++) {
    tune->arm[i] = (struct tune_arm){.first_ns = i ? plan_ns : base_ns, .count = 1};
    tune->arm[i].kernel_ns[0] = tune->arm[i].first_ns;
  }
  tune->period_launches = period_launches ? period_launches : 1;
  tune->unlike = !period_launches;
  tune->best = 1;
  tune->gain = 1 - plan_ns / base_ns;
  judge_finish(tune, won ? 1 : -1, NULL);
}

void tune_break_period(struct tune *tune) {
  if (tune->done || !tune->period.launches) return;
  if (++tune->breaks > TUNE_MAX_BREAKS) tune->period_launches = 1;
  start_period(tune);
}

void tune_drop(struct tune *tune, int arm, double threshold) {
  if (tune->done) return;
  tune->arm[arm].out = true;
  if (arm == tune->next) start_period(tune);
  if (!arm) judge_finish(tune, -1, WHY_BASE_NOT_LAUNCHED);
  else if (arm == tune->next) advance(tune, threshold);
}

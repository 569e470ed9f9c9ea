#include "tune.h"

#include <math.h>
#include <string.h>

#include "place/launch_reason.h"

void tune_start(struct tune *tune, int plans) {
  memset(tune, 0, sizeof *tune);
  tune->arms = 1 + (plans < TUNE_MAX_ARMS - 1 ? plans : TUNE_MAX_ARMS - 1);
  tune->winner = -1;
}

double tune_median(const double *samples, unsigned count) {
  double sorted[TUNE_MAX_ROUNDS];
  for (unsigned i = 0; i < count; i++) {
    unsigned at = i;
    for (; at && sorted[at - 1] > samples[i]; at--) sorted[at] = sorted[at - 1];
    sorted[at] = samples[i];
  }
  if (!count) return 0;
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static double extreme(const double *samples, unsigned count, bool largest) {
  double found = samples[0];
  for (unsigned i = 1; i < count; i++)
    if (largest ? samples[i] > found : samples[i] < found) found = samples[i];
  return found;
}

static double least(const struct tune_arm *a) { return extreme(a->kernel_ns, a->count, false); }
static double most(const struct tune_arm *a) { return extreme(a->kernel_ns, a->count, true); }

/* The baseline's periods as the original would have taken them. */
static struct tune_arm share_of_base(const struct tune *tune, double share) {
  struct tune_arm original = tune->arm[0];
  for (unsigned i = 0; i < original.count; i++) original.kernel_ns[i] *= share;
  original.first_ns *= share;
  return original;
}

static struct tune_arm original_of(const struct tune *tune) { return share_of_base(tune, tune->original > 0 ? tune->original : 1); }

double tune_original_ns(const struct tune *tune) {
  struct tune_arm original = original_of(tune);
  return tune_median(original.kernel_ns, original.count);
}

/* Host time of a launch: the fastest counts, the others were disturbed. What the launch itself takes beyond the kernel is the
 * same for all versions and varies by more than plans gain. */
static double host_ns(const struct tune_arm *a) { return extreme(a->host_ns, a->count, false); }

static double cost_ns(const struct tune_arm *a, const struct tune_arm *original) {
  double more = host_ns(a) - host_ns(original);
  return tune_median(a->kernel_ns, a->count) + (more > 0 ? more : 0);
}

static unsigned rounds_together(const struct tune_arm *a, const struct tune_arm *original) {
  return a->count < original->count ? a->count : original->count;
}

static unsigned rounds_won(const struct tune_arm *a, const struct tune_arm *original) {
  unsigned won = 0;
  for (unsigned i = 0; i < rounds_together(a, original); i++) won += a->kernel_ns[i] < original->kernel_ns[i];
  return won;
}

static void finish(struct tune *tune, int winner, const char *reason) {
  tune->done = true;
  tune->winner = winner;
  tune->reason = reason;
}

static unsigned least_rounds(const struct tune *tune) { return tune->hasty ? TUNE_FEW_ROUNDS : TUNE_MIN_ROUNDS; }

/* What the difference of two arms must be for so few rounds. */
static double margin(unsigned rounds) { return rounds < TUNE_MIN_ROUNDS ? 1 + TUNE_MARGIN : 1; }

/* Whether the gain in single rounds stands out of what they vary: their mean is beyond SURE standard errors. */
static bool stands_out(const struct tune_arm *a, const struct tune_arm *original) {
  unsigned n = rounds_together(a, original);
  double sum = 0, squares = 0;
  for (unsigned i = 0; i < n; i++) sum += log(original->kernel_ns[i] / a->kernel_ns[i]);
  for (unsigned i = 0; i < n; i++) {
    double d = log(original->kernel_ns[i] / a->kernel_ns[i]) - sum / n;
    squares += d * d;
  }
  return n < 2 || sum / n > TUNE_SURE * sqrt(squares / (n - 1) / n);
}

static void decide(struct tune *tune, double threshold) {
  const struct tune_arm original = original_of(tune);
  int best = -1;
  for (int i = 1; i < tune->arms; i++) {
    const struct tune_arm *a = &tune->arm[i];
    if (a->out || a->count < least_rounds(tune)) continue;
    if (best < 0 || cost_ns(a, &original) < cost_ns(&tune->arm[best], &original)) best = i;
  }
  double base = tune_median(original.kernel_ns, original.count);
  if (best < 0 || base <= 0) {
    finish(tune, -1, WHY_ALL_FAR_LONGER);
    return;
  }
  const struct tune_arm *a = &tune->arm[best];
  tune->best = best;
  tune->gain = 1 - cost_ns(a, &original) / base;
  if (tune->gain < threshold) finish(tune, -1, NULL);
  else if (rounds_won(a, &original) + 1 < rounds_together(a, &original) || !stands_out(a, &original))
    tune->unsure = true, finish(tune, -1, NULL);
  else finish(tune, best, NULL);
}

/* Arms that can no longer win. The baseline stays: it is what others are compared with. */
static void eliminate(struct tune *tune) {
  const struct tune_arm original = original_of(tune);
  for (int i = 1; i < tune->arms; i++)
    for (int j = 0; j < tune->arms && !tune->arm[i].out; j++) {
      const struct tune_arm *other = j ? &tune->arm[j] : &original;
      if (j != i && !other->out && tune->arm[i].count >= least_rounds(tune) && other->count >= least_rounds(tune) &&
          least(&tune->arm[i]) > margin(tune->arm[i].count) * most(other))
        tune->arm[i].out = true;
    }
}

/* The arms that are left, the baseline apart: the least and the greatest of all their times, and how many they are. */
static int range_of_left(const struct tune *tune, double *least_ns, double *most_ns, unsigned *rounds) {
  int left = 0;
  for (int i = 1; i < tune->arms; i++) {
    const struct tune_arm *a = &tune->arm[i];
    if (a->out) continue;
    if (!left || least(a) < *least_ns) *least_ns = least(a);
    if (!left || most(a) > *most_ns) *most_ns = most(a);
    if (!left++ || a->count < *rounds) *rounds = a->count;
  }
  return left;
}

/* Whether more rounds would change nothing: one arm is left, or several that are alike, and clear of the original; or the
 * original is like all of them. */
static bool is_separated(const struct tune *tune) {
  const struct tune_arm original = original_of(tune);
  double alike = 1 + (tune->hasty ? TUNE_ALIKE_HASTY : TUNE_ALIKE), from = 0, to = 0;
  unsigned rounds = 0;
  int left = range_of_left(tune, &from, &to, &rounds);
  if (!left) return true;
  if (rounds < least_rounds(tune)) return false;
  bool one = left == 1 || to <= alike * from;
  bool nothing = most(&original) <= (1 + TUNE_ALIKE) * from && to <= (1 + TUNE_ALIKE) * least(&original);
  return (one && margin(rounds) * to < least(&original)) || nothing;
}

/* The fastest arm's first period so far; 0: none was run. */
static double fastest_first(const struct tune *tune) {
  double fastest = tune->arm[0].first_ns;
  for (int i = 1; i < tune->arms; i++)
    if (tune->arm[i].first_ns > 0 && (fastest <= 0 || tune->arm[i].first_ns < fastest)) fastest = tune->arm[i].first_ns;
  return fastest;
}

static bool is_hopeless(const struct tune *tune, int arm) {
  double first_ns = tune->arm[arm].first_ns;
  return first_ns > TUNE_HOPELESS * fastest_first(tune) || (tune->cut && first_ns > (1 + TUNE_MARGIN) * tune->arm[0].first_ns);
}

static void drop_hopeless(struct tune *tune) {
  for (int i = 1; i < tune->arms; i++)
    if (is_hopeless(tune, i)) tune->arm[i].out = true;
}

/* All were dropped as hopeless: once, those whose first periods were short begin anew. Something else may have had the GPU. */
static bool begin_anew(struct tune *tune) {
  if (tune->again || tune->cut) return false;
  for (int i = 1; i < tune->arms; i++) {
    struct tune_arm *a = &tune->arm[i];
    if (!is_hopeless(tune, i) || a->first_ns * tune->period_launches >= TUNE_LONG_NS) continue;
    *a = (struct tune_arm){0};
    tune->again = true;
  }
  return tune->again;
}

/* ---- arms far beyond the original ---- */

/* Over all periods, the first one with them. */
static double least_of_all(const struct tune_arm *a) { return fmin(a->first_ns, least(a)); }
static double most_of_all(const struct tune_arm *a) { return fmax(a->first_ns, most(a)); }

static bool ran_twice(const struct tune *tune, const struct tune_arm *a) { return a->count >= (tune->warm ? 2 : 1); }

static bool is_clear(const struct tune *tune, int arm, const struct tune_arm *original) {
  const struct tune_arm *a = &tune->arm[arm];
  return ran_twice(tune, a) && most_of_all(a) * (1 + TUNE_CLEAR) < least_of_all(original);
}

/* Once all arms that are left are clear of the original, neither it nor what one of them is far ahead of is worth more launches. */
static void keep_the_clear(struct tune *tune) {
  const struct tune_arm original = original_of(tune);
  int best = 0;
  if (!tune->bounded || tune->unlike || !ran_twice(tune, &original)) return;
  for (int i = 1; i < tune->arms; i++)
    if (!tune->arm[i].out && is_clear(tune, i, &original) && (!best || most_of_all(&tune->arm[i]) < most_of_all(&tune->arm[best]))) best = i;
  if (!best) return;
  bool all = true;
  for (int i = 1; i < tune->arms; i++) {
    struct tune_arm *a = &tune->arm[i];
    if (ran_twice(tune, a) && least_of_all(a) > (1 + TUNE_FAR) * most_of_all(&tune->arm[best])) a->out = true;
    all &= a->out || is_clear(tune, i, &original);
  }
  tune->rested = all;
}

/* ---- rounds ---- */

/* Whole rounds so far. */
static unsigned rounds_of(const struct tune *tune) {
  unsigned rounds = TUNE_MAX_ROUNDS;
  if (!tune->rested) return tune->arm[0].count;
  for (int i = 1; i < tune->arms; i++)
    if (!tune->arm[i].out && tune->arm[i].count < rounds) rounds = tune->arm[i].count;
  return rounds;
}

static void end_of_round(struct tune *tune, double threshold) {
  keep_the_clear(tune);
  unsigned rounds = rounds_of(tune);
  if (rounds >= least_rounds(tune)) eliminate(tune);
  bool any = false;
  for (int i = 1; i < tune->arms; i++) any |= !tune->arm[i].out;
  if (!any && begin_anew(tune)) return;
  if (!any || rounds >= TUNE_MAX_ROUNDS || (rounds >= least_rounds(tune) && is_separated(tune))) decide(tune, threshold);
}

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
  end_of_round(tune, threshold);
  tune->next = tune->turned ? last_arm(tune) : first_arm(tune);
}

static void start_period(struct tune *tune) { tune->period = (struct tune_period){0}; }

static void end_period(struct tune *tune, double threshold) {
  struct tune_arm *a = &tune->arm[tune->next];
  const struct tune_period *period = &tune->period;
  double kernel_ns = period->kernel_ns / period->launches, host_ns = period->host_ns / period->launches;
  bool first = !(a->first_ns > 0);
  if (first) a->first_ns = kernel_ns;
  bool is_long = kernel_ns * tune->period_launches >= TUNE_LONG_NS;
  if (first && !tune->next && tune->bounded && is_long) tune->cut = tune->warm = tune->hasty = true;
  if (first) drop_hopeless(tune);
  if ((!first || tune->warm) && a->count < TUNE_MAX_ROUNDS) {
    a->kernel_ns[a->count] = kernel_ns;
    a->host_ns[a->count++] = host_ns;
  }
  start_period(tune);
  advance(tune, threshold);
}

/* How long a period is, is found on launches of the original, which cost nothing. False: it is known. */
static bool is_finding_period(struct tune *tune, bool again) {
  struct tune_period *period = &tune->period;
  if (!tune->bounded || tune->period_launches || tune->done) return false;
  if (!again && period->launches++ < TUNE_MAX_PERIOD) return true;
  tune->unlike = !again;
  tune->period_launches = again ? period->launches : 1;
  start_period(tune);
  return false;
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
  double fastest = fastest_first(tune);
  return tune->next && !(tune->arm[tune->next].first_ns > 0) && fastest > 0 &&
         tune->period.kernel_ns > TUNE_HOPELESS * fastest * tune->period_launches;
}

void tune_record(struct tune *tune, int arm, const struct tune_took *took, double threshold) {
  struct tune_period *period = &tune->period;
  if (tune->done) return;
  tune->spent_ns += took->wall_ns;
  if (!(took->kernel_ns > 0)) {
    finish(tune, -1, WHY_NO_TIMER);
    return;
  }
  if (arm != tune->next) return;
  period->launches++;
  period->kernel_ns += took->kernel_ns;
  period->host_ns += took->host_ns;
  if (!tune->period_launches) return;
  if (period->launches == tune->period_launches || is_hopeless_already(tune)) end_period(tune, threshold);
}

static double time_of(const struct tune_arm *a) { return a->count ? tune_median(a->kernel_ns, a->count) : a->first_ns; }

int tune_leader(const struct tune *tune, double share) {
  const struct tune_arm original = share_of_base(tune, share);
  int leader = -1;
  if (!tune->arms || !original.count) return -1;
  for (int i = 1; i < tune->arms; i++) {
    double ns = time_of(&tune->arm[i]);
    bool enough = tune->arm[i].count >= (tune->cut ? 1u : TUNE_FEW_ROUNDS);
    if (tune->arm[i].out || !enough || ns * (1 + TUNE_MARGIN) > least(&original)) continue;
    if (leader < 0 || ns < time_of(&tune->arm[leader])) leader = i;
  }
  return leader;
}

double tune_saving_ns(const struct tune *tune, int arm, double share) {
  const struct tune_arm original = share_of_base(tune, share), *a = &tune->arm[arm];
  return a->count && original.count ? least(&original) - fmax(most(a), a->first_ns) : -1;
}

void tune_settle(struct tune *tune, int arm) {
  const struct tune_arm original = original_of(tune);
  tune->best = arm;
  tune->gain = 1 - time_of(&tune->arm[arm]) / time_of(&original);
  finish(tune, arm, NULL);
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
  finish(tune, won ? 1 : -1, NULL);
}

double tune_noise(const struct tune *tune) {
  const struct tune_arm *baseline = &tune->arm[0];
  if (baseline->count < 2) return 0;
  return (most(baseline) - least(baseline)) / tune_median(baseline->kernel_ns, baseline->count);
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
  if (!arm) finish(tune, -1, WHY_BASE_NOT_LAUNCHED);
  else if (arm == tune->next) advance(tune, threshold);
}

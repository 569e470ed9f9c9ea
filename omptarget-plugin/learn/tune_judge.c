/* What the times of a trial's arms say: which can no longer win, whether more rounds would tell more, and who has won. */
#include "tune_judge.h"

#include <math.h>

#include "place/launch_reason.h"

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

/* Over all periods, the first one with them. */
static double least_of_all(const struct tune_arm *a) { return a->count ? fmin(a->first_ns, least(a)) : a->first_ns; }
static double most_of_all(const struct tune_arm *a) { return a->count ? fmax(a->first_ns, most(a)) : a->first_ns; }

unsigned judge_periods(const struct tune *tune, const struct tune_arm *a) { return a->count + !tune->warm; }

bool judge_is_long(const struct tune *tune, double kernel_ns) { return kernel_ns * tune->period_launches >= TUNE_LONG_NS; }

bool judge_is_below(const struct tune_arm *a, const struct tune_arm *original, double by) {
  return most_of_all(a) * (1 + by) < least_of_all(original);
}

/* The baseline's periods as the original would have taken them. */
static struct tune_arm share_of_base(const struct tune *tune, double share) {
  struct tune_arm original = tune->arm[0];
  for (unsigned i = 0; i < original.count; i++) original.kernel_ns[i] *= share;
  original.first_ns *= share;
  return original;
}

struct tune_arm judge_original(const struct tune *tune) { return share_of_base(tune, tune->original > 0 ? tune->original : 1); }

double tune_original_ns(const struct tune *tune) {
  struct tune_arm original = judge_original(tune);
  return tune_median(original.kernel_ns, original.count);
}

double judge_time(const struct tune_arm *a) { return a->count ? tune_median(a->kernel_ns, a->count) : a->first_ns; }

/* Host time of a launch: the fastest of the arm counts, the others were disturbed, beyond what is usual for the original, since all of a few may
 * have been. What the launch itself takes beyond the kernel is the same for all versions and varies by more than plans gain. */
static double more_on_host(const struct tune_arm *a, const struct tune_arm *original) {
  if (!a->count || !original->count) return 0;
  return fmax(0, extreme(a->host_ns, a->count, false) - tune_median(original->host_ns, original->count));
}

static double cost_ns(const struct tune_arm *a, const struct tune_arm *original) { return judge_time(a) + more_on_host(a, original); }

static unsigned rounds_together(const struct tune_arm *a, const struct tune_arm *original) {
  return a->count < original->count ? a->count : original->count;
}

static unsigned rounds_won(const struct tune_arm *a, const struct tune_arm *original) {
  unsigned won = 0;
  for (unsigned i = 0; i < rounds_together(a, original); i++) won += a->kernel_ns[i] < original->kernel_ns[i];
  return won;
}

void judge_finish(struct tune *tune, int winner, const char *reason) {
  tune->done = true;
  tune->winner = winner;
  tune->reason = reason;
}

static unsigned least_rounds(const struct tune *tune) { return tune->hasty ? TUNE_FEW_ROUNDS : TUNE_MIN_ROUNDS; }

/* What the difference of two arms must be for so few rounds. */
static double margin(unsigned rounds) { return rounds < TUNE_MIN_ROUNDS ? 1 + TUNE_MARGIN : 1; }

/* Whether the gain in single rounds stands out of what they vary: their mean is beyond SURE standard errors; or all of the arm's periods are clear
 * of all of the original's, of which one that was disturbed may have taken any time. */
static bool stands_out(const struct tune_arm *a, const struct tune_arm *original) {
  unsigned n = rounds_together(a, original);
  double sum = 0, squares = 0;
  if (most(a) * (1 + TUNE_MARGIN) < least(original)) return true;
  for (unsigned i = 0; i < n; i++) sum += log(original->kernel_ns[i] / a->kernel_ns[i]);
  for (unsigned i = 0; i < n; i++) {
    double d = log(original->kernel_ns[i] / a->kernel_ns[i]) - sum / n;
    squares += d * d;
  }
  return n < 2 || sum / n > TUNE_SURE * sqrt(squares / (n - 1) / n);
}

/* The fastest of those that are left, or, to tell how far behind they were, of those that are out. -1: none has so many rounds. */
static int fastest_arm(const struct tune *tune, bool out, unsigned rounds) {
  const struct tune_arm original = judge_original(tune);
  int best = -1;
  for (int i = 1; i < tune->arms; i++) {
    const struct tune_arm *a = &tune->arm[i];
    if (a->out != out || a->count < rounds) continue;
    if (best < 0 || cost_ns(a, &original) < cost_ns(&tune->arm[best], &original)) best = i;
  }
  return best;
}

/* What disturbs a launch makes it longer: an arm whose shortest period is below the original's shortest may be faster, whatever the others say. */
static bool was_disturbed(const struct tune_arm *a, const struct tune_arm *original, double threshold) {
  return least(a) + more_on_host(a, original) < (1 - threshold) * least(original);
}

static void decide(struct tune *tune, double threshold) {
  const struct tune_arm original = judge_original(tune);
  int best = fastest_arm(tune, false, least_rounds(tune));
  bool any = best >= 0;
  if (!any) best = fastest_arm(tune, true, TUNE_FEW_ROUNDS);
  double base = tune_median(original.kernel_ns, original.count);
  if (best < 0 || base <= 0) {
    judge_finish(tune, -1, WHY_ALL_FAR_LONGER);
    return;
  }
  const struct tune_arm *a = &tune->arm[best];
  tune->best = best;
  tune->gain = 1 - cost_ns(a, &original) / base;
  if (!any || tune->gain < threshold) judge_finish(tune, -1, NULL);
  else if (rounds_won(a, &original) + 1 < rounds_together(a, &original) || !stands_out(a, &original))
    tune->unsure = true, judge_finish(tune, -1, NULL);
  else judge_finish(tune, best, NULL);
  tune->disturbed = any && tune->winner < 0 && was_disturbed(a, &original, threshold);
}

/* Whether an arm has fallen behind another, the original or one that costs no more: by its kernels, or far behind by what its copies cost on
 * the host in each launch, which its kernels may never make good. */
static bool is_behind(const struct tune_arm *a, const struct tune_arm *other, const struct tune_arm *original) {
  double more = more_on_host(a, original), others = more_on_host(other, original);
  if (least(a) + more > (1 + TUNE_DEAR) * (most(other) + others)) return true;
  return least(a) > margin(a->count) * most(other) && cost_ns(other, original) <= cost_ns(a, original);
}

/* Arms that can no longer win. The baseline stays: it is what others are compared with. */
static void eliminate(struct tune *tune) {
  const struct tune_arm original = judge_original(tune);
  for (int i = 1; i < tune->arms; i++)
    for (int j = 0; j < tune->arms && !tune->arm[i].out; j++) {
      const struct tune_arm *other = j ? &tune->arm[j] : &original;
      if (j != i && !other->out && tune->arm[i].count >= least_rounds(tune) && other->count >= least_rounds(tune) &&
          is_behind(&tune->arm[i], other, &original))
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
  const struct tune_arm original = judge_original(tune);
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
double judge_fastest_first(const struct tune *tune) {
  double fastest = tune->arm[0].first_ns;
  for (int i = 1; i < tune->arms; i++)
    if (tune->arm[i].first_ns > 0 && (fastest <= 0 || tune->arm[i].first_ns < fastest)) fastest = tune->arm[i].first_ns;
  return fastest;
}

static bool is_hopeless(const struct tune *tune, int arm) {
  double first_ns = tune->arm[arm].first_ns;
  return first_ns > TUNE_HOPELESS * judge_fastest_first(tune) || (tune->cut && first_ns > (1 + TUNE_MARGIN) * tune->arm[0].first_ns);
}

void judge_drop_hopeless(struct tune *tune) {
  for (int i = 1; i < tune->arms; i++)
    if (is_hopeless(tune, i)) tune->arm[i].out = true;
}

/* All were dropped as hopeless: once, those whose first periods were short begin anew. Something else may have had the GPU. */
static bool begin_anew(struct tune *tune) {
  if (tune->again || tune->cut) return false;
  for (int i = 1; i < tune->arms; i++) {
    struct tune_arm *a = &tune->arm[i];
    if (!is_hopeless(tune, i) || judge_is_long(tune, a->first_ns)) continue;
    *a = (struct tune_arm){0};
    tune->again = true;
  }
  return tune->again;
}

/* ---- within a budget ---- */

/* Whether launches that lose are to be spared: a budget pays for them, and one round's launches do the work of another's. */
static bool spares(const struct tune *tune) { return tune->bounded && !tune->unlike; }

/* What the original has beaten in two rounds gets no third one: at worst a gain is lost that hardly was one. */
static void drop_losers(struct tune *tune) {
  const struct tune_arm original = judge_original(tune);
  if (!spares(tune) || original.count < TUNE_FEW_ROUNDS) return;
  for (int i = 1; i < tune->arms; i++) {
    struct tune_arm *a = &tune->arm[i];
    if (a->count >= TUNE_FEW_ROUNDS && least(a) > (1 + TUNE_ALIKE_HASTY) * most(&original)) a->out = true;
  }
}

static bool ran_twice(const struct tune *tune, const struct tune_arm *a) { return a->first_ns > 0 && judge_periods(tune, a) >= 2; }

static bool is_clear(const struct tune *tune, int arm, const struct tune_arm *original) {
  const struct tune_arm *a = &tune->arm[arm];
  return ran_twice(tune, a) && judge_is_below(a, original, TUNE_CLEAR) && cost_ns(a, original) < least(original);
}

/* Once all arms that are left are clear of the original, neither it nor what one of them is far ahead of is worth more launches. */
static void keep_the_clear(struct tune *tune) {
  const struct tune_arm original = judge_original(tune);
  int best = 0;
  if (!spares(tune) || !ran_twice(tune, &original)) return;
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

void judge_round(struct tune *tune, double threshold) {
  keep_the_clear(tune);
  drop_losers(tune);
  unsigned rounds = rounds_of(tune);
  if (rounds >= least_rounds(tune)) eliminate(tune);
  bool any = false;
  for (int i = 1; i < tune->arms; i++) any |= !tune->arm[i].out;
  if (!any && begin_anew(tune)) return;
  if (!any || rounds >= TUNE_MAX_ROUNDS || (rounds >= least_rounds(tune) && is_separated(tune))) decide(tune, threshold);
}

/* ---- what others ask ---- */

/* By that in all its periods. What copies cost in each launch, the first one does not tell. */
static bool leads_at_once(const struct tune *tune, const struct tune_arm *a, const struct tune_arm *original) {
  bool tells = !a->copies || (a->count && original->count);
  double by = judge_is_long(tune, a->first_ns) ? TUNE_AT_ONCE_LONG : TUNE_AT_ONCE;
  return spares(tune) && tells && judge_is_below(a, original, by) && cost_ns(a, original) < least_of_all(original);
}

/* Whether the arm is faster than the original, as far as it was launched: by MARGIN in rounds that count, or by AT_ONCE from its first period on. */
static bool leads(const struct tune *tune, const struct tune_arm *a, const struct tune_arm *original) {
  if (a->out || !(a->first_ns > 0)) return false;
  if (original->count && a->count >= (tune->cut ? 1u : TUNE_FEW_ROUNDS)) return cost_ns(a, original) * (1 + TUNE_MARGIN) <= least(original);
  return leads_at_once(tune, a, original);
}

int tune_leader(const struct tune *tune, double share) {
  const struct tune_arm original = share_of_base(tune, share);
  int leader = -1;
  for (int i = 1; i < tune->arms; i++)
    if (leads(tune, &tune->arm[i], &original) && (leader < 0 || cost_ns(&tune->arm[i], &original) < cost_ns(&tune->arm[leader], &original)))
      leader = i;
  return leader;
}

/* By the worst of the arm, its first period too. */
static double saved_ns(const struct tune_arm *a, const struct tune_arm *original, double original_ns) {
  return original_ns - most_of_all(a) - more_on_host(a, original);
}

double tune_saving_ns(const struct tune *tune, int arm, double share) {
  const struct tune_arm original = share_of_base(tune, share), *a = &tune->arm[arm];
  return a->count && original.count ? saved_ns(a, &original, least(&original)) : -1;
}

double tune_gain_ns(const struct tune *tune, int arm, double share) {
  const struct tune_arm original = share_of_base(tune, share), *a = &tune->arm[arm];
  bool both = a->first_ns > 0 && original.first_ns > 0, measured = a->count && original.count;
  if (!both || !(measured || leads_at_once(tune, a, &original))) return -1;
  return saved_ns(a, &original, least_of_all(&original)) / (tune->period_launches ? tune->period_launches : 1);
}

double tune_noise(const struct tune *tune) {
  const struct tune_arm *baseline = &tune->arm[0];
  if (baseline->count < 2) return 0;
  return (most(baseline) - least(baseline)) / tune_median(baseline->kernel_ns, baseline->count);
}

#include "bias.h"

#include <math.h>
#include <string.h>

/* ---- periods ---- */

static bool is_whole(const struct bias_period *period, unsigned period_launches) {
  return period_launches && period->launches >= period_launches;
}

/* In each second sample the original comes first: sizes that shrink or grow favour neither. */
static bool original_is_first(const struct bias *b) { return b->samples % 2; }

/* Where other threads' launches come between again and again, none is asked for until periods of the base have come to their end. */
static bool is_given_up(const struct bias *b) { return b->breaks > BIAS_BREAKS && b->periods < BIAS_REST; }

static bool is_wanted(const struct bias *b) { return !is_given_up(b) && (b->samples < BIAS_EAGER || b->periods >= BIAS_EVERY); }

bool bias_is_open(const struct bias *b, unsigned period_launches) {
  bool under_way = !is_given_up(b) && b->original.launches && !is_whole(&b->original, period_launches);
  bool follows = is_wanted(b) && !original_is_first(b) && is_whole(&b->base, period_launches);
  return under_way || (follows && !b->original.launches);
}

bool bias_wants_original(struct bias *b, unsigned period_launches, bool base_begins) {
  if (bias_is_open(b, period_launches)) return true;
  if (!base_begins || !period_launches || b->original.launches) return false;
  return is_wanted(b) && original_is_first(b);
}

static const double newest = 0.25; /* weight of a new sample in the mean */

static void end_sample(struct bias *b, unsigned period_launches) {
  if (!is_whole(&b->base, period_launches) || !is_whole(&b->original, period_launches)) return;
  double difference = b->original.wall_ns / b->original.launches - b->base.wall_ns / b->base.launches;
  b->kernel_ns += (b->samples ? newest : 1) * (b->base.kernel_ns / b->base.launches - b->kernel_ns);
  b->sample_ns[b->samples++ % BIAS_WINDOW] = difference;
  b->periods = 0;
  bias_break(b);
  b->breaks = 0;
}

static void add(struct bias_period *period, double wall_ns, double kernel_ns) {
  period->launches++;
  period->wall_ns += wall_ns;
  period->kernel_ns += kernel_ns;
}

void bias_record_original(struct bias *b, unsigned period_launches, double wall_ns) {
  if (!b->original.launches && original_is_first(b)) memset(&b->base, 0, sizeof b->base); /* an earlier period */
  add(&b->original, wall_ns, 0);
  end_sample(b, period_launches);
}

void bias_record_base(struct bias *b, unsigned period_launches, double wall_ns, double kernel_ns) {
  if (!(kernel_ns > 0)) {
    bias_break(b);
    return;
  }
  if (is_whole(&b->base, period_launches)) memset(&b->base, 0, sizeof b->base); /* a period that no sample was taken beside */
  if (!b->base.launches) b->periods++;
  add(&b->base, wall_ns, kernel_ns);
  end_sample(b, period_launches);
}

void bias_break(struct bias *b) {
  if (b->base.launches || b->original.launches) {
    if (b->breaks > BIAS_BREAKS && b->periods >= BIAS_REST) b->breaks = 0;
    if (++b->breaks > BIAS_BREAKS) b->periods = 0;
  }
  memset(&b->base, 0, sizeof b->base);
  memset(&b->original, 0, sizeof b->original);
}

void bias_inherit(struct bias *b, const struct bias *from) {
  enum { MOST = 3 };
  unsigned kept = from->samples < MOST ? from->samples : MOST;
  memset(b, 0, sizeof *b);
  for (unsigned i = 0; i < kept; i++) b->sample_ns[i] = from->sample_ns[(from->samples - kept + i) % BIAS_WINDOW];
  b->samples = kept;
  b->kernel_ns = from->kernel_ns;
}

/* ---- what they tell ---- */

static double median_of(double *values, unsigned count) {
  for (unsigned i = 1; i < count; i++) {
    double value = values[i];
    unsigned at = i;
    for (; at && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static unsigned kept(const struct bias *b) { return b->samples < BIAS_WINDOW ? b->samples : BIAS_WINDOW; }

/* The median, and its standard error by the median deviation. */
static double median_with_error(const double *values, unsigned n, double independent, double *error) {
  double sorted[BIAS_WINDOW];
  memcpy(sorted, values, n * sizeof *values);
  double median = median_of(sorted, n);
  for (unsigned i = 0; i < n; i++) sorted[i] = fabs(values[i] - median);
  *error = 1.86 * median_of(sorted, n) / sqrt(independent);
  return median;
}

/* What the samples say in the middle, by themselves, so that the launches that the host disturbed do not count, and by the means of two
 * neighbours, of which one had the original first and the other the base, so that sizes that shrink do not: the smaller. */
static double middle(const struct bias *b, unsigned count, double *error) {
  double sample[BIAS_WINDOW] = {0}, mean[BIAS_WINDOW] = {0}, error_of_means = 0;
  for (unsigned i = 0; i < count; i++) sample[i] = b->sample_ns[(b->samples - count + i) % BIAS_WINDOW] / b->kernel_ns;
  for (unsigned i = 1; i < count; i++) mean[i - 1] = (sample[i - 1] + sample[i]) / 2;
  double by_itself = median_with_error(sample, count, count, error);
  if (count < 2) return by_itself;
  double by_means = median_with_error(mean, count - 1, count / 2.0, &error_of_means);
  *error = fmax(*error, error_of_means);
  if (by_itself * by_means <= 0) return 0;
  return fabs(by_itself) < fabs(by_means) ? by_itself : by_means;
}

static const double least_share = 0.1; /* less is an accident */

double bias_original(const struct bias *b) {
  enum { MANY = 6, FEW = 3 };
  static const double large = 0.03, long_ns = 1e6; /* what two samples can show, and of what kernels */
  static const double least_of_short = 0.6, short_ns = 1e5; /* no timer costs more; what a busy host does to a few launches may */
  unsigned n = kept(b);
  double error;
  if (n < 2) return 1;
  double more = middle(b, n, &error), clock = BIAS_CLOCK_NS / b->kernel_ns;
  double least = (n < MANY ? 3 : 2) * error + clock + BIAS_LEAST;
  if (-more <= least || (n < FEW && (-more < large || b->kernel_ns < long_ns))) return 1;
  if (1 + more < least_of_short && b->kernel_ns < short_ns) return 1;
  return fmax(1 + more, least_share);
}

bool bias_guess(const struct bias *b, double *share) {
  double error, guess = kept(b) ? 1 + middle(b, kept(b), &error) : b->prior;
  *share = guess > 0 ? fmax(least_share, fmin(1, guess)) : kept(b) ? least_share : 1;
  *share = fmax(*share, fmin(1, b->floor));
  return kept(b) || b->prior > 0;
}

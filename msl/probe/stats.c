/* Medians, spread, and when to stop measuring. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* A sorted copy; how many values it has. */
static unsigned sort(const double *values, unsigned count, double sorted[PROBE_MOST_VALUES]) {
  if (count > PROBE_MOST_VALUES)
    count = PROBE_MOST_VALUES;
  memcpy(sorted, values, count * sizeof *values);
  qsort(sorted, count, sizeof *sorted, ascending);
  return count;
}

double probe_median(const double *values, unsigned count) {
  double sorted[PROBE_MOST_VALUES];
  if (!count)
    return NAN;
  count = sort(values, count, sorted);
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double probe_quantile(const double *values, unsigned count, double share) {
  double sorted[PROBE_MOST_VALUES];
  if (!count)
    return NAN;
  count = sort(values, count, sorted);
  return sorted[(unsigned)(share * (count - 1) + 0.5)];
}

double probe_spread(const double *values, unsigned count) {
  if (count < 2)
    return 0;
  double least = values[0], most = values[0];
  for (unsigned i = 1; i < count; i++) {
    least = fmin(least, values[i]);
    most = fmax(most, values[i]);
  }
  double middle = fabs(probe_median(values, count));
  return most == least ? 0 : middle > 0 ? (most - least) / middle : INFINITY;
}

bool probe_enough(const double *values, unsigned count) {
  if (count < PROBE_LEAST_SAMPLES)
    return false;
  return count >= PROBE_MOST_SAMPLES || probe_spread(values + count - PROBE_LEAST_SAMPLES, PROBE_LEAST_SAMPLES) <= PROBE_STABLE;
}

/* From a log's points to series, and what can be read off them. */
#include "series.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "stats.h"

/* ---- collecting -------------------------------------------------------------------------------------------------- */

struct rounds {
  unsigned count;
  double medians[PROBE_MOST_ROUNDS];
};

static unsigned place_of(struct probe_series *series, struct rounds *rounds, double x) {
  unsigned at = 0;
  while (at < series->count && series->points[at].x < x)
    at++;
  if (at < series->count && series->points[at].x == x)
    return at;
  if (series->count == PROBE_MOST_POINTS)
    return PROBE_MOST_POINTS;
  memmove(&series->points[at + 1], &series->points[at], (series->count - at) * sizeof series->points[0]);
  memmove(&rounds[at + 1], &rounds[at], (series->count - at) * sizeof rounds[0]);
  series->points[at].x = x;
  rounds[at].count = 0;
  series->count++;
  return at;
}

void probe_series_of(const struct probe_log *log, const char *quantity, struct probe_series *series) {
  struct rounds rounds[PROBE_MOST_POINTS];
  series->count = 0;
  for (size_t i = 0; i < log->point_count; i++) {
    const struct probe_point *point = &log->points[i];
    if (strcmp(point->quantity, quantity) != 0)
      continue;
    unsigned at = place_of(series, rounds, point->x);
    if (at < PROBE_MOST_POINTS && rounds[at].count < PROBE_MOST_ROUNDS)
      rounds[at].medians[rounds[at].count++] = probe_median(point->samples, point->count);
  }
  for (unsigned i = 0; i < series->count; i++) {
    series->points[i].value = probe_median(rounds[i].medians, rounds[i].count);
    series->points[i].spread = probe_spread(rounds[i].medians, rounds[i].count);
  }
}

/* ---- reading off ------------------------------------------------------------------------------------------------- */

struct probe_value probe_at(const struct probe_series *series, double x, double tolerance) {
  struct probe_value value = {0};
  double nearest = INFINITY;
  for (unsigned i = 0; i < series->count; i++) {
    double distance = fabs(series->points[i].x - x);
    if (distance < nearest) {
      nearest = distance;
      value = (struct probe_value){true, series->points[i].spread > tolerance, series->points[i].value};
    }
  }
  return value;
}

struct probe_value probe_plateau(const struct probe_series *series, double from, double to, double tolerance) {
  double values[PROBE_MOST_POINTS], spreads[PROBE_MOST_POINTS];
  unsigned count = 0;
  for (unsigned i = 0; i < series->count; i++)
    if (series->points[i].x >= from && series->points[i].x <= to) {
      values[count] = series->points[i].value;
      spreads[count++] = series->points[i].spread;
    }
  if (!count)
    return (struct probe_value){0};
  return (struct probe_value){true, probe_median(spreads, count) > tolerance, probe_median(values, count)};
}

/* The level that a sweep starts from: the median of its first three values, so that one odd point does not decide. */
static double start_of(const struct probe_series *series) {
  double first[3];
  unsigned count = series->count < 3 ? series->count : 3;
  for (unsigned i = 0; i < count; i++)
    first[i] = series->points[i].value;
  return probe_median(first, count);
}

struct probe_value probe_knee(const struct probe_series *series, double rise) {
  if (series->count < 4)
    return (struct probe_value){0};
  double most = start_of(series) * (1 + rise);
  for (unsigned i = 1; i < series->count; i++) {
    bool left = series->points[i].value > most, stays = i + 1 == series->count || series->points[i + 1].value > most;
    if (!left || !stays)
      continue;
    double x = series->points[i - 1].x;
    return (struct probe_value){true, series->points[i].x - x > x / 8, x};
  }
  return (struct probe_value){0};
}

struct probe_value probe_step(const struct probe_series *series, double factor) {
  for (unsigned i = 1; i < series->count; i++)
    if (series->points[i].value > factor * series->points[0].value)
      return (struct probe_value){true, false, series->points[i].x};
  return (struct probe_value){0};
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* Whether the line from point a to point b passes within `error` of all points between. */
static bool passes(const struct probe_series *series, unsigned a, unsigned b, double error) {
  for (unsigned i = a + 1; i < b; i++) {
    double share = (series->points[i].x - series->points[a].x) / (series->points[b].x - series->points[a].x);
    double value = series->points[a].value + share * (series->points[b].value - series->points[a].value);
    if (fabs(value - series->points[i].value) > error * fabs(series->points[i].value))
      return false;
  }
  return true;
}

/* Shortest path: least[i] points are needed from the first one to point i. */
unsigned probe_simplify(const struct probe_series *series, double error, unsigned chosen[PROBE_MOST_POINTS]) {
  unsigned least[PROBE_MOST_POINTS], before[PROBE_MOST_POINTS], count = series->count;
  for (unsigned b = 0; b < count; b++) {
    least[b] = b ? UINT32_MAX : 1;
    for (unsigned a = 0; a < b; a++)
      if (least[a] + 1 < least[b] && passes(series, a, b, error)) {
        least[b] = least[a] + 1;
        before[b] = a;
      }
  }
  if (!count)
    return 0;
  for (unsigned at = count - 1, i = least[count - 1]; i-- > 0; at = before[at]) {
    chosen[i] = at;
    if (!i)
      break;
  }
  return least[count - 1];
}

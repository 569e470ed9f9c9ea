/* A quantity of a log against x, and what its shape says: plateaus, knees, steps, curves of few points. Pure. */
#ifndef MSL_PROBE_SERIES_H
#define MSL_PROBE_SERIES_H

#include "log.h"

enum { PROBE_MOST_POINTS = 160, PROBE_MOST_ROUNDS = 64 };

struct probe_value {
  bool known;
  bool unsure; /* the rounds lie further apart than the tolerance that it was asked for with */
  double value;
};

struct probe_series {
  unsigned count;
  struct { double x, value, spread; } points[PROBE_MOST_POINTS]; /* ascending x; median of the rounds' medians, their spread */
};

/* count 0 where the log has no such quantity. */
void probe_series_of(const struct probe_log *log, const char *quantity, struct probe_series *series);

/* The value at x, or that of the nearest x; unknown of an empty series. */
struct probe_value probe_at(const struct probe_series *series, double x, double tolerance);

/* Median of the values with from <= x <= to, with the median of their spreads; unknown where there are none. */
struct probe_value probe_plateau(const struct probe_series *series, double from, double to, double tolerance);

/* The last x before the values leave the level that they start from by more than `rise`, a share of it. Unknown where they
 * never do: x is then only known to be larger than the last one. Unsure: a step of the sweep is more than an eighth of it. */
struct probe_value probe_knee(const struct probe_series *series, double rise);

/* The first x whose value is more than `factor` times the first one's; unknown where none is. */
struct probe_value probe_step(const struct probe_series *series, double factor);

/* The fewest points between which linear interpolation stays within `error` (a share) of every value. Their number; which
 * ones, ascending, in `chosen`. */
unsigned probe_simplify(const struct probe_series *series, double error, unsigned chosen[PROBE_MOST_POINTS]);

#endif

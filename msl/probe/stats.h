/* Statistics of measurements: the only place that decides what repeats and what does not. Nothing here allocates but on the
 * stack; all functions are pure. */
#ifndef MSL_PROBE_STATS_H
#define MSL_PROBE_STATS_H

#include <stdbool.h>

/* How far the rounds of a measurement may lie apart, as a share of their median. Beyond it a value is written with ~. */
#define PROBE_THROUGHPUT_TOLERANCE 0.05
#define PROBE_LATENCY_TOLERANCE 0.10

/* A sample is taken again until three in a row lie this close together. */
#define PROBE_STABLE 0.01
enum { PROBE_LEAST_SAMPLES = 3, PROBE_MOST_SAMPLES = 9 };

/* Median; NaN of none. At most PROBE_MOST_VALUES values are looked at. */
enum { PROBE_MOST_VALUES = 4096 };
double probe_median(const double *values, unsigned count);
double probe_quantile(const double *values, unsigned count, double share); /* share 0: the least, 1: the largest */

/* (largest - smallest) / |median|; 0 for fewer than two. */
double probe_spread(const double *values, unsigned count);

/* Enough samples: the last three agree, or there are PROBE_MOST_SAMPLES. */
bool probe_enough(const double *values, unsigned count);

#endif

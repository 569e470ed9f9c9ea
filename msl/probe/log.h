/* The raw measurements of one or more runs of place-probe, and their text form.
 *
 * A log is facts (what the system says about the device) and points. A point is one quantity at one x in one round: all
 * samples that were taken. The probe measures everything in several rounds, so that what does not repeat shows. Text:
 *
 *   place-probe log 1
 *   fact name NVIDIA H200
 *   point chase.ca.128 0 16384 : 33.1 33.1 33.2
 *
 * that is: quantity, round, x, samples. docs/probe.md lists the quantities with their units.
 *
 * Ownership: probe_log_free releases what a log holds. Errors: a function that can fail returns false and fills `error`
 * (probe_log_add: out of memory only). Thread-safety: a log is used by one thread at a time. */
#ifndef MSL_PROBE_LOG_H
#define MSL_PROBE_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum { PROBE_MAX_SAMPLES = 16, PROBE_NAME_BYTES = 32, PROBE_FACT_BYTES = 96, PROBE_ERROR_BYTES = 160 };

struct probe_point {
  char quantity[PROBE_NAME_BYTES];
  unsigned round, count; /* samples */
  double x, samples[PROBE_MAX_SAMPLES];
};

struct probe_fact {
  char key[PROBE_NAME_BYTES], value[PROBE_FACT_BYTES];
};

struct probe_log {
  struct probe_fact *facts;
  struct probe_point *points;
  size_t fact_count, point_count, fact_room, point_room;
  unsigned rounds; /* one more than the largest round */
};

bool probe_log_fact(struct probe_log *log, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool probe_log_add(struct probe_log *log, const char *quantity, unsigned round, double x, const double *samples,
                   unsigned count);

/* The value of a fact; NULL if there is none. */
const char *probe_log_find(const struct probe_log *log, const char *key);

/* Appends what a log file holds: its rounds come after those that are there, its facts where there is none of that key. */
bool probe_log_read(struct probe_log *log, const char *path, char error[PROBE_ERROR_BYTES]);
bool probe_log_write(const struct probe_log *log, const char *path, char error[PROBE_ERROR_BYTES]);
void probe_log_free(struct probe_log *log);

#endif

/* Samples, device memory, records. */
#include "measure.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stats.h"

double probe_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void probe_say(const struct probe_run *run, const char *what) {
  if (!run->quiet)
    fprintf(stderr, "place-probe: %5.1f s  round %u: %s\n", probe_seconds() - run->started_s, run->round + 1, what);
}

bool probe_fail(struct probe_run *run, const char *what) {
  if (!*run->error)
    snprintf(run->error, sizeof run->error, "%s", what);
  return false;
}

/* ---- device memory ----------------------------------------------------------------------------------------------- */

void *probe_allocate(struct probe_run *run, size_t bytes) {
  void *memory = omp_target_alloc(bytes, run->device);
  if (!memory)
    probe_fail(run, "the device has not enough free memory");
  return memory;
}

void probe_release(struct probe_run *run, void *memory) {
  omp_target_free(memory, run->device);
}

bool probe_upload(struct probe_run *run, void *to, const void *from, size_t bytes) {
  return !omp_target_memcpy(to, from, bytes, 0, 0, run->device, run->host) || probe_fail(run, "copying to the device failed");
}

bool probe_download(struct probe_run *run, void *to, const void *from, size_t bytes) {
  return !omp_target_memcpy(to, from, bytes, 0, 0, run->host, run->device) || probe_fail(run, "copying from the device failed");
}

bool probe_reset(struct probe_run *run) {
  static const struct probe_record none;
  static const uint32_t zero;
  return probe_upload(run, run->counter, &zero, sizeof zero) && probe_upload(run, run->on_device, &none, sizeof none);
}

bool probe_fetch_records(struct probe_run *run, uint32_t teams) {
  return probe_download(run, run->records, run->on_device, teams * sizeof *run->records);
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

bool probe_note(struct probe_run *run, const char *quantity, double x, double value) {
  return probe_log_add(run->log, quantity, run->round, x, &value, 1) || probe_fail(run, "out of memory");
}

bool probe_sample(struct probe_run *run, const char *quantity, double x, probe_sampler *sample, const void *what) {
  double values[PROBE_MOST_SAMPLES];
  unsigned count = 0;
  while (!probe_enough(values, count)) {
    values[count] = sample(run, what);
    if (!(values[count] >= 0))
      return probe_fail(run, "a kernel's clocks make no sense");
    count++;
  }
  return probe_log_add(run->log, quantity, run->round, x, values, count) || probe_fail(run, "out of memory");
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

double probe_clk_per_team(const struct probe_run *run, uint32_t teams) {
  enum { MOST_SMS = 1024 };
  static uint64_t start[MOST_SMS], end[MOST_SMS];
  static uint32_t count[MOST_SMS];
  double per_team[MOST_SMS];
  unsigned sms = 0;
  memset(count, 0, sizeof count);
  for (uint32_t t = 0; t < teams; t++) {
    const struct probe_record *r = &run->records[t];
    if (r->sm >= MOST_SMS || r->clk_end < r->clk_start)
      return NAN;
    start[r->sm] = count[r->sm] && start[r->sm] < r->clk_start ? start[r->sm] : r->clk_start;
    end[r->sm] = count[r->sm] && end[r->sm] > r->clk_end ? end[r->sm] : r->clk_end;
    count[r->sm]++;
  }
  for (unsigned sm = 0; sm < MOST_SMS; sm++)
    if (count[sm])
      per_team[sms++] = (double)(end[sm] - start[sm]) / count[sm];
  return probe_median(per_team, sms);
}

double probe_elapsed_ns(const struct probe_run *run, uint32_t teams) {
  uint64_t start = run->records[0].ns_start, end = run->records[0].ns_end;
  for (uint32_t t = 1; t < teams; t++) {
    start = run->records[t].ns_start < start ? run->records[t].ns_start : start;
    end = run->records[t].ns_end > end ? run->records[t].ns_end : end;
  }
  return end > start ? (double)(end - start) : NAN;
}

/* The clock, and how many teams an SM holds at a time. */
#include <math.h>

#include "measure.h"

enum { TEAM_SIZES = 3, OCCUPANCY_SPIN_NS = 30000, OCCUPANCY_ROUNDS = 3 };

/* ---- clock ------------------------------------------------------------------------------------------------------- */

/* All SMs busy for that long; cycles per nanosecond, the mean of all teams. */
static double cycles_per_ns(struct probe_run *run, const void *what) {
  struct probe_record *to = run->on_device;
  uint32_t teams = run->sms * 4, value = 1;
  uint64_t busy_ns = *(const uint64_t *)what;
  PROBE_KERNEL(teams, 256, is_device_ptr(to) firstprivate(busy_ns, value)) {
    struct probe_record record;
    uint32_t x = value + probe_thread();
    probe_start(&record);
    while (probe_ns() - record.ns_start < busy_ns)
      for (unsigned i = 0; i < 64; i++)
        x = x * 1664525u + 1013904223u;
    probe_finish(to, &record, x);
  }
  double sum = 0;
  if (!probe_fetch_records(run, teams))
    return NAN;
  for (uint32_t t = 0; t < teams; t++)
    sum += (double)(run->records[t].clk_end - run->records[t].clk_start) /
           (double)(run->records[t].ns_end - run->records[t].ns_start);
  return sum / teams;
}

bool probe_clock(struct probe_run *run) {
  probe_say(run, "clock");
  uint64_t warm_ns = run->quick ? 100000 : 150000000, busy_ns = run->quick ? 100000 : 10000000;
  double warmed = cycles_per_ns(run, &warm_ns); /* an idle chip takes a while to reach its clock */
  if (!(warmed > 0) || !probe_sample(run, "clock", 0, cycles_per_ns, &busy_ns))
    return probe_fail(run, "the clock could not be measured");
  const struct probe_point *last = &run->log->points[run->log->point_count - 1];
  run->clk_per_ns = last->samples[last->count - 1];
  return true;
}

/* ---- occupancy --------------------------------------------------------------------------------------------------- */

/* The most teams that one SM held at a time. Each team counts itself in, waits for the others, and counts itself out. */
static double most_teams(struct probe_run *run, uint32_t *count, uint32_t threads, uint32_t shared_bytes) {
  struct probe_record *to = run->on_device;
  uint32_t teams = run->sms * 40, most = 0;
  PROBE_KERNEL(teams, threads, is_device_ptr(to, count) ompx_dyn_cgroup_mem(shared_bytes)) {
    struct probe_record record;
    uint32_t there = 0;
    probe_start(&record);
    if (probe_thread() == 0) {
      there = probe_add(&count[record.sm], 1) + 1;
      while (probe_ns() - record.ns_start < OCCUPANCY_SPIN_NS)
        continue;
      probe_add(&count[record.sm], UINT32_MAX);
    }
    probe_finish(to, &record, there);
  }
  if (!probe_fetch_records(run, teams))
    return NAN;
  for (uint32_t t = 0; t < teams; t++)
    most = run->records[t].value > most ? run->records[t].value : most;
  return most;
}

static bool note_teams(struct probe_run *run, uint32_t *count, const char *quantity, double x, uint32_t threads,
                       uint32_t shared_bytes) {
  double most = 0;
  for (unsigned i = 0; i < OCCUPANCY_ROUNDS; i++)
    most = fmax(most, most_teams(run, count, threads, shared_bytes));
  return most > 0 && probe_note(run, quantity, x, most);
}

bool probe_occupancy(struct probe_run *run) {
  static const uint32_t threads[TEAM_SIZES] = {32, 256, 1024};
  static const uint32_t zeros[1024];
  probe_say(run, "teams that an SM holds");
  uint32_t *count = probe_allocate(run, sizeof zeros);
  bool good = count && run->sms <= 1024 && probe_upload(run, count, zeros, sizeof zeros);
  for (unsigned i = 0; good && i < TEAM_SIZES; i++)
    good = note_teams(run, count, "teams.threads", threads[i], threads[i], 0);
  for (uint32_t kib = 5; good && kib <= 47; kib += run->quick ? 21 : 1)
    good = note_teams(run, count, "teams.shared", kib * 1024, 32, kib * 1024);
  if (count)
    probe_release(run, count);
  return good || probe_fail(run, "the teams of an SM could not be counted");
}

/* What raw measurements say. */
#include "analyse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

enum { RISE_PERCENT = 10, MIB = 1 << 20 };

static double share(int percent) {
  return percent / 100.0;
}

static struct probe_series series_of(const struct probe_log *log, const char *quantity) {
  struct probe_series series;
  probe_series_of(log, quantity, &series);
  return series;
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

static uint64_t number(const struct probe_log *log, const char *key) {
  const char *text = probe_log_find(log, key);
  return text ? strtoull(text, NULL, 10) : 0;
}

static void facts(const struct probe_log *log, struct probe_findings *f) {
  const char *name = probe_log_find(log, "device-name"), *arch = probe_log_find(log, "compute-capabilities");
  snprintf(f->name, sizeof f->name, "%s", name ? name : "");
  f->arch = arch && !strncmp(arch, "sm_", 3) ? (unsigned)strtoul(arch + 3, NULL, 10) : 0;
  f->sms = number(log, "sms");
  f->memory_bytes = number(log, "global-memory-size");
  f->l2_bytes = number(log, "l2-cache-size");
  f->constant_bytes = number(log, "total-constant-memory");
  f->team_shared_bytes = number(log, "max-shared-memory-per-block");
  f->team_threads = number(log, "maximum-threads-per-block");
  f->team_registers = number(log, "registers-per-block");
  f->sm_threads = number(log, "max-threads-per-smp");
  uint64_t warp = number(log, "warp");
  f->warp = (struct probe_value){warp > 0, false, (double)warp};
}

/* ---- occupancy --------------------------------------------------------------------------------------------------- */

/* With `reserved` bytes beside each team's own: what an SM has at least, and less than which it has. */
static void bounds(const struct probe_series *teams, double reserved, double *least, double *below) {
  *least = 0;
  *below = INFINITY;
  for (unsigned i = 0; i < teams->count; i++) {
    double each = teams->points[i].x + reserved, held = teams->points[i].value;
    *least = fmax(*least, held * each);
    if (held < teams->points[0].value) /* else another limit may hold the number down */
      *below = fmin(*below, (held + 1) * each);
  }
}

void probe_shared_of_sm(const struct probe_series *teams, struct probe_value *bytes, struct probe_value *reserved) {
  *bytes = *reserved = (struct probe_value){0};
  for (double kib = 0; kib <= 4 && teams->count; kib++) {
    double least, below;
    bounds(teams, kib * 1024, &least, &below);
    if (!(least < below) || isinf(below))
      continue;
    *bytes = (struct probe_value){true, below - least > 4096, ceil(least / 1024) * 1024};
    *reserved = (struct probe_value){true, false, kib * 1024};
    return;
  }
}

static void occupancy(const struct probe_log *log, struct probe_findings *f) {
  struct probe_series teams = series_of(log, "teams.threads"), shared = series_of(log, "teams.shared");
  struct probe_series clock = series_of(log, "clock");
  f->clock_mhz = probe_at(&clock, 0, share(2));
  f->clock_mhz.value = round(f->clock_mhz.value * 1000);
  f->teams_per_sm = probe_at(&teams, 32, 0);
  for (unsigned i = 0; i < teams.count; i++)
    f->threads_per_sm.value = fmax(f->threads_per_sm.value, teams.points[i].x * teams.points[i].value);
  f->threads_per_sm.known = teams.count > 0;
  probe_shared_of_sm(&shared, &f->shared_per_sm_bytes, &f->shared_reserved_bytes);
}

/* ---- latencies and capacities ------------------------------------------------------------------------------------ */

static struct probe_value latency(const struct probe_series *series, double from, double to) {
  return probe_plateau(series, from, to, PROBE_LATENCY_TOLERANCE);
}

static void l1(const struct probe_log *log, struct probe_findings *f) {
  static const struct {
    const char *quantity;
    double stride;
  } strides[] = {{"chase.ca.64", 64}, {"chase.ca.128", 128}, {"chase.ca.256", 256}};
  struct probe_series ca = series_of(log, "chase.ca.128"), nc = series_of(log, "chase.nc.128"), reach = {0};
  f->l1_bytes = probe_knee(&ca, share(RISE_PERCENT));
  f->readonly_bytes = probe_knee(&nc, share(RISE_PERCENT));
  f->l1_clk = latency(&ca, 0, f->l1_bytes.known ? f->l1_bytes.value / 2 : INFINITY);
  f->readonly_clk = latency(&nc, 0, f->readonly_bytes.known ? f->readonly_bytes.value / 2 : INFINITY);
  for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++) {
    struct probe_series sweep = series_of(log, strides[i].quantity);
    struct probe_value knee = probe_knee(&sweep, share(RISE_PERCENT));
    if (!knee.known)
      continue;
    reach.points[reach.count].x = strides[i].stride;
    reach.points[reach.count++].value = knee.value;
  }
  f->l1_line = probe_line_of(&reach);
  struct probe_series pairs = series_of(log, "pair.ca"), far = series_of(log, "pair.cg");
  f->l1_sector = probe_step(&pairs, 2);
  f->memory_sector = probe_step(&far, 1.5);
}

struct probe_value probe_line_of(const struct probe_series *reach) {
  for (unsigned i = 1; i < reach->count; i++)
    if (reach->points[i].value > 1.5 * reach->points[0].value)
      return (struct probe_value){true, false, reach->points[i - 1].x};
  return (struct probe_value){0};
}

static void l2(const struct probe_log *log, struct probe_findings *f) {
  struct probe_series far = series_of(log, "chase.cg.128"), lines = series_of(log, "chase.line.cg"), level = {0};
  for (unsigned i = 0; i < far.count; i++) /* from where on a ring spreads over the whole of the cache */
    if (far.points[i].x >= 4.0 * MIB)
      level.points[level.count++] = far.points[i];
  f->l2_usable_bytes = probe_knee(&level, share(RISE_PERCENT));
  double knee = f->l2_usable_bytes.known ? f->l2_usable_bytes.value : INFINITY;
  f->l2_clk = latency(&level, 0, knee / 2);
  f->memory_clk = isinf(knee) ? (struct probe_value){0} : latency(&far, 2.5 * knee, 1024.0 * MIB);
  double each[PROBE_MOST_POINTS];
  for (unsigned i = 0; i < lines.count; i++)
    each[i] = lines.points[i].value;
  f->l2_near_clk = (struct probe_value){lines.count > 0, false, probe_quantile(each, lines.count, 0.1)};
  f->l2_far_clk = (struct probe_value){lines.count > 0, false, probe_quantile(each, lines.count, 0.9)};
}

static void constant(const struct probe_log *log, struct probe_findings *f) {
  struct probe_series chase = series_of(log, "chase.constant.64"), pairs = series_of(log, "pair.constant"), beyond = {0};
  f->constant_l1_bytes = probe_knee(&chase, share(RISE_PERCENT));
  double knee = f->constant_l1_bytes.known ? f->constant_l1_bytes.value : INFINITY;
  f->constant_l1_clk = latency(&chase, 0, isinf(knee) ? INFINITY : knee);
  for (unsigned i = 0; i < chase.count; i++)
    if (chase.points[i].x >= 1.5 * knee)
      beyond.points[beyond.count++] = chase.points[i];
  f->constant_l15_bytes = probe_knee(&beyond, share(RISE_PERCENT));
  f->constant_l15_clk = latency(&beyond, 0, f->constant_l15_bytes.known ? f->constant_l15_bytes.value : INFINITY);
  f->constant_most_bytes = chase.count ? chase.points[chase.count - 1].x : 0;
  f->constant_l1_line = probe_step(&pairs, 1.5);
  f->constant_l15_line = probe_step(&pairs, 4);
}

void probe_banks_of(const struct probe_series *two, struct probe_value *banks, struct probe_value *width) {
  struct probe_value around = probe_step(two, 1.5); /* the first distance that meets its own bank again */
  *banks = *width = (struct probe_value){0};
  for (unsigned i = 0; around.known && i < two->count; i++)
    if (two->points[i].x > around.value && two->points[i].value < 1.5 * two->points[0].value) {
      double bytes = two->points[i].x - around.value;
      *width = (struct probe_value){true, false, bytes};
      *banks = (struct probe_value){true, false, around.value / bytes};
      return;
    }
}

static void shared(const struct probe_log *log, struct probe_findings *f) {
  struct probe_series chase = series_of(log, "chase.shared"), two = series_of(log, "banks.two");
  f->shared_clk = latency(&chase, 0, INFINITY);
  probe_banks_of(&two, &f->banks, &f->bank_bytes);
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

/* Bytes per clk, of loads of that many bytes a lane by all lanes of a warp. */
static struct probe_value rate(const struct probe_log *log, const char *quantity, double lane_bytes, double warp) {
  struct probe_series series = series_of(log, quantity);
  struct probe_value value = probe_at(&series, 0, PROBE_THROUGHPUT_TOLERANCE);
  value.known = value.known && value.value > 0;
  value.value = value.known ? lane_bytes * warp / value.value : 0;
  return value;
}

static void rates(const struct probe_log *log, struct probe_findings *f) {
  double warp = f->warp.known ? f->warp.value : 32;
  f->l1_rate = rate(log, "rows.global.16", 16, warp);
  f->readonly_rate = rate(log, "rows.readonly.4", 4, warp);
  f->shared_read_rate = rate(log, "rows.shared.16", 16, warp);
  f->shared_write_rate = rate(log, "rows.store.4", 4, warp);
  struct probe_series read = series_of(log, "bandwidth.read"), write = series_of(log, "bandwidth.write"), copy = {0};
  double all = read.count ? read.points[read.count - 1].x : 0;
  double l2 = f->l2_usable_bytes.known ? f->l2_usable_bytes.value : (double)f->l2_bytes;
  f->memory_read_gbps = probe_at(&read, all, PROBE_THROUGHPUT_TOLERANCE);
  f->memory_write_gbps = probe_at(&write, all, PROBE_THROUGHPUT_TOLERANCE);
  if (l2 > 0) {
    f->l2_read_gbps = probe_plateau(&read, l2 / 4, l2 * 0.85, PROBE_THROUGHPUT_TOLERANCE);
    f->l2_write_gbps = probe_plateau(&write, 0, l2 * 0.85, PROBE_THROUGHPUT_TOLERANCE);
  }
  static const char *const copies[] = {"bandwidth.copy", "bandwidth.copy.once", "bandwidth.copy.teams"};
  for (unsigned i = 0; i < sizeof copies / sizeof *copies; i++) {
    probe_series_of(log, copies[i], &copy);
    struct probe_value value = probe_at(&copy, all, PROBE_THROUGHPUT_TOLERANCE);
    if (value.known && (!f->copy_gbps.known || value.value > f->copy_gbps.value))
      f->copy_gbps = value;
  }
  struct probe_series region = series_of(log, "region"), fill = series_of(log, "fill.device"), start = series_of(log, "start");
  f->region_us = probe_at(&region, 0, PROBE_LATENCY_TOLERANCE);
  f->fill_us = probe_plateau(&fill, 0, INFINITY, PROBE_LATENCY_TOLERANCE);
  f->region_us.unsure = f->fill_us.unsure = true; /* the host's wall clock: steady within a run, but not from run to run */
  f->start_ns = probe_at(&start, 0, PROBE_LATENCY_TOLERANCE);
}

/* ---- paper 001, Algorithm 1 -------------------------------------------------------------------------------------- */

/* A bit stands out when its second access differs from the median bit's by more than what bits otherwise scatter. */
static void mapping(const struct probe_log *log, struct probe_findings *f) {
  struct probe_series second = series_of(log, "mapping.second");
  double all[PROBE_MOST_POINTS];
  for (unsigned i = 0; i < second.count; i++)
    all[i] = second.points[i].value;
  double middle = probe_median(all, second.count);
  f->mapping_least_clk = probe_quantile(all, second.count, 0);
  f->mapping_most_clk = probe_quantile(all, second.count, 1);
  for (unsigned i = 0; i < second.count; i++) {
    uint64_t bit = second.points[i].x < 64 ? (uint64_t)1 << (unsigned)second.points[i].x : 0;
    f->tried_bits |= bit;
    f->column_bits |= second.points[i].value < 0.85 * middle ? bit : 0;
    f->row_bits |= second.points[i].value > 1.15 * middle ? bit : 0;
  }
}

void probe_analyse(const struct probe_log *log, struct probe_findings *findings) {
  memset(findings, 0, sizeof *findings);
  facts(log, findings);
  occupancy(log, findings);
  l1(log, findings);
  l2(log, findings);
  constant(log, findings);
  shared(log, findings);
  rates(log, findings);
  mapping(log, findings);
}

/* From raw measurements to what they say about the machine: the only place that interprets a log. Pure; nothing allocated. */
#ifndef MSL_PROBE_ANALYSE_H
#define MSL_PROBE_ANALYSE_H

#include <stdint.h>

#include "series.h"

struct probe_findings {
  /* what the system says; 0 or "" where it does not */
  char name[PROBE_FACT_BYTES];
  unsigned arch;
  uint64_t sms, memory_bytes, l2_bytes, constant_bytes, team_shared_bytes, team_threads, team_registers, sm_threads;

  struct probe_value warp, clock_mhz, teams_per_sm, threads_per_sm, shared_per_sm_bytes, shared_reserved_bytes;

  /* clk, of one dependent load */
  struct probe_value l1_clk, readonly_clk, l2_clk, l2_near_clk, l2_far_clk, memory_clk, shared_clk, constant_l1_clk,
      constant_l15_clk;
  /* bytes */
  struct probe_value l1_bytes, readonly_bytes, l2_usable_bytes, constant_l1_bytes, constant_l15_bytes;
  double constant_most_bytes; /* the largest working set that was tried */
  struct probe_value l1_line, l1_sector, memory_sector, constant_l1_line, constant_l15_line;
  struct probe_value bank_bytes, banks;

  /* per SM, bytes per clk; of the die, GB/s */
  struct probe_value l1_rate, readonly_rate, shared_read_rate, shared_write_rate;
  struct probe_value memory_read_gbps, memory_write_gbps, copy_gbps, l2_read_gbps, l2_write_gbps;
  struct probe_value region_us, fill_us, start_ns;

  /* paper 001: bits whose second access is faster (columns) or slower (rows) than all others'; masks */
  uint64_t column_bits, row_bits, tried_bits;
  double mapping_least_clk, mapping_most_clk;
};

void probe_analyse(const struct probe_log *log, struct probe_findings *findings);

/* Shared memory of an SM and what is reserved for each team, from how many teams of that many bytes it held. */
void probe_shared_of_sm(const struct probe_series *teams, struct probe_value *bytes, struct probe_value *reserved);

/* The line: the largest distance of neighbours at which the reach of a cache, in bytes walked, is still what it is at the
 * smallest distance. `reach` is a series of knees against stride. */
struct probe_value probe_line_of(const struct probe_series *reach);

/* Banks and their width, from the cost of two lanes against their distance in bytes. */
void probe_banks_of(const struct probe_series *two, struct probe_value *banks, struct probe_value *width);

#endif

/* A machine's numbers with defaults. */
#include "rates.h"

#include <math.h>

double rates_sm_count(const struct place_machine *machine) {
  return machine->sm_count ? machine->sm_count : RATES_DEFAULT_SMS;
}

double rates_clock_ns(const struct place_machine *machine) {
  return machine->clock_hz.state == MSL_GIVEN && machine->clock_hz.value > 0 ? 1e9 / machine->clock_hz.value : 1;
}

double rates_bytes_per_ns(const struct place_machine *machine, const struct place_memory *memory) {
  if (memory->read_bytes_per_clk.state == MSL_GIVEN) return memory->read_bytes_per_clk.value / rates_clock_ns(machine);
  if (memory->read_gbps_per_die.state == MSL_GIVEN) return memory->read_gbps_per_die.value / rates_sm_count(machine);
  return 0;
}

double rates_latency_ns(const struct place_machine *machine, const struct place_memory *memory) {
  double ns = msl_time_ns(machine, &memory->read_latency);
  return isfinite(ns) ? ns : 0;
}

double rates_level_ns(const struct place_machine *machine, const struct chain *chain, unsigned j, double transactions) {
  const struct place_memory *memory = chain->level[j], *backing = chain->level[chain->count - 1];
  const struct msl_curve *curve = &memory->transactions;
  double ns = msl_curve_at_ns(curve, transactions), rate = rates_bytes_per_ns(machine, memory);
  double beyond = isfinite(ns) && curve->count ? transactions - curve->points[curve->count - 1].x : 0;
  if (isfinite(ns)) return ns + (beyond > 0 ? beyond * rates_clock_ns(machine) : 0);
  ns = msl_time_ns(machine, &memory->transaction_time);
  if (isfinite(ns)) return transactions * ns;
  if (rate == 0 && memory != backing) rate = RATES_CACHE_SPEEDUP * rates_bytes_per_ns(machine, backing);
  if (rate > 0) return transactions * (double)traits_block_bytes(memory) / rate;
  return transactions * rates_latency_ns(machine, memory) * msl_concurrency(memory, MSL_MEMORY_BOUND);
}

unsigned rates_path_count(const struct place_machine *machine, unsigned most) {
  unsigned count = machine->path_count ? machine->path_count : 1;
  return count < most ? count : most;
}

unsigned rates_path_of(const struct place_machine *machine, enum place_space space, unsigned paths) {
  const struct place_memory *memory = candidates_memory(machine, space);
  return !memory ? 0 : memory->path < paths ? memory->path : paths - 1;
}

const char *rates_path_name(const struct place_machine *machine, unsigned path) {
  return path < machine->path_count ? machine->path_names[path] : "global";
}

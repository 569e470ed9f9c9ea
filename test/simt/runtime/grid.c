// The grid of a launch, as GenericKernelTy::getNumThreads and getNumBlocks of libomptarget 19 choose it for CUDA.
#include "launch.h"

#include "team.h"

#include <stdlib.h>

// ConfigurationEnvironmentTy of libomptarget 19: the head of a <kernel>_kernel_environment.
struct kernel_environment {
  uint8_t use_generic_state_machine, may_use_nested_parallelism, execution_mode;
  int32_t min_threads, max_threads, min_teams, max_teams, reduction_data_bytes, reduction_buffer_length;
};
enum { MODE_BARE = 0, MODE_GENERIC = 1, MODE_SPMD = 2, MODE_GENERIC_SPMD = 3 };
enum { DEFAULT_TEAMS = 3200, DEFAULT_THREADS = 128, MIN_THREADS_FOR_LOW_TRIP_COUNT = 32, BLOCK_LIMIT = 0x7fffffff };

uint64_t simt_environment_number(const char *name, uint64_t fallback) {
  const char *text = getenv(name);
  char *end;
  if (!text || !*text)
    return fallback;
  unsigned long long value = strtoull(text, &end, 0);
  return *end ? fallback : value;
}

static uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint32_t power_of_two_at_least(uint64_t value) {
  uint32_t power = 1;
  while (power < value)
    power *= 2;
  return power;
}

static uint32_t choose_threads(const struct simt_kernel *kernel, const struct kernel_environment *environment,
                               const struct simt_request *request) {
  int mode = environment ? environment->execution_mode : MODE_SPMD;
  uint32_t limit = request->threads;
  if (mode == MODE_BARE && limit)
    return (uint32_t)min_u64(limit, SIMT_MAX_THREADS);
  bool bounded = environment && environment->max_threads > 0;
  uint32_t maximum = bounded ? (uint32_t)environment->max_threads : SIMT_MAX_THREADS;
  uint32_t preferred = DEFAULT_THREADS;
  if (environment && environment->min_threads > DEFAULT_THREADS)
    preferred = (uint32_t)environment->min_threads;
  if (limit && mode == MODE_GENERIC)
    limit += SIMT_WARP_LANES;
  uint32_t threads = (uint32_t)min_u64(maximum, limit ? limit : preferred);
  if (kernel->max_threads)
    threads = (uint32_t)min_u64(threads, kernel->max_threads);
  return (uint32_t)min_u64(threads, SIMT_MAX_THREADS);
}

// For a combined construct: one iteration a thread, fewer threads a team if that leaves too few teams.
static uint64_t teams_for_trip_count(const struct simt_request *request, uint64_t default_teams, uint32_t *threads) {
  uint64_t trips = request->trip_count;
  uint32_t min_threads = (uint32_t)min_u64(MIN_THREADS_FOR_LOW_TRIP_COUNT, *threads);
  if (trips >= default_teams * *threads || request->threads)
    return (trips - 1) / *threads + 1;
  if (trips >= default_teams * min_threads)
    *threads = (uint32_t)min_u64(*threads, power_of_two_at_least((trips + default_teams - 1) / default_teams));
  else
    *threads = min_threads;
  return (trips - 1) / *threads + 1;
}

struct simt_grid simt_choose_grid(const struct simt_kernel *kernel, const struct simt_request *request) {
  const struct kernel_environment *environment = kernel->environment;
  int mode = environment ? environment->execution_mode : MODE_SPMD;
  struct simt_grid grid = {.threads = choose_threads(kernel, environment, request)};
  uint64_t default_teams = simt_environment_number("SIMT_TEAMS", DEFAULT_TEAMS);
  uint64_t teams = simt_environment_number("SIMT_TEAMS_UNTOLD", default_teams);
  if (request->teams)
    teams = request->teams;
  else if (request->trip_count && mode == MODE_SPMD)
    teams = min_u64(teams_for_trip_count(request, default_teams, &grid.threads), default_teams);
  else if (request->trip_count)
    teams = min_u64(request->trip_count, default_teams);
  grid.teams = (uint32_t)min_u64(teams ? teams : 1, BLOCK_LIMIT);
  return grid;
}

uint64_t simt_reduction_buffer_bytes(const struct simt_kernel *kernel) {
  const struct kernel_environment *environment = kernel->environment;
  if (!environment || environment->reduction_data_bytes <= 0 || environment->reduction_buffer_length <= 0)
    return 0;
  return (uint64_t)environment->reduction_data_bytes * (uint64_t)environment->reduction_buffer_length;
}

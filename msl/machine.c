/* Questions to a machine that has been read. */
#include <math.h>
#include <string.h>

#include "internal.h"

const struct place_memory *msl_memory_by_name(const struct place_machine *machine, const char *name) {
  for (unsigned i = 0; i < machine->memory_count; i++)
    if (*machine->memories[i].name == *name && !strcmp(machine->memories[i].name, name))
      return &machine->memories[i];
  return NULL;
}

const struct place_memory *msl_memory_by_id(const struct place_machine *machine, unsigned id) {
  for (unsigned i = 0; i < machine->memory_count; i++)
    if (machine->memories[i].id == id)
      return &machine->memories[i];
  return NULL;
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

static double clock_ns(const struct place_machine *machine) {
  return machine->clock_hz.state == MSL_GIVEN ? 1e9 / machine->clock_hz.value : NAN;
}

double msl_time_ns(const struct place_machine *machine, const struct msl_time *time) {
  static const double unit_ns[] = {0, 1, 1e3, 1e6, 1e9};
  if (time->state != MSL_GIVEN)
    return NAN;
  return time->value * (time->unit == MSL_CLK ? clock_ns(machine) : unit_ns[time->unit]);
}

double msl_time_clk(const struct place_machine *machine, const struct msl_time *time) {
  if (time->state == MSL_GIVEN && time->unit == MSL_CLK)
    return time->value;
  return msl_time_ns(machine, time) / clock_ns(machine);
}

double msl_read_latency_clk(const struct place_machine *machine, const struct place_memory *memory) {
  return msl_time_clk(machine, &memory->read_latency);
}

double msl_write_latency_clk(const struct place_machine *machine, const struct place_memory *memory) {
  return msl_time_clk(machine, &memory->write_latency);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

uint64_t msl_extent_bytes(const struct msl_extent *extent, unsigned element_bytes) {
  uint64_t bytes = extent->unit == MSL_ELEMENTS ? element_bytes : 1;
  if (extent->state != MSL_GIVEN || !bytes)
    return 0;
  for (unsigned i = 0; i < extent->dims; i++) {
    if (extent->dim[i] > UINT64_MAX / bytes)
      return 0;
    bytes *= extent->dim[i];
    if (!bytes)
      return 0;
  }
  return bytes;
}

uint64_t msl_capacity_bytes(const struct place_memory *memory) {
  if (memory->usable_bytes.state == MSL_GIVEN)
    return memory->usable_bytes.value;
  return msl_extent_bytes(&memory->size, 4);
}

/* ---- costs ------------------------------------------------------------------------------------------------------- */

double msl_concurrency(const struct place_memory *memory, enum msl_kernel_kind kind) {
  const struct msl_real *factor =
      kind == MSL_MEMORY_BOUND ? &memory->concurrency_memory_bound : &memory->concurrency_compute_bound;
  if (factor->state == MSL_GIVEN)
    return factor->value;
  return !strcmp(memory->name, "constantMem") || !strncmp(memory->name, "cL", 2) ? 1 : 0.2;
}

double msl_curve_at_ns(const struct msl_curve *curve, double x) {
  if (curve->state != MSL_GIVEN || !curve->count || isnan(x))
    return NAN;
  const struct msl_point *points = curve->points;
  unsigned above = 0;
  while (above < curve->count && points[above].x < x)
    above++;
  if (above == 0)
    return points[0].cost_ns;
  if (above == curve->count)
    return points[above - 1].cost_ns;
  const struct msl_point *from = &points[above - 1], *to = &points[above];
  return from->cost_ns + (to->cost_ns - from->cost_ns) * (x - from->x) / (to->x - from->x);
}

/* ---- occupancy --------------------------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t value, const struct msl_count *unit) {
  if (unit->state != MSL_GIVEN || !unit->value)
    return value;
  return (value + unit->value - 1) / unit->value * unit->value;
}

static uint64_t least(uint64_t teams, const struct msl_count *limit, uint64_t needed) {
  if (limit->state != MSL_GIVEN || !needed)
    return teams;
  return limit->value / needed < teams ? limit->value / needed : teams;
}

static bool team_fits(const struct place_machine *m, uint64_t threads, uint64_t registers, uint64_t shared_bytes) {
  return least(1, &m->threads_per_team, threads) && least(1, &m->registers_per_thread, registers) &&
         least(1, &m->registers_per_team, registers * threads) && least(1, &m->shared_bytes_per_team, shared_bytes);
}

unsigned msl_teams_per_sm(const struct place_machine *m, unsigned threads, unsigned registers, uint64_t shared_bytes) {
  if (!threads || shared_bytes > UINT32_MAX || !team_fits(m, threads, registers, shared_bytes))
    return 0;
  uint64_t warps = (threads + (uint64_t)m->warp_size - 1) / m->warp_size;
  uint64_t reserved = m->shared_reserved_bytes.state == MSL_GIVEN ? m->shared_reserved_bytes.value : 0;
  uint64_t teams = UINT32_MAX;
  teams = least(teams, &m->teams_per_sm, 1);
  teams = least(teams, &m->threads_per_sm, warps * m->warp_size);
  teams = least(teams, &m->warps_per_sm, warps);
  teams = least(teams, &m->registers_per_sm, warps * round_up((uint64_t)registers * m->warp_size, &m->register_unit));
  teams = least(teams, &m->shared_bytes_per_sm, round_up(shared_bytes + reserved, &m->shared_unit_bytes));
  return (unsigned)teams;
}

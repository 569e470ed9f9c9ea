/* Building the placement problem from the machine and what was sampled. */
#include "cost.h"

#include <math.h>
#include <string.h>

/* ---- the machine ---- */

static double sm_count(const struct place_machine *machine) {
  return machine->sm_count ? machine->sm_count : COST_DEFAULT_SMS;
}

static double clock_ns(const struct place_machine *machine) {
  return machine->clock_hz.state == MSL_GIVEN && machine->clock_hz.value > 0 ? 1e9 / machine->clock_hz.value : 1;
}

/* Bytes per ns that one SM gets from a memory; 0 if the file does not say. */
static double bytes_per_ns(const struct place_machine *machine, const struct place_memory *memory) {
  if (memory->read_bytes_per_clk.state == MSL_GIVEN) return memory->read_bytes_per_clk.value / clock_ns(machine);
  if (memory->read_gbps_per_die.state == MSL_GIVEN) return memory->read_gbps_per_die.value / sm_count(machine);
  return 0;
}

static double latency_ns(const struct place_machine *machine, const struct place_memory *memory) {
  double ns = msl_time_ns(machine, &memory->read_latency);
  return isfinite(ns) ? ns : 0;
}

/* Time of one warp access that needs `transactions` of level j of the chain. */
static double level_ns(const struct place_machine *machine, const struct chain *chain, unsigned j, double transactions) {
  const struct place_memory *memory = chain->level[j], *backing = chain->level[chain->count - 1];
  const struct msl_curve *curve = &memory->transactions;
  double ns = msl_curve_at_ns(curve, transactions), rate = bytes_per_ns(machine, memory);
  double beyond = isfinite(ns) && curve->count ? transactions - curve->points[curve->count - 1].x : 0;
  if (isfinite(ns)) return ns + (beyond > 0 ? beyond * clock_ns(machine) : 0);
  ns = msl_time_ns(machine, &memory->transaction_time);
  if (isfinite(ns)) return transactions * ns;
  if (rate == 0 && memory != backing) rate = COST_CACHE_SPEEDUP * bytes_per_ns(machine, backing);
  if (rate > 0) return transactions * (double)traits_block_bytes(memory) / rate;
  return transactions * latency_ns(machine, memory) * msl_concurrency(memory, MSL_MEMORY_BOUND);
}

/* ---- paths: those of the memories, then issue, then latency ---- */

static unsigned memory_paths(const struct cost_input *in) {
  unsigned count = in->machine->path_count ? in->machine->path_count : 1;
  return count < SOLVE_MAX_PATHS - 2 ? count : SOLVE_MAX_PATHS - 2;
}

static unsigned issue_path(const struct cost_input *in) {
  return memory_paths(in);
}

static unsigned latency_path(const struct cost_input *in) {
  return memory_paths(in) + 1;
}

static unsigned path_of(const struct cost_input *in, enum place_space space) {
  const struct place_memory *memory = candidates_memory(in->machine, space);
  unsigned last = memory_paths(in) - 1;
  return !memory ? 0 : memory->path < last ? memory->path : last;
}

/* ---- occupancy and shape ---- */

static unsigned resident_teams(const struct cost_input *in, uint64_t staged_bytes) {
  unsigned teams = msl_teams_per_sm(in->machine, shape_threads(in->region, in->launch), COST_REGISTERS,
                                    in->launch->dynamic_shared_bytes + staged_bytes);
  return teams ? teams : 1;
}

uint32_t cost_staged_teams(const struct place_region *region, const struct place_launch *launch,
                           const struct place_machine *machine, uint64_t staged_bytes) {
  struct cost_input in = {.region = region, .launch = launch, .machine = machine};
  if (!staged_bytes || region->teams != PLACE_TEAMS_OPEN || region->reduction || launch->teams) return 0;
  uint32_t threads = shape_threads(region, launch), resident = resident_teams(&in, staged_bytes);
  uint64_t chunks = launch->trip_count ? (launch->trip_count - 1) / threads + 1 : UINT32_MAX; /* of one round of a team */
  double sms = sm_count(machine), wanted = sms * resident, many = sms * COST_MANY_TEAMS;
  if (resident > COST_FEW_TEAMS) {
    bool pays = (double)chunks >= many * (1 + (double)staged_bytes / (8.0 * threads)); /* half of a copy's loads */
    wanted = fmax(wanted, pays ? many : SHAPE_DEFAULT_TEAMS);
  }
  return (double)chunks < wanted ? (uint32_t)chunks : (uint32_t)wanted;
}

struct occupancy {
  double teams, resident, waves, busiest; /* launched; on an SM at a time; rounds of them; of all on the busiest SM */
  double warps;                           /* active on an SM */
};

static struct occupancy occupancy_at(const struct cost_input *in, uint64_t staged_bytes) {
  uint32_t teams = cost_staged_teams(in->region, in->launch, in->machine, staged_bytes);
  struct occupancy o = {.teams = teams ? teams : shape_default_teams(in->region, in->launch)};
  double sms = sm_count(in->machine), resident = resident_teams(in, staged_bytes);
  o.busiest = o.teams > sms * resident ? o.teams / sms : ceil(o.teams / sms);
  o.resident = fmin(resident, o.busiest);
  o.waves = ceil(o.busiest / resident);
  o.warps = o.resident * shape_warps_per_team(in->region, in->launch);
  return o;
}

/* Factor on an SM's mean share of the launch: uneven teams. */
static double share_scale(const struct cost_input *in, const struct occupancy *o) {
  return o->busiest * sm_count(in->machine) / o->teams;
}

/* ---- classes ---- */

static void shared_class(const struct cost_input *in, uint64_t max_bytes, struct solve_class *class) {
  struct occupancy o = occupancy_at(in, max_bytes);
  struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  class->max_bytes = max_bytes;
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) class->scale[s] = share_scale(in, &o);
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) class->path_scale[p] = p == latency_path(in) ? 1 / o.warps : 1;
  class->fixed_ns = class->ns_per_byte = 0;
  if (!max_bytes || !chain.count) return;
  const struct place_memory *near = chain.level[chain.count > 1 ? chain.count - 2 : 0]; /* copies come from the last cache */
  double rate = bytes_per_ns(in->machine, near), latency = latency_ns(in->machine, near);
  if (rate == 0) rate = COST_CACHE_SPEEDUP * bytes_per_ns(in->machine, chain.level[chain.count - 1]);
  double in_flight = (double)shape_threads(in->region, in->launch) * COST_COPY_BYTES;
  class->fixed_ns = o.waves * COST_COPY_CLK * clock_ns(in->machine);
  class->ns_per_byte = o.waves * latency / in_flight + (rate > 0 ? o.busiest / rate : 0);
}

/* Classes of staged bytes: one for nothing staged, then one for each number of teams that an SM can hold. */
static void shared_classes(const struct cost_input *in, struct solve_space *space) {
  uint64_t capacity = candidates_shared_capacity(in->machine, in->launch);
  shared_class(in, 0, &space->classes[0]);
  space->class_count = 1;
  for (uint64_t bytes = 1024; bytes < capacity + 1024; bytes += 1024) {
    uint64_t most = bytes < capacity ? bytes : capacity;
    bool same = space->class_count > 1 && resident_teams(in, most) ==
                                              resident_teams(in, space->classes[space->class_count - 1].max_bytes);
    if (!same && space->class_count < SOLVE_MAX_CLASSES) space->class_count++;
    shared_class(in, most, &space->classes[space->class_count - 1]);
  }
}

/* Price of one constant transaction when arrays of that many bytes live there. */
static double constant_ns(const struct place_machine *machine, uint64_t bytes) {
  const struct place_memory *memory = candidates_memory(machine, PLACE_CONSTANT);
  double ns = memory ? msl_curve_at_ns(&memory->working_set, (double)bytes) : NAN;
  if (!memory || isfinite(ns)) return memory ? ns : 1;
  struct chain chain = traits_chain(machine, PLACE_CONSTANT);
  unsigned j = 0;
  while (j + 1 < chain.count && msl_capacity_bytes(chain.level[j]) < bytes) j++;
  ns = level_ns(machine, &chain, j, 1);
  return ns > 0 ? ns : clock_ns(machine);
}

/* Classes of bytes in constant memory: its caches' cliffs lie at different sizes on each machine, so every power of two. */
static void constant_classes(const struct cost_input *in, unsigned arrays, struct solve_space *space) {
  static const uint64_t edges[] = {256, 384, 512, 768, 1024, 2048, 4096, 8192, 16384, 32768, PLACE_CONST_BYTES};
  uint64_t slack = arrays * (PLACE_CONST_ALIGN - 64); /* bytes are counted by 64, slots are aligned to 256 */
  space->class_count = sizeof edges / sizeof *edges;
  for (unsigned c = 0; c < space->class_count; c++) {
    struct solve_class *class = &space->classes[c];
    *class = (struct solve_class){.max_bytes = c + 1 < space->class_count ? edges[c] : edges[c] - slack};
    for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) class->scale[s] = 1;
    for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) class->path_scale[p] = 1;
    class->scale[PLACE_CONSTANT] = constant_ns(in->machine, edges[c]) / constant_ns(in->machine, edges[0]);
  }
}

/* ---- arrays ---- */

/* Share of an array's line accesses that miss in a level of the global chain, given those that reach it. */
static double miss_ratio(const struct cost_input *in, const struct place_memory *cache, size_t array, double accesses) {
  const struct candidate *c = &in->candidates[array];
  double portion = (double)msl_capacity_bytes(cache) / (double)in->region->array_count;
  double pieces = cache->share_scope.state == MSL_GIVEN && cache->share_scope.value == MSL_DIE ? 1 : sm_count(in->machine);
  double line = (double)traits_line_bytes(cache);
  struct occupancy o = occupancy_at(in, 0);
  if (portion <= 0) return 1;
  if (c->window.known && (double)c->window.bytes <= portion)
    return accesses > 0 ? fmin(1, (double)c->window.bytes / line * pieces / accesses) : 0;
  return 1 - reuse_hit_ratio(&in->traits->array[array].reuse, portion / line / o.warps / (pieces > 1 ? 1 : sm_count(in->machine)));
}

/* Bytes that an array moves over the bus of device memory, given those that miss everywhere. */
static double bus_bytes(const struct cost_input *in, const struct place_memory *last_cache, size_t array, double missed) {
  const struct candidate *c = &in->candidates[array];
  double portion = (double)msl_capacity_bytes(last_cache) / (double)in->region->array_count;
  double bytes = c->window.known ? (double)c->window.bytes : missed;
  if (!in->traits->array[array].irregular || bytes <= portion) return fmin(missed, bytes);
  return missed * (1 - portion / bytes);
}

/* An access through the caches to device memory: ns on one SM, of the whole launch. */
static double hierarchy_ns(const struct cost_input *in, size_t access, enum place_space space) {
  const struct access_traits *t = &in->traits->access[access];
  size_t array = (size_t)in->region->accesses[access].array;
  struct chain chain = traits_chain(in->machine, space);
  double mine = t->executions / sm_count(in->machine), reach = 1, sum = 0;
  for (unsigned j = 0; j + 1 < chain.count; j++) {
    double n = t->transactions[space][j];
    sum += mine * reach * level_ns(in->machine, &chain, j, n);
    if (j + 2 < chain.count) reach *= miss_ratio(in, chain.level[j], array, t->executions * n);
  }
  if (!chain.count) return 0;
  const struct place_memory *memory = chain.level[chain.count - 1];
  double n = t->transactions[space][chain.count - 1], rate = bytes_per_ns(in->machine, memory) * sm_count(in->machine);
  double missed = t->executions * reach * n * (double)traits_block_bytes(memory);
  if (chain.count < 2 || rate <= 0) {
    if (chain.count > 1) reach *= miss_ratio(in, chain.level[chain.count - 2], array, t->executions * n);
    return sum + mine * reach * level_ns(in->machine, &chain, chain.count - 1, n);
  }
  return sum + bus_bytes(in, chain.level[chain.count - 2], array, missed) / rate;
}

static double constant_access_ns(const struct cost_input *in, size_t access, uint64_t bytes) {
  const struct access_traits *t = &in->traits->access[access];
  const struct place_memory *memory = candidates_memory(in->machine, PLACE_CONSTANT);
  double n = t->transactions[PLACE_CONSTANT][traits_chain(in->machine, PLACE_CONSTANT).count - 1];
  double ns = n * constant_ns(in->machine, bytes), diverged = msl_curve_at_ns(&memory->distinct, n);
  if (n > 1 && isfinite(diverged) && diverged > ns) ns = diverged;
  return t->executions / sm_count(in->machine) * ns;
}

static double shared_access_ns(const struct cost_input *in, size_t access) {
  const struct access_traits *t = &in->traits->access[access];
  struct chain chain = traits_chain(in->machine, PLACE_SHARED);
  return t->executions / sm_count(in->machine) * level_ns(in->machine, &chain, 0, t->transactions[PLACE_SHARED][0]);
}

static uint64_t constant_bytes(uint64_t window_bytes) {
  return (window_bytes + 63) & ~UINT64_C(63);
}

static double access_ns(const struct cost_input *in, size_t access, enum place_space space) {
  uint64_t window = in->candidates[in->region->accesses[access].array].window.bytes;
  switch (space) {
  case PLACE_CONSTANT: return constant_access_ns(in, access, constant_bytes(window));
  case PLACE_SHARED: return shared_access_ns(in, access);
  case PLACE_READONLY: return COST_READONLY * hierarchy_ns(in, access, space);
  default: return hierarchy_ns(in, access, space);
  }
}

/* ---- issue and latency ---- */

static bool serial_loop(const struct cost_input *in, size_t access) {
  int loop = in->region->accesses[access].loop;
  return loop >= 0 && !in->walk->access[access].counted;
}

static unsigned reads_beside(const struct cost_input *in, size_t access) {
  unsigned reads = 0;
  for (size_t i = 0; i < in->region->access_count; i++)
    reads += in->region->accesses[i].kind == PLACE_READ && in->region->accesses[i].loop == in->region->accesses[access].loop;
  return reads ? reads : 1;
}

static double issue_ns(const struct cost_input *in, size_t access) {
  double instructions = serial_loop(in, access) ? (double)COST_INSTRUCTIONS_SERIAL / reads_beside(in, access) : COST_INSTRUCTIONS;
  return in->traits->access[access].executions / sm_count(in->machine) * instructions * clock_ns(in->machine) /
         COST_ISSUE_PER_CLK;
}

/* Latency of one access in a space: what the levels of a hierarchy add, as often as they are reached. */
static double access_latency_ns(const struct cost_input *in, size_t access, enum place_space space) {
  struct chain chain = traits_chain(in->machine, space);
  const struct access_traits *t = &in->traits->access[access];
  double sum = 0, reach = 1;
  bool hierarchy = space == PLACE_GLOBAL || space == PLACE_READONLY;
  for (unsigned j = 0; j < chain.count && (j == 0 || hierarchy); j++) {
    sum += reach * latency_ns(in->machine, chain.level[j]);
    if (hierarchy && j + 1 < chain.count)
      reach *= miss_ratio(in, chain.level[j], (size_t)in->region->accesses[access].array, t->executions * t->transactions[space][j]);
  }
  return sum;
}

/* For one active warp; the class of staged bytes divides by their number. Nobody waits for a store. */
static double waiting_ns(const struct cost_input *in, size_t access, enum place_space space) {
  const struct place_access *a = &in->region->accesses[access];
  double in_flight = reads_beside(in, access) * (serial_loop(in, access) || a->loop < 0 ? 1.0 : COST_UNROLL);
  int chain = in->traits->array[a->array].irregular ? COST_CHAIN_IRREGULAR_CLK : COST_CHAIN_CLK;
  if (a->kind == PLACE_WRITE) return 0;
  return in->traits->access[access].executions / sm_count(in->machine) *
         (access_latency_ns(in, access, space) + chain * clock_ns(in->machine)) / fmin(in_flight, COST_MOST_IN_FLIGHT);
}

static void add_to_paths(const struct cost_input *in, size_t access, enum place_space space, double *path) {
  path[path_of(in, space)] += access_ns(in, access, space);
  path[issue_path(in)] += issue_ns(in, access);
  path[latency_path(in)] += waiting_ns(in, access, space);
}

static void add_access(const struct cost_input *in, size_t access, struct solve_problem *problem) {
  size_t array = (size_t)in->region->accesses[access].array;
  int placeable = in->region->arrays[array].placeable;
  if (placeable < 0) return add_to_paths(in, access, PLACE_GLOBAL, problem->base_ns);
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
    if (in->candidates[array].spaces & PLACE_SPACE_BIT(s))
      add_to_paths(in, access, (enum place_space)s, problem->cost_ns[placeable][s]);
}

/* The price in the class of an array's own bytes is the measured one: what a class scales is the price in the first. */
static void add_array(const struct cost_input *in, size_t array, struct solve_problem *problem) {
  const struct candidate *c = &in->candidates[array];
  int placeable = in->region->arrays[array].placeable;
  uint64_t window = c->window.bytes;
  if (placeable < 0) return;
  problem->allowed[placeable] = c->spaces;
  if (c->spaces & PLACE_SPACE_BIT(PLACE_SHARED)) problem->bytes[placeable][PLACE_SHARED] = candidates_shared_slot(window);
  if (!(c->spaces & PLACE_SPACE_BIT(PLACE_CONSTANT))) return;
  problem->bytes[placeable][PLACE_CONSTANT] = constant_bytes(window);
  int own = solve_class_of(&problem->space[PLACE_CONSTANT], constant_bytes(window));
  if (own < 0) problem->allowed[placeable] &= ~PLACE_SPACE_BIT(PLACE_CONSTANT); /* only the slack between slots is left */
  for (unsigned p = 0; own >= 0 && p < problem->paths; p++)
    problem->cost_ns[placeable][PLACE_CONSTANT][p] /= problem->space[PLACE_CONSTANT].classes[own].scale[PLACE_CONSTANT];
}

void cost_problem(const struct cost_input *in, struct solve_problem *problem) {
  memset(problem, 0, sizeof *problem);
  problem->arrays = in->region->placeable_count;
  problem->spaces = PLACE_SPACE_COUNT;
  problem->paths = memory_paths(in) + 2;
  problem->constant_space = PLACE_CONSTANT;
  problem->overlap_loss = COST_OVERLAP_LOSS;
  shared_classes(in, &problem->space[PLACE_SHARED]);
  constant_classes(in, problem->arrays, &problem->space[PLACE_CONSTANT]);
  for (size_t i = 0; i < in->region->access_count; i++) add_access(in, i, problem);
  for (size_t i = 0; i < in->region->array_count; i++) add_array(in, i, problem);
}

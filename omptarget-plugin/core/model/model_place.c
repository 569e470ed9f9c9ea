/* This project's model: what one SM's pipes need for its share of the launch, fed by the machine file.
 *
 *   T = max over paths of T(p) + OVERLAP_LOSS * (the other T(p)) + copies
 * Unit: nanoseconds of the launch, as one SM sees them (its share of the launch's warp accesses). It grew out of paper
 * 000's path model (model_porple.c); what differs:
 *   paths     overlap, but not perfectly: OVERLAP_LOSS of what the slowest path hides counts too, so that a dear access
 *             hidden behind a busier path is not taken for free
 *   levels    each level of a hierarchy that an access reaches takes its throughput there (rates_level_ns), not its latency;
 *             the last takes the bytes that cross the bus: of a regular array once, of an irregular one larger than its
 *             portion of the last cache as often as that portion does not hold them
 *   banks     the nearest cache of global memory takes a clock for each access to its busiest bank, where they are known
 *             (traits_banks), if that is more than its lines cost: random words of a small table. Affine accesses are left to
 *             the curve of lines, by which the constants above were chosen
 *   constant  each distinct address is a transaction; their price follows the bytes of all arrays there (working_set)
 *   joined    a version reads neighbouring elements of a copy with one load, of JOINED_CONSTANT or JOINED_SHARED bytes:
 *             fewer issue slots, and from constant memory the price of a load is shared
 *   wide      what constant loads of more than 4 bytes cost beyond the smallest working set, the curve of 4-byte loads does not
 *             say: it lies between the curve's first point and its price, the middle in logarithms is taken, and the first
 *             point if the model is asked for hope
 *   issue     a path that no placement avoids: a warp access comes with the instructions around it, INSTRUCTIONS of them in
 *             a loop whose trip count is known (it gets unrolled), INSTRUCTIONS_SERIAL for an iteration of one that ends
 *             on what it loads
 *   latency   a warp waits for its own accesses (Little's law): N * (latency + CHAIN_CLK) / (accesses in flight * active
 *             warps). In flight: the reads of a loop's body, times UNROLL if its trip count is known
 *   staging   copies take warps away, which only the latency path feels (a search in a table of 40 KiB in shared memory,
 *             with 20 warps left, takes longer than through L1 with 64: measured, H200, 5.0 ms against 3.6; a look-up with
 *             16 independent loads does not), and time: entering, latency, bandwidth; teams may be uneven (occupancy.h)
 * Not modelled: instructions that are not about memory, registers, the L1 capacity that staged copies take away, refreshing
 * constants (it happens when they change, not at every launch). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hits.h"
#include "occupancy.h"
#include "rates.h"

enum {
  INSTRUCTIONS = 2,
  INSTRUCTIONS_SERIAL = 9,
  ISSUE_PER_CLK = 4,
  CHAIN_CLK = 50,            /* between an access and the next one that depends on it */
  CHAIN_IRREGULAR_CLK = 100, /* the same where the loaded value decides the next address */
  UNROLL = 4,
  MOST_IN_FLIGHT = 8,
  COPY_BYTES = 16, /* of a thread's copying loop in flight: four loads of four bytes */
  COPY_CLK = 600,  /* entering a staged kernel: first load and barrier */
  JOINED_CONSTANT = 8,
  JOINED_SHARED = 16
};
#define OVERLAP_LOSS 0.2
#define NC 1.001 /* another route than the plain one is preferred only where it gains something */

/* ---- paths: those of the memories, then issue, then latency ---- */

static unsigned memory_paths(const struct model_input *in) {
  return rates_path_count(in->machine, SOLVE_MAX_PATHS - 2);
}
static unsigned issue_path(const struct model_input *in) { return memory_paths(in); }
static unsigned latency_path(const struct model_input *in) { return memory_paths(in) + 1; }
static unsigned path_of(const struct model_input *in, enum place_space space) {
  return rates_path_of(in->machine, space, memory_paths(in));
}

/* Warp accesses of one SM. */
static double executions(const struct model_input *in, size_t access) {
  return in->traits->access[access].executions / rates_sm_count(in->machine);
}

/* ---- constant memory ---- */

/* What the machine file says of loads of that many bytes; the plain curve stands for 4-byte loads where it has no other. */
static const struct msl_curve *constant_curve(const struct place_memory *memory, unsigned bytes) {
  const struct msl_curve *own = bytes <= 4 ? &memory->working_set_4 : &memory->working_set_8;
  if (own->state == MSL_GIVEN) return own;
  return bytes <= 4 ? &memory->working_set : NULL;
}

/* Price of one constant load of 4 bytes when arrays of that many bytes live there. */
static double constant_ns(const struct place_machine *machine, uint64_t bytes) {
  const struct place_memory *memory = candidates_memory(machine, PLACE_CONSTANT);
  double ns = memory ? msl_curve_at_ns(constant_curve(memory, 4), (double)bytes) : NAN;
  if (!memory || isfinite(ns)) return memory ? ns : 1;
  struct chain chain = traits_chain(machine, PLACE_CONSTANT);
  unsigned j = 0;
  while (j + 1 < chain.count && msl_capacity_bytes(chain.level[j]) < bytes) j++;
  ns = rates_level_ns(machine, &chain, j, 1);
  return ns > 0 ? ns : rates_clock_ns(machine);
}

/* Elements that one load of a copy brings. */
static double joined(const struct model_input *in, size_t access, enum place_space space) {
  unsigned width = in->region->accesses[access].width_bytes;
  enum place_home home = place_space_home(space);
  unsigned load = home == PLACE_HOME_CONSTANT ? JOINED_CONSTANT : home == PLACE_HOME_SHARED ? JOINED_SHARED : width;
  return in->traits->access[access].sequential && width < load ? load / width : 1;
}

/* The smallest working set that the curve of constant memory knows. */
static uint64_t constant_least_bytes(const struct place_memory *memory) {
  const struct msl_curve *curve = constant_curve(memory, 4);
  return curve->state == MSL_GIVEN && curve->count ? (uint64_t)curve->points[0].x : 256;
}

/* Price of one element in constant memory. */
static double constant_element_ns(const struct model_input *in, size_t access, uint64_t bytes, bool hopeful) {
  const struct place_memory *memory = candidates_memory(in->machine, PLACE_CONSTANT);
  double together = joined(in, access, PLACE_CONSTANT), price = constant_ns(in->machine, bytes);
  unsigned load = in->region->accesses[access].width_bytes * (unsigned)together;
  if (load <= 4) return price;
  const struct msl_curve *wide = constant_curve(memory, load);
  double known = wide ? msl_curve_at_ns(wide, (double)bytes) : NAN;
  if (isfinite(known)) return known / together;
  double least = constant_ns(in->machine, constant_least_bytes(memory));
  return (hopeful ? least : sqrt(least * price)) / together;
}

/* Price of a warp access to n > 1 different addresses in a window of that many bytes; NaN: the file does not say. */
static double diverged_ns(const struct place_memory *memory, double n, uint64_t bytes) {
  double ns = msl_curve_at_ns(&memory->distinct, n);
  double random = msl_curve_at_ns(&memory->look_up, (double)bytes) * n / SHAPE_WARP; /* measured with all lanes at random */
  if (isfinite(random)) ns = isfinite(ns) ? fmax(ns, random) : random;
  return ns;
}

static uint64_t constant_bytes(uint64_t window_bytes) {
  return (window_bytes + 63) & ~UINT64_C(63);
}

/* Of one warp access. */
static double constant_access_ns(const struct model_input *in, size_t access, bool hopeful) {
  const struct access_traits *t = &in->traits->access[access];
  const struct place_memory *memory = candidates_memory(in->machine, PLACE_CONSTANT);
  uint64_t bytes = constant_bytes(in->candidates[in->region->accesses[access].array].window.bytes);
  double n = t->transactions[PLACE_CONSTANT][in->traits->chain[PLACE_CONSTANT].count - 1];
  double ns = n * constant_element_ns(in, access, bytes, hopeful), diverged = diverged_ns(memory, n, bytes);
  return n > 1 && isfinite(diverged) && diverged > ns ? diverged : ns;
}

double model_place_constant_ns(const struct model_input *in, size_t access) { return constant_access_ns(in, access, false); }

/* ---- classes ---- */

static void shared_class(const struct model_input *in, uint64_t max_bytes, struct solve_class *class) {
  struct occupancy o = occupancy_of(in->region, in->launch, in->machine, max_bytes);
  struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  class->max_bytes = max_bytes;
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) class->scale[s] = occupancy_unevenness(in->machine, &o);
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) class->path_scale[p] = p == latency_path(in) ? 1 / o.warps : 1;
  class->fixed_ns = class->ns_per_byte = 0;
  if (!max_bytes || !chain.count) return;
  const struct place_memory *near = chain.level[chain.count > 1 ? chain.count - 2 : 0]; /* copies come from the last cache */
  double rate = rates_bytes_per_ns(in->machine, near), latency = rates_latency_ns(in->machine, near);
  if (rate == 0) rate = RATES_CACHE_SPEEDUP * rates_bytes_per_ns(in->machine, chain.level[chain.count - 1]);
  double in_flight = (double)shape_threads(in->region, in->launch) * COPY_BYTES;
  class->fixed_ns = o.waves * COPY_CLK * rates_clock_ns(in->machine);
  class->ns_per_byte = o.waves * latency / in_flight + (rate > 0 ? o.busiest / rate : 0);
}

/* Classes of staged bytes: one for nothing staged, then one for each number of teams that an SM can hold. */
static void shared_classes(const struct model_input *in, struct solve_space *space) {
  uint64_t capacity = candidates_shared_capacity(in->machine, in->launch);
  unsigned before = 0;
  shared_class(in, 0, &space->classes[0]);
  space->class_count = 1;
  for (uint64_t bytes = 1024; bytes < capacity + 1024; bytes += 1024) {
    uint64_t most = bytes < capacity ? bytes : capacity;
    unsigned resident = occupancy_resident(in->region, in->launch, in->machine, most);
    if (resident != before && space->class_count < SOLVE_MAX_CLASSES) space->class_count++;
    before = resident;
    space->classes[space->class_count - 1].max_bytes = most;
  }
  for (unsigned c = 1; c < space->class_count; c++) shared_class(in, space->classes[c].max_bytes, &space->classes[c]);
}

/* Classes of bytes in constant memory: its caches' cliffs lie at different sizes on each machine, so every power of two. They
 * scale constant memory's path, which no other space uses (machine.h); issue slots and waiting do not grow with it. */
static void constant_classes(const struct model_input *in, unsigned arrays, bool hopeful, struct solve_space *space) {
  static const uint64_t edges[] = {256, 384, 512, 768, 1024, 2048, 4096, 8192, 16384, 32768, PLACE_CONST_MOST_BYTES};
  uint64_t slack = arrays * (PLACE_CONST_ALIGN - 64); /* bytes are counted by 64, slots are aligned to 256 */
  double first = constant_ns(in->machine, edges[0]);
  uint64_t capacity = candidates_constant_capacity(in->machine, in->launch);
  space->class_count = 1;
  while (space->class_count < sizeof edges / sizeof *edges && edges[space->class_count - 1] < capacity) space->class_count++;
  uint64_t before_last = space->class_count > 1 ? edges[space->class_count - 2] : 0;
  uint64_t last = capacity > before_last + slack ? capacity - slack : before_last;
  for (unsigned c = 0; c < space->class_count; c++) {
    struct solve_class *class = &space->classes[c];
    *class = (struct solve_class){.max_bytes = c + 1 < space->class_count ? edges[c] : last};
    for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) class->scale[s] = 1;
    for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) class->path_scale[p] = 1;
    if (!hopeful) class->path_scale[path_of(in, PLACE_CONSTANT)] = constant_ns(in->machine, edges[c]) / first;
  }
}

/* ---- accesses ---- */

static bool serial_loop(const struct model_input *in, size_t access) {
  int loop = in->region->accesses[access].loop;
  return loop >= 0 && !in->walk->access[access].counted;
}

static unsigned reads_beside(const struct model_input *in, size_t access) {
  return in->traits->access[access].reads_beside;
}

static double issue_ns(const struct model_input *in, size_t access, enum place_space space) {
  double instructions = serial_loop(in, access) ? (double)INSTRUCTIONS_SERIAL / reads_beside(in, access) : INSTRUCTIONS;
  instructions -= 1 - 1 / joined(in, access, space);
  return executions(in, access) * instructions * rates_clock_ns(in->machine) / ISSUE_PER_CLK;
}

double model_place_in_flight(const struct model_input *in, size_t access) {
  return fmin(reads_beside(in, access) * (serial_loop(in, access) ? 1.0 : UNROLL), MOST_IN_FLIGHT);
}

/* Wait of a launch's warp accesses that last that long, for one active warp; the class of staged bytes divides by their
 * number. Nobody waits for a store. */
static double waiting_ns(const struct model_input *in, size_t access, double latency_ns) {
  if (in->region->accesses[access].kind != PLACE_READ) return 0;
  return executions(in, access) * latency_ns / model_place_in_flight(in, access);
}

static double chain_ns(const struct model_input *in, size_t access) {
  bool decides = serial_loop(in, access) && in->walk->access[access].logged;
  return (decides ? CHAIN_IRREGULAR_CLK : CHAIN_CLK) * rates_clock_ns(in->machine);
}

static double route_factor(enum place_space space) { return place_space_route(space) == PLACE_ROUTE_DEFAULT ? 1 : NC; }

/* What an access costs in a space whatever the other arrays do: the nearest level. */
static void nearest(const struct model_input *in, size_t access, enum place_space space, bool hopeful, double *path) {
  struct chain chain = in->traits->chain[space];
  const struct access_traits *t = &in->traits->access[access];
  double once = rates_level_ns(in->machine, &chain, 0, t->transactions[space][0]);
  if (!place_space_is_copy(space)) once = fmax(once, t->banked * rates_clock_ns(in->machine));
  double near = executions(in, access) * once;
  double ns = place_space_home(space) == PLACE_HOME_CONSTANT ? executions(in, access) * constant_access_ns(in, access, hopeful) : near;
  bool memory_only = chain.count == 1 && !place_space_is_copy(space);
  double rate = memory_only ? rates_bytes_per_ns(in->machine, chain.level[0]) : 0;
  if (rate > 0) ns = executions(in, access) * t->transactions[space][0] * (double)traits_block_bytes(chain.level[0]) / rate;
  path[path_of(in, space)] += route_factor(space) * ns;
  path[issue_path(in)] += issue_ns(in, access, space);
  path[latency_path(in)] += waiting_ns(in, access, rates_latency_ns(in->machine, chain.level[0]) + chain_ns(in, access));
}

/* Bytes that an array moves over the bus of device memory, given those that miss everywhere. */
static double bus_bytes(const struct model_input *in, const struct place_memory *cache, size_t array, double missed,
                        unsigned users) {
  const struct candidate *c = &in->candidates[array];
  double portion = (double)msl_capacity_bytes(cache) / users;
  double bytes = c->window.known ? (double)c->window.bytes : missed;
  if (!in->traits->array[array].irregular || bytes <= portion) return fmin(missed, bytes);
  return missed * (1 - portion / bytes);
}

/* What an access costs beyond a cache that it misses: the throughput of the next level, and its latency. */
static void beyond(const struct model_input *in, const struct hits_cache *cache, size_t access, enum place_space space,
                   unsigned users, double ns[2]) {
  struct chain chain = in->traits->chain[space];
  const struct access_traits *t = &in->traits->access[access];
  size_t array = (size_t)in->region->accesses[access].array;
  unsigned level = cache->level[space], next = level + 1;
  double reach = hits_missed(in, cache->memory, array, t->executions * t->transactions[space][level], users);
  double rate = rates_bytes_per_ns(in->machine, chain.level[next]) * rates_sm_count(in->machine);
  double n = t->transactions[space][next];
  ns[0] = executions(in, access) * reach * rates_level_ns(in->machine, &chain, next, n);
  if (next + 1 == chain.count && rate > 0)
    ns[0] = bus_bytes(in, cache->memory, array, t->executions * reach * n * (double)traits_block_bytes(chain.level[next]),
                      users) / rate;
  ns[0] *= route_factor(space);
  ns[1] = waiting_ns(in, access, reach * rates_latency_ns(in->machine, chain.level[next]));
}

/* ---- the problem ---- */

/* own: [access_count], room for what accesses cost that are alike. */
static void add_access(const struct model_input *in, size_t access, bool hopeful, struct solve_problem *problem,
                       double (*own)[PLACE_SPACE_COUNT][SOLVE_MAX_PATHS]) {
  size_t array = (size_t)in->region->accesses[access].array, alike = in->traits->access[access].alike;
  int placeable = in->region->arrays[array].placeable;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (!(placeable < 0 ? s == PLACE_GLOBAL : in->candidates[array].spaces >> s & 1)) continue;
    double *to = placeable < 0 ? problem->base_ns : problem->cost_ns[placeable][s];
    if (alike == access) nearest(in, access, (enum place_space)s, hopeful, own[access][s]);
    for (unsigned p = 0; p < problem->paths; p++) to[p] += own[alike][s][p];
  }
}

/* The price in the class of an array's own bytes is the measured one: what a class scales is the price in the first. */
static void scale_constant(const struct model_input *in, size_t array, struct solve_problem *problem) {
  int placeable = in->region->arrays[array].placeable;
  uint64_t bytes = constant_bytes(in->candidates[array].window.bytes);
  if (placeable < 0 || !(problem->allowed[placeable] & PLACE_SPACE_BIT(PLACE_CONSTANT))) return;
  problem->bytes[placeable][PLACE_CONSTANT] = bytes;
  int own = solve_class_of(&problem->space[PLACE_CONSTANT], bytes);
  if (own < 0) problem->allowed[placeable] &= ~PLACE_SPACE_BIT(PLACE_CONSTANT); /* only the slack between slots is left */
  unsigned path = path_of(in, PLACE_CONSTANT);
  const struct solve_class *classes = problem->space[PLACE_CONSTANT].classes;
  if (own >= 0) problem->cost_ns[placeable][PLACE_CONSTANT][path] /= classes[own].path_scale[path];
}

/* Textures are ranked where their own cache was measured: from other figures, unlike of other spaces, nothing follows. */
static void distrust_textures(const struct model_input *in, struct solve_problem *problem) {
  const struct chain *chain = &in->traits->chain[PLACE_TEXTURE];
  bool measured = chain->count && (chain->level[0]->transaction_time.state == MSL_GIVEN || chain->level[0]->transactions.count ||
                                   chain->level[0]->read_bytes_per_clk.state == MSL_GIVEN);
  for (unsigned a = 0; !measured && a < problem->arrays; a++) problem->allowed[a] &= ~place_space_set_of(PLACE_HOME_TEXTURE);
}

static int add_caches(const struct model_input *in, struct solve_problem *problem) {
  struct hits_cache caches[SOLVE_MAX_SHARES];
  unsigned count = hits_caches(in, caches);
  for (unsigned i = 0; i < count; i++) {
    uint8_t path[PLACE_SPACE_COUNT][2] = {{0}};
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
      path[s][0] = (uint8_t)path_of(in, (enum place_space)s);
      path[s][1] = (uint8_t)latency_path(in);
    }
    if (hits_share(in, &caches[i], path, beyond, problem)) return -1;
  }
  return 0;
}

static int state_problem(const struct model_input *in, bool hopeful, struct solve_problem *problem) {
  memset(problem, 0, sizeof *problem);
  model_limits(in, problem);
  problem->paths = memory_paths(in) + 2;
  problem->overlap_loss = OVERLAP_LOSS;
  shared_classes(in, &problem->space[PLACE_SHARED]);
  constant_classes(in, problem->arrays, hopeful, &problem->space[PLACE_CONSTANT]);
  double(*own)[PLACE_SPACE_COUNT][SOLVE_MAX_PATHS] = calloc(in->region->access_count + 1, sizeof *own);
  if (!own) return -1;
  for (size_t i = 0; i < in->region->access_count; i++) add_access(in, i, hopeful, problem, own);
  free(own);
  for (size_t i = 0; i < in->region->array_count; i++) scale_constant(in, i, problem);
  distrust_textures(in, problem);
  return add_caches(in, problem);
}

/* ---- a plan ---- */

static const char *path_name(const struct model_input *in, unsigned path) {
  if (path == issue_path(in)) return "issue";
  return path == latency_path(in) ? "latency" : rates_path_name(in->machine, path);
}

static double plan_cost(const struct model_input *in, const struct solve_problem *problem, const uint8_t *space,
                        struct breakdown *breakdown) {
  double path[SOLVE_MAX_PATHS] = {0}, added = 0, most = 0, sum = 0;
  double cost = solve_cost_paths(problem, space, path, &added);
  if (!breakdown || !isfinite(cost)) return cost;
  for (unsigned p = 0; p < problem->paths; p++) {
    breakdown_add(breakdown, path[p], "ns", "T(%s)", path_name(in, p));
    most = fmax(most, path[p]);
    sum += path[p];
  }
  breakdown_add(breakdown, most, "ns", "slowest path");
  breakdown_add(breakdown, OVERLAP_LOSS * (sum - most), "ns", "not overlapped");
  breakdown_add(breakdown, added, "ns", "copies");
  for (size_t i = 0; i < in->region->access_count; i++)
    if (joined(in, i, model_space(in, (size_t)in->region->accesses[i].array, space)) > 1)
      breakdown_add(breakdown, joined(in, i, model_space(in, (size_t)in->region->accesses[i].array, space)), "elements a load",
                "access %zu joined", i);
  return breakdown_add(breakdown, cost, "ns", "T");
}

/* Whether some array's price in constant memory is a guess between bounds: it is read with loads of more than 4 bytes. */
static bool has_hope(const struct model_input *in) {
  for (size_t i = 0; i < in->region->access_count; i++) {
    size_t array = (size_t)in->region->accesses[i].array;
    bool wide = in->traits->access[i].sequential || in->region->accesses[i].width_bytes > 4;
    if (wide && in->candidates[array].spaces & PLACE_SPACE_BIT(PLACE_CONSTANT)) return true;
  }
  return false;
}

/* Its cost of a launch is what the launch takes, as far as that is memory's. */
static int judge(const struct model_input *in, double base_cost, struct place_estimate *out, struct place_diag *diag) {
  return model_judge(in, &(struct model_base){base_cost, base_cost}, out, diag);
}

const struct model model_place = {.name = "place", .unit = "ns", .open_factor = MODEL_OPEN_FACTOR, .has_hope = has_hope, .problem = state_problem,
                                  .cost = plan_cost, .judge = judge, .has_trust = true};

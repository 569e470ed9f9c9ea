/* Paper 000's path model (3.1.2), as published:
 *   T = max over paths p of T(p),  T(p) = sum over arrays i on p, levels j of i's hierarchy, of N_ij * T_j * alpha_j
 * N_ij: transactions of array i that memory j serves (the warp accesses of all warps on one SM, times the transactions
 * of each at that level, times the share that the reuse histogram gives to the level); T_j: latency of the memory;
 * alpha_j: its concurrency factor. When arrays share a cache, each has an equal portion (3.1.1).
 * Staged copies cost nothing in that model, and occupancy plays no part: the paper refuses staging that lowers it, which is
 * the decision of 4(3), not a term. So it is here: a plan whose copies leave fewer teams on an SM than the launch has
 * without is impossible.
 * Latencies that a file leaves open (paper 000 has a number for each memory): that of the next memory outwards that has one, or
 * LATENCY_CLK. */
#include <math.h>
#include <string.h>

#include "hits.h"
#include "occupancy.h"
#include "rates.h"

enum { LATENCY_CLK = 400 };

static unsigned paths(const struct model_input *in) { return rates_path_count(in->machine, SOLVE_MAX_PATHS); }

static double latency_ns(const struct model_input *in, const struct chain *chain, unsigned level) {
  for (unsigned j = level; j < chain->count; j++) {
    double ns = rates_latency_ns(in->machine, chain->level[j]);
    if (ns > 0) return ns;
  }
  for (unsigned j = level; j-- > 0;) {
    double ns = rates_latency_ns(in->machine, chain->level[j]);
    if (ns > 0) return ns;
  }
  return LATENCY_CLK * rates_clock_ns(in->machine);
}

/* N_ij * T_j * alpha_j of one access, if level j served all of it. */
static double level_cost(const struct model_input *in, size_t access, enum place_space space, unsigned level) {
  struct chain chain = traits_chain(in->machine, space);
  const struct access_traits *t = &in->traits->access[access];
  double n = t->executions / rates_sm_count(in->machine) * t->transactions[space][level];
  return n * latency_ns(in, &chain, level) * msl_concurrency(chain.level[level], MSL_MEMORY_BOUND);
}

/* Constant memory's caches are filled by all arrays there; an array is served by the nearest that holds its window. */
static double constant_cost(const struct model_input *in, size_t access) {
  struct chain chain = traits_chain(in->machine, PLACE_CONSTANT);
  uint64_t bytes = in->candidates[in->region->accesses[access].array].window.bytes;
  unsigned level = 0;
  while (level + 1 < chain.count && msl_capacity_bytes(chain.level[level]) < bytes) level++;
  return level_cost(in, access, PLACE_CONSTANT, level);
}

static double nearest(const struct model_input *in, size_t access, enum place_space space) {
  return place_space_home(space) == PLACE_HOME_CONSTANT ? constant_cost(in, access) : level_cost(in, access, space, 0);
}

/* What misses at a cache moves on to the next level: its time there instead of here. */
static void beyond(const struct model_input *in, const struct hits_cache *cache, size_t access, enum place_space space,
                   unsigned users, double ns[2]) {
  const struct access_traits *t = &in->traits->access[access];
  unsigned level = cache->level[space];
  double missed = hits_missed(in, cache->memory, (size_t)in->region->accesses[access].array,
                              t->executions * t->transactions[space][level], users);
  ns[0] = missed * (level_cost(in, access, space, level + 1) - level_cost(in, access, space, level));
}

static void forbid_lower_occupancy(const struct model_input *in, struct solve_problem *problem) {
  uint64_t most = candidates_shared_capacity(in->machine, in->launch);
  double have = occupancy_of(in->region, in->launch, in->machine, 0).resident;
  while (most && occupancy_resident(in->region, in->launch, in->machine, most) < have) most -= most < 256 ? most : 256;
  problem->space[PLACE_SHARED].classes[0].max_bytes = most;
}

static int state_problem(const struct model_input *in, bool hopeful, struct solve_problem *problem) {
  struct hits_cache caches[SOLVE_MAX_SHARES];
  unsigned count = hits_caches(in, caches);
  (void)hopeful;
  memset(problem, 0, sizeof *problem);
  model_limits(in, problem);
  problem->paths = paths(in);
  forbid_lower_occupancy(in, problem);
  for (size_t i = 0; i < in->region->access_count; i++) {
    size_t array = (size_t)in->region->accesses[i].array;
    int placeable = in->region->arrays[array].placeable;
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
      double *to = placeable < 0 ? problem->base_ns : problem->cost_ns[placeable][s];
      if (placeable < 0 ? s == PLACE_GLOBAL : in->candidates[array].spaces >> s & 1)
        to[rates_path_of(in->machine, (enum place_space)s, problem->paths)] += nearest(in, i, (enum place_space)s);
    }
  }
  for (unsigned i = 0; i < count; i++) {
    uint8_t path[PLACE_SPACE_COUNT][2] = {{0}};
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
      path[s][0] = path[s][1] = (uint8_t)rates_path_of(in->machine, (enum place_space)s, problem->paths);
    if (hits_share(in, &caches[i], path, beyond, problem)) return -1;
  }
  return 0;
}

/* ---- a plan's terms ---- */

/* N_ij, T_j and alpha_j of an array's accesses under the plan. */
static void array_terms(const struct model_input *in, size_t array, const uint8_t *space, struct breakdown *breakdown) {
  enum place_space s = model_space(in, array, space);
  struct chain chain = traits_chain(in->machine, s);
  struct hits_cache caches[SOLVE_MAX_SHARES];
  unsigned count = hits_caches(in, caches);
  double served[TRAITS_MAX_LEVELS] = {0};
  for (size_t i = 0; i < in->region->access_count; i++) {
    const struct access_traits *t = &in->traits->access[i];
    if ((size_t)in->region->accesses[i].array != array) continue;
    unsigned level = 0;
    double reach = 1;
    while (place_space_home(s) == PLACE_HOME_CONSTANT && level + 1 < chain.count &&
           msl_capacity_bytes(chain.level[level]) < in->candidates[array].window.bytes) level++;
    for (unsigned j = level; j < chain.count; j++) {
      double missed = 0, n = t->executions / rates_sm_count(in->machine) * t->transactions[s][j];
      for (unsigned c = 0; c < count && !place_space_is_copy(s); c++) {
        unsigned users = caches[c].fixed;
        for (size_t a = 0; a < in->region->array_count; a++)
          users += in->region->arrays[a].placeable >= 0 && caches[c].spaces >> model_space(in, a, space) & 1;
        if (caches[c].memory == chain.level[j])
          missed = hits_missed(in, caches[c].memory, array, t->executions * t->transactions[s][j], users);
      }
      served[j] += n * (reach - missed);
      reach = missed;
      if (reach <= 0) break;
    }
  }
  for (unsigned j = 0; j < chain.count; j++)
    if (served[j] > 0) {
      const char *name = in->region->arrays[array].name, *memory = chain.level[j]->name;
      breakdown_add(breakdown, served[j], "", "N(%.40s in %s)", name, memory);
      breakdown_add(breakdown, latency_ns(in, &chain, j), "ns", "T(%.40s in %s)", name, memory);
      breakdown_add(breakdown, msl_concurrency(chain.level[j], MSL_MEMORY_BOUND), "", "alpha(%.40s in %s)", name, memory);
    }
}

static double plan_cost(const struct model_input *in, const struct solve_problem *problem, const uint8_t *space,
                        struct breakdown *breakdown) {
  double path[SOLVE_MAX_PATHS] = {0};
  double cost = solve_cost_paths(problem, space, path, NULL);
  if (!breakdown || !isfinite(cost)) return cost;
  for (size_t i = 0; i < in->region->array_count; i++) array_terms(in, i, space, breakdown);
  for (unsigned p = 0; p < problem->paths; p++) breakdown_add(breakdown, path[p], "ns", "T(%s)", rates_path_name(in->machine, p));
  return breakdown_add(breakdown, cost, "ns", "T");
}

const struct model model_porple = {.name = "porple", .unit = "ns", .open_factor = 1, .problem = state_problem, .cost = plan_cost,
                                   .judge = model_judge_ratios};

/* Paper 001's model:  T = T_comp + T_mem - T_overlap  (equation 1), for a plan.
 *
 * The paper profiles one placement of the kernel with hardware counters and predicts the others from the differences. Here
 * nothing is profiled by counters: what all placements have in common (instructions that are not about memory, replays
 * 5 to 10, serialisation) is estimated from the region, OTHER instructions for each access, and no replays of those kinds.
 *   #inst     executed: accesses, OTHER, and instructions for addresses: 2 global, 1 constant, 1 shared, none of
 *             a texture (3.2), 2 read-only (the global instruction); replays 1 to 4 (3.2): transactions beyond the first of a global
 *             access, constant cache misses, distinct addresses beyond the first of a constant access, bank conflicts
 *   T_comp    #inst * warps / SMs * effective throughput (equations 2, 13 to 15). The text of equation 2 reads 1/(throughput +
 *             W_serial); throughput is cycles per instruction by equation 13, so it multiplies, as in the work it comes from
 *   T_mem     effective requests per SM * AMAT (equations 4, 5, 17 to 19); MWP and CWP by Hong and Kim. hit_lat is the L2's
 *             for all requests, as the paper says
 *   DRAM_lat  huang_dram.c
 *   T_overlap equation 11 with the coefficients of huang_fit.h
 * Copies to shared memory: their bytes over the bandwidth, as 3.2 says. T is never less than LEAST of T_comp + T_mem: a
 * regression knows no bounds. */
#include <math.h>

#include "hits.h"
#include "huang.h"
#include "huang_fit.h"
#include "occupancy.h"
#include "rates.h"

enum { OTHER = 2, INSTRUCTION_CLK = 4, MOST_MLP = 8 };
#define LEAST 0.01

const double huang_trained[HUANG_FEATURES] = HUANG_COEFFICIENTS;

static double addressing(enum place_space space) {
  return place_space_home(space) == PLACE_HOME_GLOBAL ? 2 : place_space_home(space) == PLACE_HOME_TEXTURE ? 0 : 1;
}

/* The memories that the model asks for. */
static const struct place_memory *l2_of(const struct model_input *in) {
  struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  return chain.count > 1 ? chain.level[chain.count - 2] : chain.count ? chain.level[0] : NULL;
}

/* Arrays of the plan in a set of spaces. */
static unsigned users_of(const struct model_input *in, const uint8_t *space, place_space_set set) {
  unsigned users = 0;
  for (size_t a = 0; a < in->region->array_count; a++) users += set >> model_space(in, a, space) & 1;
  return users;
}

/* ---- sums over the accesses ---- */

static double constant_misses(const struct model_input *in, size_t access, const uint8_t *space) {
  struct chain chain = traits_chain(in->machine, PLACE_CONSTANT);
  const struct access_traits *t = &in->traits->access[access];
  if (chain.count < 2) return 0;
  return hits_missed(in, chain.level[0], (size_t)in->region->accesses[access].array, t->executions * t->distinct,
                     users_of(in, space, place_space_set_of(PLACE_HOME_CONSTANT)));
}

static double l2_misses(const struct model_input *in, size_t access, const uint8_t *space) {
  const struct place_memory *l2 = l2_of(in);
  const struct access_traits *t = &in->traits->access[access];
  enum place_space s = model_space(in, (size_t)in->region->accesses[access].array, space);
  struct chain chain = traits_chain(in->machine, s);
  double n = chain.count > 1 ? t->transactions[s][chain.count - 2] : t->transactions[s][0];
  if (!l2) return 1;
  unsigned users = users_of(in, space, place_space_set_of(PLACE_HOME_GLOBAL) | place_space_set_of(PLACE_HOME_TEXTURE));
  return hits_missed(in, l2, (size_t)in->region->accesses[access].array, t->executions * n, users);
}

/* One access: its requests per warp and what they cause. */
static void add_access(const struct model_input *in, size_t i, const uint8_t *space, struct huang_terms *t) {
  enum place_space s = model_space(in, (size_t)in->region->accesses[i].array, space);
  double n = in->walk->access[i].executions, missed = 0;
  const struct access_traits *a = &in->traits->access[i];
  t->requests += n;
  t->addressing += n * addressing(s);
  t->executed += n * (1 + OTHER + addressing(s));
  if (place_space_home(s) == PLACE_HOME_GLOBAL) {
    missed = l2_misses(in, i, space);
    t->replay[0] += n * fmax(0, a->transactions[s][0] - 1);
    t->l2_miss_ratio += n * missed;
    t->feature[place_space_route(s) == PLACE_ROUTE_DEFAULT ? 0 : 1] += n * (1 + missed);
  } else if (place_space_home(s) == PLACE_HOME_TEXTURE) {
    missed = l2_misses(in, i, space);
    t->l2_miss_ratio += n * missed;
    t->feature[1] += n * (1 + missed);
  } else if (place_space_home(s) == PLACE_HOME_CONSTANT) {
    missed = constant_misses(in, i, space);
    t->replay[1] += n * missed;
    t->replay[2] += n * fmax(0, a->distinct - 1);
    t->feature[2] += n * (1 + missed);
  } else {
    t->replay[3] += n * fmax(0, a->transactions[s][0] - 1);
    t->shared_ratio += n;
    t->feature[3] += n * fmax(1, a->transactions[s][0]);
  }
}

/* Requests that a warp has in flight: the reads of its innermost bodies. */
static double mlp_of(const struct model_input *in) {
  double sum = 0, weight = 0;
  for (size_t i = 0; i < in->region->access_count; i++) {
    unsigned beside = 0;
    for (size_t k = 0; k < in->region->access_count; k++)
      beside += in->region->accesses[k].kind == PLACE_READ && in->region->accesses[k].loop == in->region->accesses[i].loop;
    sum += in->walk->access[i].executions * (beside ? beside : 1);
    weight += in->walk->access[i].executions;
  }
  return weight > 0 ? fmin(sum / weight, MOST_MLP) : 1;
}

/* ---- the equations ---- */

static double throughput_clk(const struct model_input *in, double warps, struct huang_terms *t) {
  double simd = in->machine->cores_per_sm.state == MSL_GIVEN ? (double)in->machine->cores_per_sm.value : 128;
  double most = INSTRUCTION_CLK / (SHAPE_WARP / simd);
  t->itilp = fmin(warps, most);
  return INSTRUCTION_CLK / t->itilp;
}

/* Equations 18 and 19. */
static void parallelism(const struct model_input *in, double warps, struct huang_terms *t) {
  double clk = rates_clock_ns(in->machine), sms = rates_sm_count(in->machine);
  const struct place_memory *memory = candidates_memory(in->machine, PLACE_GLOBAL), *l2 = l2_of(in);
  double transactions = t->requests > 0 ? 1 + t->replay[0] / t->requests : 1;
  double bytes = transactions * (double)(l2 ? traits_line_bytes(l2) : 128) * t->l2_miss_ratio;
  double gbps = memory && memory->read_gbps_per_die.state == MSL_GIVEN ? memory->read_gbps_per_die.value : 0;
  double comp_ns = fmax(t->instructions, 1) * clk, mem_ns = t->requests * t->amat_ns;
  t->mwp = fmax(1, fmin(t->amat_ns / (transactions * clk), warps));
  t->cwp = fmax(1, fmin((mem_ns + comp_ns) / comp_ns, warps));
  double peak = gbps > 0 && bytes > 0 ? gbps / (bytes / t->amat_ns * sms) : INFINITY;
  t->itmlp = fmax(1, fmin(mlp_of(in) * fmin(fmax(1, t->cwp - 1), t->mwp), peak));
}

static double copies_ns(const struct model_input *in, const struct occupancy *o, uint64_t staged) {
  const struct place_memory *memory = candidates_memory(in->machine, PLACE_GLOBAL);
  double rate = memory ? RATES_CACHE_SPEEDUP * rates_bytes_per_ns(in->machine, memory) : 0;
  return staged && rate > 0 ? o->busiest * (double)staged / rate : 0;
}

bool huang_terms(const struct model_input *in, const uint8_t *space, struct huang_terms *t) {
  uint64_t staged = 0;
  *t = (struct huang_terms){.executed = 0};
  if (!model_fits(in, space, &staged)) return false;
  struct occupancy o = occupancy_of(in->region, in->launch, in->machine, staged);
  const struct place_memory *l2 = l2_of(in), *shared = candidates_memory(in->machine, PLACE_SHARED);
  double sms = fmin(rates_sm_count(in->machine), o.teams), clk = rates_clock_ns(in->machine);
  for (size_t i = 0; i < in->region->access_count; i++) add_access(in, i, space, t);
  for (int k = 0; k < 4; k++) t->replays += t->replay[k];
  t->instructions = t->executed + t->replays;
  double requests = t->requests > 0 ? t->requests : 1, per_clk = throughput_clk(in, o.warps, t);
  t->l2_miss_ratio /= requests;
  t->shared_ratio /= requests;
  for (int k = 0; k < 4; k++) t->feature[k] /= requests;
  huang_dram_of(in, space, o.warps * per_clk * clk, t->instructions / requests, &t->dram);
  t->amat_ns = t->dram.latency_ns * t->l2_miss_ratio + (l2 ? rates_latency_ns(in->machine, l2) : 0) +
               (shared ? rates_latency_ns(in->machine, shared) : 0) * t->shared_ratio;
  t->amat_ns = fmax(t->amat_ns, clk);
  parallelism(in, o.warps, t);
  t->effective_requests = t->requests * in->walk->total_warps / (sms * t->itmlp);
  t->comp_ns = t->instructions * in->walk->total_warps / sms * per_clk * clk + copies_ns(in, &o, staged);
  t->mem_ns = t->effective_requests * t->amat_ns;
  t->feature[4] = t->dram.miss_ratio + t->dram.conflict_ratio;
  t->feature[5] = o.warps / 64;
  t->feature[6] = 1;
  return true;
}

double huang_time(const struct huang_terms *t, const double *coefficients) {
  double ratio = 0, both = t->comp_ns + t->mem_ns;
  for (int k = 0; k < HUANG_FEATURES; k++) ratio += coefficients[k] * t->feature[k];
  return fmax(both - ratio * t->mem_ns, LEAST * both);
}

static void add_terms(const struct huang_terms *t, struct breakdown *breakdown) {
  static const char *const replays[] = {"address divergence", "constant misses", "constant divergence", "bank conflicts"};
  breakdown_add(breakdown, t->executed, "per warp", "instructions executed");
  breakdown_add(breakdown, t->addressing, "per warp", "of them for addresses");
  for (int k = 0; k < 4; k++) breakdown_add(breakdown, t->replay[k], "per warp", "replays, %s", replays[k]);
  breakdown_add(breakdown, t->instructions, "per warp", "#inst");
  breakdown_add(breakdown, t->requests, "per warp", "memory requests");
  breakdown_add(breakdown, t->l2_miss_ratio, "", "L2 miss ratio");
  breakdown_add(breakdown, t->shared_ratio, "", "shared ratio");
  breakdown_add(breakdown, t->dram.hit_ratio, "", "row hits");
  breakdown_add(breakdown, t->dram.miss_ratio, "", "row misses");
  breakdown_add(breakdown, t->dram.conflict_ratio, "", "row conflicts");
  breakdown_add(breakdown, t->dram.banks, "", "banks");
  breakdown_add(breakdown, t->dram.arrival_ns, "ns", "tau_a");
  breakdown_add(breakdown, t->dram.service_ns, "ns", "tau_s");
  breakdown_add(breakdown, t->dram.c_a, "", "c_a");
  breakdown_add(breakdown, t->dram.c_s, "", "c_s");
  breakdown_add(breakdown, t->dram.utilisation, "", "rho");
  breakdown_add(breakdown, t->dram.queue_ns, "ns", "queuing delay");
  breakdown_add(breakdown, t->dram.latency_ns, "ns", "DRAM_lat");
  breakdown_add(breakdown, t->amat_ns, "ns", "AMAT");
  breakdown_add(breakdown, t->itilp, "", "ITILP");
  breakdown_add(breakdown, t->mwp, "", "MWP");
  breakdown_add(breakdown, t->cwp, "", "CWP");
  breakdown_add(breakdown, t->itmlp, "", "ITMLP");
  breakdown_add(breakdown, t->effective_requests, "per SM", "effective requests");
  breakdown_add(breakdown, t->comp_ns, "ns", "T_comp");
  breakdown_add(breakdown, t->mem_ns, "ns", "T_mem");
}

static double plan_cost(const struct model_input *in, const struct solve_problem *problem, const uint8_t *space,
                        struct breakdown *breakdown) {
  struct huang_terms t;
  (void)problem;
  if (!huang_terms(in, space, &t)) return INFINITY;
  double time = huang_time(&t, huang_trained);
  if (breakdown) add_terms(&t, breakdown);
  breakdown_add(breakdown, t.comp_ns + t.mem_ns - time, "ns", "T_overlap");
  return breakdown_add(breakdown, time, "ns", "T");
}

static double cost_by(const struct model_input *in, const uint8_t *space, const double *coefficients) {
  struct huang_terms terms;
  return huang_terms(in, space, &terms) ? huang_time(&terms, coefficients) : INFINITY;
}

const struct model model_huang = {
  .name = "huang", .unit = "ns", .open_factor = 1, .cost = plan_cost, .cost_by = cost_by, .judge = model_judge_ratios,
  .prepare = huang_requests_new};

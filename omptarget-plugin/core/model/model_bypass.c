/* Paper 002 as a model: a plan costs what L2 has to deliver, in bytes.
 *
 * The paper decides how loads go, not where arrays are: no plan of spaces costs less than everything in global memory, where all loads go
 * through L1; copies cost their bytes. A version with routes is expected to take what the one takes that it differs from by them, in
 * proportion to its traffic, loads that pass L1 being the bypassed ones; of lines that are to make room first or last, and of what L2 fetches
 * beside, the framework knows nothing. Nothing here is a time. */
#include <math.h>
#include <stdlib.h>

#include "bypass.h"

static void *prepare(const struct model_input *in, struct place_diag *diag) {
  struct bypass *b = malloc(sizeof *b);
  if (!b) return place_diag_set(diag, "%s: out of memory", in->region->entry), NULL;
  if (bypass_find(in, BYPASS_ARRAYS, b, diag) == 0) return b;
  free(b);
  return NULL;
}

static double copies(const struct model_input *in, const uint8_t *space, struct breakdown *breakdown) {
  double sum = 0;
  for (size_t i = 0; i < in->region->array_count; i++) {
    enum place_space s = model_space(in, i, space);
    double each = place_space_copy(s) == PLACE_COPY_TEAM ? in->walk->teams : place_space_is_copy(s) ? 1 : 0;
    if (each > 0)
      sum += breakdown_add(breakdown, each * (double)in->candidates[i].window.bytes, "B", "copies of %.40s", in->region->arrays[i].name);
  }
  return sum;
}

static void explain(const struct model_input *in, const struct bypass *b, struct breakdown *breakdown) {
  bool best[TRAFFIC_MAX_LOADS] = {false}, simple[TRAFFIC_MAX_LOADS] = {false};
  bool proven = traffic_solve(&b->graph, best);
  traffic_heuristic(&b->graph, simple);
  for (unsigned i = 0; i < b->graph.loads; i++) {
    const char *name = in->region->arrays[b->load[i].array].name;
    breakdown_add(breakdown, b->load[i].off, "B", "T_off %.40s", name);
    breakdown_add(breakdown, b->load[i].on, "B", "T_on %.40s", name);
    breakdown_add(breakdown, best[i], "", "cached %.40s%s", name, proven ? "" : " (not proven)");
    for (unsigned k = 0; k < i; k++)
      if (b->graph.edge[i][k] != 0)
        breakdown_add(breakdown, b->graph.edge[i][k], "B", "edge %.35s %.35s", in->region->arrays[b->load[k].array].name, name);
  }
  breakdown_add(breakdown, traffic_reduction(&b->graph, best), "B", "T of the cached, exact");
  breakdown_add(breakdown, traffic_reduction(&b->graph, simple), "B", "T of the cached, heuristic");
}

static double plan_cost(const struct model_input *in, const struct solve_problem *problem, const uint8_t *space,
                        struct breakdown *breakdown) {
  const struct bypass *b = in->prepared;
  bool cached[TRAFFIC_MAX_LOADS];
  double sum = 0;
  (void)problem;
  if (!model_fits(in, space, NULL)) return INFINITY;
  if (breakdown) explain(in, b, breakdown);
  for (unsigned i = 0; i < b->graph.loads; i++) cached[i] = true, sum += b->load[i].off;
  sum = breakdown_add(breakdown, sum, "B", "loads, all past L1");
  double off = breakdown_add(breakdown, traffic_reduction(&b->graph, cached), "B", "taken off by L1");
  sum += copies(in, space, breakdown) - off;
  return breakdown_add(breakdown, fmax(1, sum), "B", "T"); /* ratios are taken of it */
}

static double traffic_of(const struct bypass *b, const struct place_version *version) {
  bool cached[TRAFFIC_MAX_LOADS];
  for (unsigned i = 0; i < b->graph.loads; i++)
    cached[i] = place_routes[place_version_route(version, b->load[i].array)].l1 != PLACE_L1_PASSES;
  return bypass_traffic(b, cached);
}

static int judge(const struct model_input *in, double base_cost, struct place_estimate *out, struct place_diag *diag) {
  const struct place_region *r = in->region;
  if (model_judge_ratios(in, base_cost, out, diag)) return -1;
  for (size_t v = 0; v < r->version_count; v++) {
    size_t host = place_version_host(r, v);
    double before = traffic_of(in->prepared, &r->versions[host]), now = traffic_of(in->prepared, &r->versions[v]);
    double cost = out[host].state == PLACE_ESTIMATE_KNOWN ? out[host].ns : base_cost;
    if (host != v && before > 0 && now > 0 && cost > 0) out[v] = (struct place_estimate){PLACE_ESTIMATE_KNOWN, cost * now / before, NULL};
  }
  return 0;
}

const struct model model_bypass = {.name = "bypass", .unit = "", .open_factor = 1, .cost = plan_cost, .judge = judge, .prepare = prepare};

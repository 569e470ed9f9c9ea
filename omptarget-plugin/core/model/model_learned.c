/* Paper 003's selector: the best memory of an array from a few features of the kernel and its data, by decision trees that were fitted
 * to measurements (forest.h, place-train).
 *   T = exp(sum over arrays of v(array, its space)), relative to the launch with everything in global memory
 * v: what the trees say, the logarithm of the time over global memory's. Differences from the paper:
 *   features   of its five kinds, from the walk and the machine file instead of counters (array_features.h)
 *   classes    a space for each array, not one for the program: its version with an array elsewhere is a plan here
 *   leaves     hold what each space is expected to gain, not a class alone, so that plans can be ranked and what fits can be chosen
 * As the logarithm is a sum, the plan is each array's best space, and nothing is searched unless these do not fit together
 * (solve_separate). A ranking has T times the nanoseconds that model `place` predicts of everything in global memory. Not
 * modelled: what arrays do to each other, blocks and other loops (model_judge_ratios). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forest.h"

static const struct place_forest *forest_of(const struct model_input *in) { return in->forest ? in->forest : place_forest_builtin(); }

/* What the trees say of each array that can be placed, by placeable index. */
static int ask(const struct model_input *in, double (*value)[PLACE_SPACE_COUNT], struct breakdown *breakdown) {
  const struct place_forest *forest = forest_of(in);
  double(*row)[FEATURE_COUNT] = malloc((in->region->array_count + 1) * sizeof *row);
  if (!row || !forest || features_find(in, row)) return free(row), -1;
  for (size_t a = 0; a < in->region->array_count; a++) {
    if (in->region->arrays[a].placeable < 0) continue;
    forest_value(forest, row[a], value[in->region->arrays[a].placeable]);
    for (unsigned f = 0; breakdown && f < FEATURE_COUNT; f++)
      breakdown_add(breakdown, row[a][f], "", "%s(%.40s)", feature_names[f], in->region->arrays[a].name);
  }
  free(row);
  return 0;
}

/* Costs must not be below 0: each is over the array's least. */
static int state_problem(const struct model_input *in, bool hopeful, struct solve_problem *problem) {
  double value[PLACE_MAX_PLACEABLE][PLACE_SPACE_COUNT];
  (void)hopeful;
  memset(problem, 0, sizeof *problem);
  model_limits(in, problem);
  problem->paths = 1;
  if (ask(in, value, NULL)) return -1;
  for (unsigned a = 0; a < problem->arrays; a++) {
    double least = INFINITY;
    problem->allowed[a] &= forest_spaces(forest_of(in));
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) least = fmin(least, value[a][s]);
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) problem->cost_ns[a][s][0] = value[a][s] - least;
  }
  return 0;
}

static void explain(const struct model_input *in, const uint8_t *space, struct breakdown *breakdown) {
  double value[PLACE_MAX_PLACEABLE][PLACE_SPACE_COUNT];
  if (ask(in, value, breakdown)) return;
  for (size_t a = 0; a < in->region->array_count; a++) {
    int placeable = in->region->arrays[a].placeable;
    if (placeable < 0) continue;
    breakdown_add(breakdown, value[placeable][space[placeable]], "", "v(%.40s in %s)", in->region->arrays[a].name,
                  place_space_name((enum place_space)space[placeable]));
  }
}

static double plan_cost(const struct model_input *in, const struct solve_problem *problem, const uint8_t *space,
                        struct breakdown *breakdown) {
  static const uint8_t global[SOLVE_MAX_ARRAYS];
  double cost = exp(solve_cost(problem, space) - solve_cost(problem, global));
  if (!breakdown || !isfinite(cost)) return cost;
  explain(in, space, breakdown);
  return breakdown_add(breakdown, cost, "", "T");
}

const struct model model_learned = {.name = "learned", .unit = "", .open_factor = MODEL_OPEN_FACTOR, .problem = state_problem,
                                    .cost = plan_cost, .judge = model_judge_ratios, .relative = true};

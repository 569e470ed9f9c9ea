/* Levels and their bounds. */
#include "solve_level.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint64_t level_least_bytes(const struct solve_space *space, int class) {
  return class > 0 ? space->classes[class - 1].max_bytes + 1 : 0;
}

unsigned level_least_users(const struct solve_share *share, int class) {
  return class > 0 ? share->most[class - 1] + 1 : 0;
}

/* ---- what a level allows ---- */

/* Space s may hold array a at this level: allowed, and not too big for the class. */
static place_space_set may_take(const struct solve_problem *problem, const struct level *level, unsigned a) {
  place_space_set may = problem->allowed[a];
  for (unsigned s = 0; s < problem->spaces; s++)
    if (level->class[s] >= 0 && problem->bytes[a][s] > problem->space[s].classes[level->class[s]].max_bytes)
      may &= ~PLACE_SPACE_BIT(s);
  return may & (PLACE_SPACE_BIT(problem->spaces) - 1);
}

/* Whether bytes and users can reach the level's classes. */
static int reachable(const struct solve_problem *problem, const struct level *level, const place_space_set *may) {
  uint64_t most[SOLVE_MAX_SPACES] = {0};
  for (unsigned a = 0; a < problem->arrays; a++) {
    if (!may[a]) return 0;
    for (unsigned s = 0; s < problem->spaces; s++)
      if (may[a] >> s & 1) most[s] += problem->bytes[a][s];
  }
  for (unsigned s = 0; s < problem->spaces; s++)
    if (level->class[s] > 0 && most[s] < level_least_bytes(&problem->space[s], level->class[s])) return 0;
  for (unsigned g = 0; g < problem->shares; g++) {
    const struct solve_share *share = &problem->share[g];
    unsigned least_users = share->fixed, most_users = share->fixed;
    for (unsigned a = 0; a < problem->arrays && level->share[g] >= 0; a++) {
      most_users += (may[a] & share->spaces) != 0;
      least_users += (may[a] & ~share->spaces) == 0;
    }
    if (level->share[g] < 0) continue;
    bool last = level->share[g] + 1 == (int)share->class_count;
    if (most_users < level_least_users(share, level->share[g]) || (!last && least_users > share->most[level->share[g]]))
      return 0;
  }
  return 1;
}

/* ---- numbers ---- */

static void add_shares(const struct solve_problem *problem, const struct level *level, const double *scale,
                       const double *path_scale, struct level_costs *costs) {
  for (unsigned g = 0; g < problem->shares; g++) {
    const struct solve_share *share = &problem->share[g];
    if (level->share[g] < 0) continue;
    for (unsigned a = 0; a <= problem->arrays; a++)
      for (unsigned s = 0; s < problem->spaces; s++) {
        bool fixed = a == problem->arrays;
        if (!(share->spaces >> s & 1) || (fixed && s)) continue;
        const double *ns = solve_share_ns(problem, share, (unsigned)level->share[g], a, s);
        double *to = fixed ? costs->base : costs->ns[a][s];
        for (int k = 0; k < 2; k++) to[share->path[s][k]] += scale[s] * path_scale[share->path[s][k]] * ns[k];
      }
  }
}

void level_costs(const struct solve_problem *problem, const struct level *level, struct level_costs *costs) {
  double scale[SOLVE_MAX_SPACES], path_scale[SOLVE_MAX_PATHS], per_byte[SOLVE_MAX_SPACES] = {0};
  costs->fixed_ns = 0;
  for (unsigned s = 0; s < problem->spaces; s++) scale[s] = 1;
  for (unsigned p = 0; p < problem->paths; p++) path_scale[p] = 1;
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (level->class[s] < 0) continue;
    const struct solve_class *class = &problem->space[s].classes[level->class[s]];
    costs->fixed_ns += class->fixed_ns;
    per_byte[s] = class->ns_per_byte;
    for (unsigned other = 0; other < problem->spaces; other++) scale[other] *= class->scale[other];
    for (unsigned p = 0; p < problem->paths; p++) path_scale[p] *= class->path_scale[p];
  }
  for (unsigned p = 0; p < problem->paths; p++) costs->base[p] = scale[0] * path_scale[p] * problem->base_ns[p];
  for (unsigned a = 0; a < problem->arrays; a++) {
    costs->may[a] = may_take(problem, level, a);
    for (unsigned s = 0; s < problem->spaces; s++) {
      for (unsigned p = 0; p < problem->paths; p++)
        costs->ns[a][s][p] = scale[s] * path_scale[p] * problem->cost_ns[a][s][p];
      costs->added[a][s] = per_byte[s] * (double)problem->bytes[a][s];
    }
  }
  add_shares(problem, level, scale, path_scale, costs);
}

/* The bound with these weights; the loads of the paths at the arrays' cheapest spaces go to `load`. */
static double weighted_bound(const struct solve_problem *problem, const struct level_costs *costs, const double *weight,
                             double *load) {
  double bound = costs->fixed_ns, loss = problem->overlap_loss, price[SOLVE_MAX_PATHS];
  for (unsigned p = 0; p < problem->paths; p++) {
    price[p] = (1 - loss) * weight[p] + loss;
    load[p] = costs->base[p];
    bound += price[p] * costs->base[p];
  }
  for (unsigned a = 0; a < problem->arrays; a++) {
    double least = INFINITY;
    unsigned at = 0;
    for (unsigned s = 0; s < problem->spaces; s++) {
      double sum = costs->added[a][s];
      if (!(costs->may[a] >> s & 1)) continue;
      for (unsigned p = 0; p < problem->paths; p++) sum += price[p] * costs->ns[a][s][p];
      if (sum < least) least = sum, at = s;
    }
    bound += least;
    for (unsigned p = 0; p < problem->paths; p++) load[p] += costs->ns[a][at][p];
  }
  return bound;
}

void level_weight(const struct solve_problem *problem, double *weight) {
  for (unsigned p = 0; p < problem->paths; p++) weight[p] = 1.0 / problem->paths;
}

double level_bound(const struct solve_problem *problem, const struct level_costs *costs, unsigned steps, double enough,
                   double *best_weight) {
  double weight[SOLVE_MAX_PATHS], load[SOLVE_MAX_PATHS], best = -INFINITY;
  memcpy(weight, best_weight, sizeof weight);
  for (unsigned step = 0; step < steps; step++) {
    double bound = weighted_bound(problem, costs, weight, load), most = 0, sum = 0;
    if (bound > best) best = bound, memcpy(best_weight, weight, sizeof weight);
    if (best >= enough) break;
    for (unsigned p = 0; p < problem->paths; p++) most = load[p] > most ? load[p] : most;
    if (most <= 0) break;
    for (unsigned p = 0; p < problem->paths; p++) { /* multiplicative update towards the busiest path */
      double slack = 2 / (1.0 + step) * (1 - load[p] / most);
      weight[p] = fmax(weight[p], 1e-6) / (1 + slack);
      sum += weight[p];
    }
    for (unsigned p = 0; p < problem->paths; p++) weight[p] /= sum;
  }
  return best;
}

/* ---- all of them ---- */

static int next_level(const struct solve_problem *problem, struct level *level) {
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (level->class[s] < 0) continue;
    if (++level->class[s] < (int)problem->space[s].class_count) return 1;
    level->class[s] = 0;
  }
  for (unsigned g = 0; g < problem->shares; g++) {
    if (level->share[g] < 0) continue;
    if (++level->share[g] < (int)problem->share[g].class_count) return 1;
    level->share[g] = 0;
  }
  return 0;
}

static int by_bound(const void *a, const void *b) {
  double x = ((const struct level *)a)->bound_ns, y = ((const struct level *)b)->bound_ns;
  return x < y ? -1 : x > y;
}

static int keep(struct level **levels, int *count, int *capacity, const struct level *level) {
  if (*count == *capacity) {
    int more = *capacity ? 2 * *capacity : 64;
    struct level *grown = realloc(*levels, (size_t)more * sizeof **levels);
    if (!grown) return -1;
    *levels = grown;
    *capacity = more;
  }
  (*levels)[(*count)++] = *level;
  return 0;
}

int level_find(const struct solve_problem *problem, double below_ns, struct level **levels) {
  enum { STEPS = 8 };
  double weight[SOLVE_MAX_PATHS] = {0};
  struct level level;
  struct level_costs costs;
  int count = 0, capacity = 0, visited = 0, rc = 0;
  *levels = NULL;
  level_weight(problem, weight);
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++)
    level.class[s] = s < problem->spaces && problem->space[s].class_count ? 0 : -1;
  for (unsigned g = 0; g < SOLVE_MAX_SHARES; g++)
    level.share[g] = g < problem->shares && problem->share[g].class_count ? 0 : -1;
  do {
    if (++visited > LEVEL_MOST) rc = -1;
    for (unsigned a = 0; a < problem->arrays; a++) costs.may[a] = may_take(problem, &level, a);
    if (!reachable(problem, &level, costs.may)) continue;
    level_costs(problem, &level, &costs);
    level.bound_ns = level_bound(problem, &costs, STEPS, below_ns, weight);
    if (level.bound_ns < below_ns) rc = keep(levels, &count, &capacity, &level);
  } while (rc == 0 && next_level(problem, &level));
  if (rc) {
    free(*levels);
    return *levels = NULL, -1;
  }
  if (count) qsort(*levels, (size_t)count, sizeof **levels, by_bound);
  return count;
}

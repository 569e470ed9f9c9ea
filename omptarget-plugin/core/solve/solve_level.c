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

/* The costs of a shared cache at the level, as of one class; NULL: none. */
static const double *share_row(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs,
                               unsigned g) {
  if (level->share[g] == LEVEL_UNDECIDED) return costs->least[g];
  return level->share[g] < 0 ? NULL : solve_share_ns(problem, &problem->share[g], (unsigned)level->share[g], 0, 0);
}

static void add_shares(const struct solve_problem *problem, const struct level *level, const double *scale,
                       const double *path_scale, struct level_costs *costs) {
  for (unsigned g = 0; g < problem->shares; g++) {
    const struct solve_share *share = &problem->share[g];
    const double *row = share_row(problem, level, costs, g);
    for (unsigned a = 0; row && a <= problem->arrays; a++, row += 2 * problem->spaces)
      for (unsigned s = 0; s < problem->spaces; s++) {
        bool fixed = a == problem->arrays;
        if (!(share->spaces >> s & 1) || (fixed && s)) continue;
        double *to = fixed ? costs->base : costs->ns[a][s];
        for (int k = 0; k < 2; k++) to[share->path[s][k]] += scale[s] * path_scale[share->path[s][k]] * row[2 * s + k];
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

/* ---- bounds ---- */

/* The most bytes of a space's class, and the most users of a shared cache's; INFINITY: no limit. */
static double most_bytes(const struct solve_problem *problem, const struct level *level, unsigned s) {
  return (double)problem->space[s].classes[level->class[s]].max_bytes;
}

static double most_users(const struct solve_problem *problem, const struct level *level, unsigned g) {
  const struct solve_share *share = &problem->share[g];
  return level->share[g] + 1 == (int)share->class_count ? INFINITY : share->most[level->share[g]];
}

double level_price(const struct solve_problem *problem, const struct level_costs *costs, const struct level_prices *prices,
                   unsigned a, unsigned s) {
  double sum = costs->added[a][s] + prices->byte[s] * (double)problem->bytes[a][s];
  for (unsigned p = 0; p < problem->paths; p++)
    sum += ((1 - problem->overlap_loss) * prices->weight[p] + problem->overlap_loss) * costs->ns[a][s][p];
  for (unsigned g = 0; g < problem->shares; g++) sum += problem->share[g].spaces >> s & 1 ? prices->user[g] : 0;
  return sum;
}

double level_fixed(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs,
                   const struct level_prices *prices) {
  double sum = costs->fixed_ns;
  for (unsigned p = 0; p < problem->paths; p++)
    sum += ((1 - problem->overlap_loss) * prices->weight[p] + problem->overlap_loss) * costs->base[p];
  for (unsigned s = 0; s < problem->spaces; s++) {
    double price = prices->byte[s];
    if (price > 0) sum -= price * most_bytes(problem, level, s);
    if (price < 0) sum -= price * (double)level_least_bytes(&problem->space[s], level->class[s]);
  }
  for (unsigned g = 0; g < problem->shares; g++) {
    double price = prices->user[g];
    sum += price * problem->share[g].fixed;
    if (price > 0) sum -= price * most_users(problem, level, g);
    if (price < 0) sum -= price * level_least_users(&problem->share[g], level->share[g]);
  }
  return sum;
}

/* What the arrays' cheapest spaces come to. */
struct loads {
  double path[SOLVE_MAX_PATHS], bytes[SOLVE_MAX_SPACES], users[SOLVE_MAX_SHARES];
};

static double priced_bound(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs,
                           const struct level_prices *prices, struct loads *loads) {
  double bound = level_fixed(problem, level, costs, prices);
  *loads = (struct loads){.path = {0}};
  for (unsigned p = 0; p < problem->paths; p++) loads->path[p] = costs->base[p];
  for (unsigned g = 0; g < problem->shares; g++) loads->users[g] = problem->share[g].fixed;
  for (unsigned a = 0; a < problem->arrays; a++) {
    double least = INFINITY;
    unsigned at = 0;
    for (unsigned s = 0; s < problem->spaces; s++) {
      if (!(costs->may[a] >> s & 1)) continue;
      double price = level_price(problem, costs, prices, a, s);
      if (price < least) least = price, at = s;
    }
    bound += least;
    for (unsigned p = 0; p < problem->paths; p++) loads->path[p] += costs->ns[a][at][p];
    loads->bytes[at] += (double)problem->bytes[a][at];
    for (unsigned g = 0; g < problem->shares; g++) loads->users[g] += problem->share[g].spaces >> at & 1;
  }
  return bound;
}

void level_start(const struct solve_problem *problem, struct level_prices *prices) {
  *prices = (struct level_prices){.weight = {0}};
  for (unsigned p = 0; p < problem->paths; p++) prices->weight[p] = 1.0 / problem->paths;
}

/* How far a load is beyond what its price is of. */
static double excess(double load, double least, double most, double price) {
  if (price > 0 || (price == 0 && load > most)) return load - most;
  return price < 0 || load < least ? load - least : 0;
}

/* A price never changes its sign in one step. */
static double moved(double price, double by) {
  double to = price + by;
  return price * to < 0 ? 0 : to;
}

/* A Polyak step of the prices of bytes and users: as far as the gap to what is known, `gap`, may be closed. */
static void move_prices(const struct solve_problem *problem, const struct level *level, const struct loads *loads, double gap,
                        struct level_prices *prices) {
  double byte[SOLVE_MAX_SPACES] = {0}, user[SOLVE_MAX_SHARES] = {0}, unit[SOLVE_MAX_SPACES], norm = 0;
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (level->class[s] < 0) continue;
    unit[s] = fmax(1, most_bytes(problem, level, s));
    byte[s] = excess(loads->bytes[s], (double)level_least_bytes(&problem->space[s], level->class[s]),
                     most_bytes(problem, level, s), prices->byte[s]) / unit[s];
    norm += byte[s] * byte[s];
  }
  for (unsigned g = 0; g < problem->shares; g++) {
    if (level->share[g] < 0) continue;
    user[g] = excess(loads->users[g], level_least_users(&problem->share[g], level->share[g]), most_users(problem, level, g),
                     prices->user[g]);
    norm += user[g] * user[g];
  }
  double step = norm > 0 && isfinite(gap) ? gap / norm : 0;
  for (unsigned s = 0; s < problem->spaces && step > 0; s++)
    if (byte[s] != 0) prices->byte[s] = moved(prices->byte[s], step * byte[s] / unit[s]);
  for (unsigned g = 0; g < problem->shares && step > 0; g++)
    if (user[g] != 0) prices->user[g] = moved(prices->user[g], step * user[g]);
}

/* A multiplicative step of the weights towards the busiest path. */
static void move_weights(const struct solve_problem *problem, const struct loads *loads, unsigned step, double *weight) {
  double most = 0, sum = 0;
  for (unsigned p = 0; p < problem->paths; p++) most = fmax(most, loads->path[p]);
  for (unsigned p = 0; p < problem->paths && most > 0; p++) {
    double slack = 2 / (1.0 + step) * (1 - loads->path[p] / most);
    weight[p] = fmax(weight[p], 1e-6) / (1 + slack);
    sum += weight[p];
  }
  for (unsigned p = 0; p < problem->paths && most > 0; p++) weight[p] /= sum;
}

/* Prices of another level that mean nothing at this one. */
static void take_over(const struct solve_problem *problem, const struct level *level, struct level_prices *prices) {
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++)
    if (s >= problem->spaces || level->class[s] < 0) prices->byte[s] = 0;
  for (unsigned g = 0; g < SOLVE_MAX_SHARES; g++) {
    bool none = g >= problem->shares || level->share[g] < 0;
    if (none || (prices->user[g] > 0 && isinf(most_users(problem, level, g)))) prices->user[g] = 0;
  }
}

double level_bound(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs,
                   unsigned steps, double enough, struct level_prices *best_prices) {
  struct level_prices prices;
  struct loads loads;
  double best = -INFINITY;
  take_over(problem, level, best_prices);
  prices = *best_prices;
  for (unsigned step = 0; step < steps; step++) {
    double bound = priced_bound(problem, level, costs, &prices, &loads);
    if (bound > best) best = bound, *best_prices = prices;
    if (best >= enough) break;
    move_prices(problem, level, &loads, (enough - bound) / (1 + step / 4.0), &prices);
    move_weights(problem, &loads, step, prices.weight);
  }
  return best;
}

/* ---- all of them ---- */

static int next_spaces(const struct solve_problem *problem, struct level *level) {
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (level->class[s] < 0) continue;
    if (++level->class[s] < (int)problem->space[s].class_count) return 1;
    level->class[s] = 0;
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

struct finder {
  const struct solve_problem *problem;
  double below_ns;
  struct level_prices prices;
  struct level_costs costs;
  struct level *levels;
  int count, capacity, visited;
  double *least; /* room for costs->least */
};

/* The level's bound; INFINITY if no plan is in it. */
static double bound_level(struct finder *f, const struct level *level) {
  enum { STEPS = 8 };
  f->visited++;
  for (unsigned a = 0; a < f->problem->arrays; a++) f->costs.may[a] = may_take(f->problem, level, a);
  if (!reachable(f->problem, level, f->costs.may)) return INFINITY;
  level_costs(f->problem, level, &f->costs);
  return level_bound(f->problem, level, &f->costs, STEPS, f->below_ns, &f->prices);
}

/* The levels with these classes of the spaces and of the shared caches before g; `level` has the bound of what is decided. */
static int find_shares(struct finder *f, const struct level *level, unsigned g) {
  struct level next = *level;
  while (g < f->problem->shares && level->share[g] != LEVEL_UNDECIDED) g++;
  if (g == f->problem->shares) return keep(&f->levels, &f->count, &f->capacity, level);
  for (next.share[g] = 0; next.share[g] < (int)f->problem->share[g].class_count; next.share[g]++) {
    next.bound_ns = bound_level(f, &next);
    if (f->visited > LEVEL_MOST) return -1;
    if (next.bound_ns < f->below_ns && find_shares(f, &next, g + 1)) return -1;
  }
  return 0;
}

/* What is too dear before a shared cache is decided is too dear at each of its classes. */
static int find_all(struct finder *f) {
  const struct solve_problem *problem = f->problem;
  struct level level;
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++)
    level.class[s] = s < problem->spaces && problem->space[s].class_count ? 0 : -1;
  for (unsigned g = 0; g < SOLVE_MAX_SHARES; g++) {
    unsigned classes = g < problem->shares ? problem->share[g].class_count : 0;
    level.share[g] = classes > 1 ? LEVEL_UNDECIDED : classes == 1 ? 0 : -1;
  }
  do {
    level.bound_ns = bound_level(f, &level);
    if (f->visited > LEVEL_MOST || (level.bound_ns < f->below_ns && find_shares(f, &level, 0))) return -1;
  } while (next_spaces(problem, &level));
  return 0;
}

/* The least of each cost over the classes of each shared cache. 0, or -1 when out of memory. */
static int find_least(struct finder *f) {
  const struct solve_problem *problem = f->problem;
  size_t row = (size_t)(problem->arrays + 1) * problem->spaces * 2;
  f->least = malloc((problem->shares * row + 1) * sizeof *f->least);
  for (unsigned g = 0; f->least && g < problem->shares; g++) {
    const struct solve_share *share = &problem->share[g];
    double *least = f->least + g * row;
    f->costs.least[g] = least;
    for (size_t i = 0; share->class_count && i < row; i++) {
      least[i] = share->ns[i];
      for (unsigned c = 1; c < share->class_count; c++) least[i] = fmin(least[i], share->ns[c * row + i]);
    }
  }
  return f->least ? 0 : -1;
}

int level_find(const struct solve_problem *problem, double below_ns, struct level **levels) {
  struct finder f = {.problem = problem, .below_ns = below_ns};
  level_start(problem, &f.prices);
  *levels = NULL;
  int rc = find_least(&f) ? -1 : find_all(&f);
  free(f.least);
  if (rc) return free(f.levels), -1;
  if (f.count) qsort(f.levels, (size_t)f.count, sizeof *f.levels, by_bound);
  *levels = f.levels;
  return f.count;
}

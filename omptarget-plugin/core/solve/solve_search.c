/* Depth-first search of one level. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "solve_level.h"
#include "solve_sums.h"

enum { SUMS_AFTER = 1024 }; /* nodes, which take about as long as making the sums */

struct search {
  const struct solve_problem *problem;
  const struct level *level;
  const struct level_costs *costs;
  unsigned nodes;                                       /* left */
  unsigned sums_at;                                     /* nodes left when the sums are made */
  struct sums *sums;                                    /* [spaces], of the last arrays in order; NULL: not made */
  double reduced[SOLVE_MAX_ARRAYS][SOLVE_MAX_SPACES];   /* Lagrangian cost of array a in space s */
  double rest[SOLVE_MAX_ARRAYS + 1];                    /* least Lagrangian cost of arrays order[k..] */
  double rest_path[SOLVE_MAX_ARRAYS + 1][SOLVE_MAX_PATHS]; /* the least that they add to each path */
  uint64_t rest_bytes[SOLVE_MAX_ARRAYS + 1][SOLVE_MAX_SPACES]; /* the most that they can add to a space */
  uint8_t rest_users[SOLVE_MAX_ARRAYS + 1][SOLVE_MAX_SHARES];  /* and to the users of a shared cache */
  uint8_t order[SOLVE_MAX_ARRAYS];                      /* arrays whose choice matters most first */
  uint8_t space[SOLVE_MAX_ARRAYS];
  uint8_t *best;
  double best_ns;
  bool found;
};

struct node {
  unsigned depth;
  double reduced, added, path[SOLVE_MAX_PATHS];
  uint64_t bytes[SOLVE_MAX_SPACES];
  unsigned users[SOLVE_MAX_SHARES];
};

/* ---- preparation ---- */

static void reduce(struct search *s, const struct level_prices *prices) {
  const struct solve_problem *p = s->problem;
  for (unsigned a = 0; a < p->arrays; a++)
    for (unsigned k = 0; k < p->spaces; k++)
      s->reduced[a][k] = s->costs->may[a] >> k & 1 ? level_price(p, s->costs, prices, a, k) : INFINITY;
}

/* Takes out the spaces that raise the bound to what is known; true: any. */
static bool fix_spaces(struct search *s, struct level_costs *costs, double bound_ns) {
  bool any = false;
  for (unsigned a = 0; a < s->problem->arrays; a++) {
    double least = INFINITY;
    for (unsigned k = 0; k < s->problem->spaces; k++) least = fmin(least, s->reduced[a][k]);
    for (unsigned k = 0; k < s->problem->spaces; k++) {
      if (!(costs->may[a] >> k & 1) || bound_ns - least + s->reduced[a][k] < s->best_ns * (1 + 1e-12)) continue;
      costs->may[a] &= ~PLACE_SPACE_BIT(k);
      s->reduced[a][k] = INFINITY;
      any = true;
    }
  }
  return any;
}

/* What choosing wrongly for the array costs at least, or at most where one space is left. */
static double regret(const struct search *s, unsigned array) {
  double least = INFINITY, second = INFINITY;
  for (unsigned k = 0; k < s->problem->spaces; k++) {
    double r = s->reduced[array][k];
    if (r < least) second = least, least = r;
    else if (r < second) second = r;
  }
  return second - least;
}

static void sort_arrays(struct search *s) {
  for (unsigned a = 0; a < s->problem->arrays; a++) {
    unsigned at = a;
    double mine = regret(s, a);
    for (; at > 0 && regret(s, s->order[at - 1]) < mine; at--) s->order[at] = s->order[at - 1];
    s->order[at] = (uint8_t)a;
  }
}

static void sum_rests(struct search *s) {
  const struct solve_problem *p = s->problem;
  memset(s->rest_path[p->arrays], 0, sizeof s->rest_path[0]);
  memset(s->rest_bytes[p->arrays], 0, sizeof s->rest_bytes[0]);
  memset(s->rest_users[p->arrays], 0, sizeof s->rest_users[0]);
  s->rest[p->arrays] = 0;
  for (unsigned i = p->arrays; i-- > 0;) {
    unsigned a = s->order[i];
    double least = INFINITY;
    for (unsigned k = 0; k < p->spaces; k++) least = fmin(least, s->reduced[a][k]);
    s->rest[i] = s->rest[i + 1] + least;
    for (unsigned k = 0; k < p->spaces; k++)
      s->rest_bytes[i][k] = s->rest_bytes[i + 1][k] + (s->costs->may[a] >> k & 1 ? p->bytes[a][k] : 0);
    for (unsigned g = 0; g < p->shares; g++)
      s->rest_users[i][g] = (uint8_t)(s->rest_users[i + 1][g] + ((s->costs->may[a] & p->share[g].spaces) != 0));
    for (unsigned q = 0; q < p->paths; q++) {
      double path = INFINITY;
      for (unsigned k = 0; k < p->spaces; k++)
        if (s->costs->may[a] >> k & 1) path = fmin(path, s->costs->ns[a][k][q]);
      s->rest_path[i][q] = s->rest_path[i + 1][q] + path;
    }
  }
}

/* ---- search ---- */

/* The greater of the Lagrangian bound and the one that lets each path have its cheapest spaces. */
static double node_bound(const struct search *s, const struct node *n) {
  const struct solve_problem *p = s->problem;
  double most = 0, sum = 0;
  for (unsigned q = 0; q < p->paths; q++) {
    double path = n->path[q] + s->rest_path[n->depth][q];
    most = fmax(most, path);
    sum += path;
  }
  return fmax(n->reduced + s->rest[n->depth], s->costs->fixed_ns + n->added + most + p->overlap_loss * (sum - most));
}

/* The sums of the spaces whose class has a least number of bytes, of as many last arrays as there is room for. */
static void make_sums(struct search *s) {
  const struct solve_problem *p = s->problem;
  if (!(s->sums = malloc(p->spaces * sizeof *s->sums))) return;
  for (unsigned k = 0; k < p->spaces; k++) {
    if (s->level->class[k] <= 0) continue;
    sums_start(&s->sums[k]);
    for (unsigned last = 0; last < p->arrays && last < SUMS_MOST; last++) {
      unsigned a = s->order[p->arrays - 1 - last];
      sums_add(&s->sums[k], p->bytes[a][k], s->costs->may[a] >> k & 1, s->costs->may[a] & ~PLACE_SPACE_BIT(k));
    }
  }
}

/* Whether the space's class can still be met. */
static bool fits_space(const struct search *s, const struct node *n, unsigned k) {
  const struct solve_space *space = &s->problem->space[k];
  unsigned left = s->problem->arrays - n->depth;
  uint64_t bytes = n->bytes[k], most = space->classes[s->level->class[k]].max_bytes;
  uint64_t least = level_least_bytes(space, s->level->class[k]);
  if (bytes > most || bytes + s->rest_bytes[n->depth][k] < least) return false;
  return bytes >= least || !s->sums || left > SUMS_MOST || sums_reach(&s->sums[k], left, least - bytes, most - bytes);
}

/* Whether the level's classes can still be met. */
static bool fits(const struct search *s, const struct node *n) {
  const struct solve_problem *p = s->problem;
  for (unsigned k = 0; k < p->spaces; k++)
    if (s->level->class[k] >= 0 && !fits_space(s, n, k)) return false;
  for (unsigned g = 0; g < p->shares; g++) {
    int c = s->level->share[g];
    if (c < 0) continue;
    if (c + 1 < (int)p->share[g].class_count && n->users[g] > p->share[g].most[c]) return false;
    if (n->users[g] + s->rest_users[n->depth][g] < level_least_users(&p->share[g], c)) return false;
  }
  return true;
}

/* A plan of this level is complete. */
static void complete(struct search *s) {
  double cost = solve_cost(s->problem, s->space);
  if (cost >= s->best_ns) return;
  s->best_ns = cost;
  memcpy(s->best, s->space, sizeof s->space);
  s->found = true;
}

static void descend(struct search *s, const struct node *n) {
  const struct solve_problem *p = s->problem;
  if (n->depth == p->arrays) return complete(s);
  unsigned a = s->order[n->depth];
  place_space_set left = s->costs->may[a];
  while (left && s->nodes) {
    unsigned k = 0;
    for (unsigned i = 0; i < p->spaces; i++)
      if (left >> i & 1 && (!(left >> k & 1) || s->reduced[a][i] < s->reduced[a][k])) k = i;
    left &= ~PLACE_SPACE_BIT(k);
    struct node child = *n;
    child.depth++;
    child.reduced += s->reduced[a][k];
    child.added += s->costs->added[a][k];
    child.bytes[k] += p->bytes[a][k];
    for (unsigned g = 0; g < p->shares; g++) child.users[g] += p->share[g].spaces >> k & 1;
    for (unsigned q = 0; q < p->paths; q++) child.path[q] += s->costs->ns[a][k][q];
    s->space[a] = (uint8_t)k;
    if (s->nodes-- == s->sums_at) make_sums(s);
    if (fits(s, &child) && node_bound(s, &child) < s->best_ns) descend(s, &child);
  }
}

int level_search(const struct solve_problem *problem, const struct level *level, struct level_costs *costs, unsigned nodes,
                 struct level_prices *prices, uint8_t *space, double *cost_ns) {
  enum { STEPS = 24, ROUNDS = 3 };
  struct search s = {.problem = problem, .level = level, .costs = costs, .nodes = nodes, .best = space, .best_ns = *cost_ns,
                     .sums_at = nodes > SUMS_AFTER ? nodes - SUMS_AFTER : 0};
  struct node root = {.depth = 0};
  for (int round = 0; round < ROUNDS; round++) { /* what is taken out makes the next bound better */
    double bound = level_bound(problem, level, costs, STEPS, *cost_ns, prices);
    if (bound >= *cost_ns) return 0;
    reduce(&s, prices);
    if (!fix_spaces(&s, costs, bound)) break;
  }
  for (unsigned a = 0; a < problem->arrays; a++)
    if (!costs->may[a]) return 0;
  sort_arrays(&s);
  sum_rests(&s);
  root.reduced = level_fixed(problem, level, costs, prices);
  for (unsigned g = 0; g < problem->shares; g++) root.users[g] = problem->share[g].fixed;
  for (unsigned q = 0; q < problem->paths; q++) root.path[q] = costs->base[q];
  descend(&s, &root);
  free(s.sums);
  if (s.found) *cost_ns = s.best_ns;
  return !s.nodes ? -1 : s.found;
}

/* The exact solution by integer linear programming (GLPK).
 *
 * For one class of each space (a level) scales are constants, and T is linear but for the maximum over paths:
 *   minimise  (1 - loss) * t + loss * (sum over p of T(p)) + sum of ns_per_byte[s] * bytes[a][s] * x[a][s]
 *   t >= T(p) = path_scale[p] * (base + sum of scale[s] * cost[a][s][p] * x[a][s])      each path p
 *   sum over s of x[a][s] = 1                                                   each array a
 *   least[s] <= sum over a of bytes[a][s] * x[a][s] <= most[s]                  each space s with classes
 * The least T over all levels is the optimum. Levels are visited in order of a lower bound (each array at its cheapest on
 * each path), and the rest is skipped once the bound is no better than what was found.
 *
 * GLPK reports errors by a hook that must not return; it is left by longjmp, and the caller gets an error. */
#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "solve.h"

enum { MAX_LEVELS = 4096 };

struct level {
  int8_t class[SOLVE_MAX_SPACES]; /* -1: the space has no classes */
  double scale[SOLVE_MAX_SPACES], path_scale[SOLVE_MAX_PATHS];
  double fixed_ns, bound_ns;
};

static uint64_t class_least(const struct solve_space *space, int class) {
  return class > 0 ? space->classes[class - 1].max_bytes + 1 : 0;
}

/* ---- levels ---- */

/* Space s may hold array a at this level: allowed, and not too big for the class. */
static int may_take(const struct solve_problem *problem, const struct level *level, unsigned a, unsigned s) {
  if (!(problem->allowed[a] & PLACE_SPACE_BIT(s))) return 0;
  return level->class[s] < 0 || problem->bytes[a][s] <= problem->space[s].classes[level->class[s]].max_bytes;
}

/* Whether enough arrays could go to each space to reach its class. */
static int reachable(const struct solve_problem *problem, const struct level *level) {
  for (unsigned s = 0; s < problem->spaces; s++) {
    uint64_t most = 0;
    if (level->class[s] <= 0) continue;
    for (unsigned a = 0; a < problem->arrays; a++)
      if (may_take(problem, level, a, s)) most += problem->bytes[a][s];
    if (most < class_least(&problem->space[s], level->class[s])) return 0;
  }
  return 1;
}

static double scaled_cost(const struct solve_problem *problem, const struct level *level, unsigned a, unsigned s, unsigned p) {
  return level->scale[s] * level->path_scale[p] * problem->cost_ns[a][s][p];
}

static double scaled_base(const struct solve_problem *problem, const struct level *level, unsigned p) {
  return level->scale[0] * level->path_scale[p] * problem->base_ns[p];
}

/* The least that an array adds to path p, or to all paths together (p = paths). */
static double least_cost(const struct solve_problem *problem, const struct level *level, unsigned a, unsigned p) {
  double least = INFINITY;
  for (unsigned s = 0; s < problem->spaces; s++) {
    double sum = 0;
    if (!may_take(problem, level, a, s)) continue;
    for (unsigned q = 0; q < problem->paths; q++)
      if (p == q || p == problem->paths) sum += scaled_cost(problem, level, a, s, q);
    least = fmin(least, sum);
  }
  return least;
}

static double lower_bound(const struct solve_problem *problem, const struct level *level) {
  double most = 0, all = 0;
  for (unsigned p = 0; p < problem->paths; p++) {
    double sum = scaled_base(problem, level, p);
    all += sum;
    for (unsigned a = 0; a < problem->arrays; a++) sum += least_cost(problem, level, a, p);
    most = fmax(most, sum);
  }
  for (unsigned a = 0; a < problem->arrays; a++) all += least_cost(problem, level, a, problem->paths);
  most += problem->overlap_loss * fmax(0, all - most);
  for (unsigned s = 0; s < problem->spaces; s++)
    if (level->class[s] > 0)
      most += problem->space[s].classes[level->class[s]].ns_per_byte *
              (double)class_least(&problem->space[s], level->class[s]);
  return most + level->fixed_ns;
}

static void level_set(const struct solve_problem *problem, struct level *level) {
  level->fixed_ns = 0;
  for (unsigned s = 0; s < problem->spaces; s++) level->scale[s] = 1;
  for (unsigned p = 0; p < problem->paths; p++) level->path_scale[p] = 1;
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (level->class[s] < 0) continue;
    const struct solve_class *class = &problem->space[s].classes[level->class[s]];
    level->fixed_ns += class->fixed_ns;
    for (unsigned other = 0; other < problem->spaces; other++) level->scale[other] *= class->scale[other];
    for (unsigned p = 0; p < problem->paths; p++) level->path_scale[p] *= class->path_scale[p];
  }
}

static int next_level(const struct solve_problem *problem, struct level *level) {
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

/* All levels that can hold a plan, by ascending bound. Returns how many, -1: more than MAX_LEVELS. */
static int find_levels(const struct solve_problem *problem, struct level *levels) {
  struct level level;
  int count = 0;
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++)
    level.class[s] = s < problem->spaces && problem->space[s].class_count ? 0 : -1;
  do {
    level_set(problem, &level);
    if (!reachable(problem, &level)) continue;
    if (count == MAX_LEVELS) return -1;
    level.bound_ns = lower_bound(problem, &level);
    levels[count++] = level;
  } while (next_level(problem, &level));
  qsort(levels, (size_t)count, sizeof *levels, by_bound);
  return count;
}

/* ---- one level ---- */

struct matrix { /* sparse rows, GLPK's numbering from 1 */
  int row[1 + SOLVE_MAX_ARRAYS * SOLVE_MAX_SPACES * (SOLVE_MAX_PATHS + 2) + SOLVE_MAX_PATHS];
  int column[1 + SOLVE_MAX_ARRAYS * SOLVE_MAX_SPACES * (SOLVE_MAX_PATHS + 2) + SOLVE_MAX_PATHS];
  double value[1 + SOLVE_MAX_ARRAYS * SOLVE_MAX_SPACES * (SOLVE_MAX_PATHS + 2) + SOLVE_MAX_PATHS];
  int count;
};

static void put(struct matrix *m, int row, int column, double value) {
  if (value == 0) return;
  m->count++;
  m->row[m->count] = row;
  m->column[m->count] = column;
  m->value[m->count] = value;
}

/* Column of x[a][s]; column 1 is t. */
static int column_of(const struct solve_problem *problem, unsigned a, unsigned s) {
  return 2 + (int)(a * problem->spaces + s);
}

static void set_columns(glp_prob *lp, const struct solve_problem *problem, const struct level *level, double unit_ns) {
  glp_add_cols(lp, 1 + (int)(problem->arrays * problem->spaces));
  glp_set_col_bnds(lp, 1, GLP_LO, 0, 0);
  glp_set_obj_coef(lp, 1, 1 - problem->overlap_loss);
  for (unsigned a = 0; a < problem->arrays; a++) {
    for (unsigned s = 0; s < problem->spaces; s++) {
      int column = column_of(problem, a, s);
      glp_set_col_kind(lp, column, GLP_BV);
      if (!may_take(problem, level, a, s)) glp_set_col_bnds(lp, column, GLP_FX, 0, 0);
      double added = 0;
      for (unsigned p = 0; p < problem->paths; p++)
        added += problem->overlap_loss * scaled_cost(problem, level, a, s, p);
      if (level->class[s] >= 0)
        added += problem->space[s].classes[level->class[s]].ns_per_byte * (double)problem->bytes[a][s];
      glp_set_obj_coef(lp, column, added / unit_ns);
    }
  }
}

static void set_rows(glp_prob *lp, const struct solve_problem *problem, const struct level *level, double unit_ns,
                     struct matrix *m) {
  int one = 1, path = one + (int)problem->arrays, room = path + (int)problem->paths; /* first row of each kind */
  glp_add_rows(lp, (int)(problem->arrays + problem->paths + problem->spaces));
  for (unsigned a = 0; a < problem->arrays; a++) glp_set_row_bnds(lp, one + (int)a, GLP_FX, 1, 1);
  for (unsigned p = 0; p < problem->paths; p++) {
    glp_set_row_bnds(lp, path + (int)p, GLP_UP, 0, -scaled_base(problem, level, p) / unit_ns);
    put(m, path + (int)p, 1, -1);
  }
  for (unsigned s = 0; s < problem->spaces; s++) {
    const struct solve_space *space = &problem->space[s];
    int c = level->class[s], row = room + (int)s;
    double most = c < 0 ? 0 : (double)space->classes[c].max_bytes, unit = most > 0 ? most : 1;
    double least = c < 0 ? 0 : (double)class_least(space, c);
    glp_set_row_bnds(lp, row, c < 0 ? GLP_FR : least < most ? GLP_DB : GLP_FX, least / unit, most / unit);
    for (unsigned a = 0; a < problem->arrays; a++) {
      int column = column_of(problem, a, s);
      put(m, one + (int)a, column, 1);
      if (!may_take(problem, level, a, s)) continue;
      if (c >= 0) put(m, row, column, (double)problem->bytes[a][s] / unit);
      for (unsigned p = 0; p < problem->paths; p++)
        put(m, path + (int)p, column, scaled_cost(problem, level, a, s, p) / unit_ns);
    }
  }
  glp_load_matrix(lp, m->count, m->row, m->column, m->value);
}

/* Solves one level; 1 and the plan if it has one, 0 if not, -1 on a failure of the solver. */
static int solve_level(glp_prob *lp, const struct solve_problem *problem, const struct level *level, struct matrix *m,
                       uint8_t *space) {
  glp_iocp options;
  double unit_ns = level->bound_ns > 0 ? level->bound_ns : 1; /* keeps coefficients near 1 */
  glp_erase_prob(lp);
  glp_set_obj_dir(lp, GLP_MIN);
  m->count = 0;
  set_columns(lp, problem, level, unit_ns);
  set_rows(lp, problem, level, unit_ns, m);
  glp_init_iocp(&options);
  options.presolve = GLP_ON;
  options.msg_lev = GLP_MSG_OFF;
  int rc = glp_intopt(lp, &options);
  if (rc == GLP_ENOPFS || rc == GLP_ENODFS) return 0;
  if (rc) return -1;
  int status = glp_mip_status(lp);
  if (status != GLP_OPT && status != GLP_FEAS) return 0;
  for (unsigned a = 0; a < problem->arrays; a++) {
    space[a] = 0;
    for (unsigned s = 0; s < problem->spaces; s++)
      if (glp_mip_col_val(lp, column_of(problem, a, s)) > 0.5) space[a] = (uint8_t)s;
  }
  return 1;
}

static void leave(void *info) {
  longjmp(*(jmp_buf *)info, 1);
}

static int solve_levels(glp_prob *lp, const struct solve_problem *problem, const struct level *levels, int count,
                        struct matrix *m, struct solve_result *result) {
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  result->cost_ns = INFINITY;
  for (int i = 0; i < count && levels[i].bound_ns < result->cost_ns; i++) {
    int found = solve_level(lp, problem, &levels[i], m, space);
    if (found < 0) return -1;
    double cost = found ? solve_cost(problem, space) : INFINITY;
    if (cost >= result->cost_ns) continue;
    result->cost_ns = cost;
    memcpy(result->space, space, sizeof space);
  }
  return 0;
}

/* Runs the levels with GLPK silent and its errors caught. */
static int with_glpk(const struct solve_problem *problem, const struct level *levels, int count, struct matrix *m,
                     struct solve_result *result) {
  jmp_buf failed;
  int terminal = glp_term_out(GLP_OFF);
  volatile int rc = -1;
  glp_error_hook(leave, &failed);
  if (!setjmp(failed)) {
    glp_prob *lp = glp_create_prob();
    rc = solve_levels(lp, problem, levels, count, m, result);
    glp_delete_prob(lp);
  }
  glp_error_hook(NULL, NULL);
  glp_term_out(terminal);
  return rc;
}

int solve_ilp(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag) {
  struct level *levels = malloc(MAX_LEVELS * sizeof *levels);
  struct matrix *m = malloc(sizeof *m);
  int count = levels && m ? find_levels(problem, levels) : -1;
  int rc = count < 0 ? -1 : with_glpk(problem, levels, count, m, result);
  free(levels);
  free(m);
  if (rc) return place_diag_set(diag, count < 0 ? "out of memory or too many levels" : "GLPK failed");
  return isfinite(result->cost_ns) ? 0 : place_diag_set(diag, "no plan is feasible");
}

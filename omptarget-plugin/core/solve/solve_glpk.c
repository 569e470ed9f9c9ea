/* One level of the placement problem by integer linear programming (GLPK).
 *
 * For one class of each space and of each shared cache (a level) scales are constants, and T is linear but for the maximum
 * over paths:
 *   minimise  (1 - loss) * t + loss * (sum over p of T(p)) + sum of ns_per_byte[s] * bytes[a][s] * x[a][s]
 *   t >= T(p) = base[p] + sum of cost[a][s][p] * x[a][s]                        each path p, with the level's factors
 *   sum over s of x[a][s] = 1                                                   each array a
 *   least[s] <= sum over a of bytes[a][s] * x[a][s] <= most[s]                  each space s with classes
 *   least[g] <= fixed + sum over a, s in g of x[a][s] <= most[g]                each shared cache g
 *
 * GLPK reports errors by a hook that must not return; it is left by longjmp, and the caller gets an error. */
#include "solve_glpk.h"

#include "glpk_library.h"

#ifdef PLACE_HAS_GLPK
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MAX_ENTRIES = SOLVE_MAX_ARRAYS * SOLVE_MAX_SPACES * (SOLVE_MAX_PATHS + 2 + SOLVE_MAX_SHARES) + SOLVE_MAX_PATHS };

struct matrix { /* sparse rows, GLPK's numbering from 1 */
  int row[1 + MAX_ENTRIES], column[1 + MAX_ENTRIES];
  double value[1 + MAX_ENTRIES];
  int count;
};

struct program { /* one level's */
  const struct glpk *glpk;
  const struct solve_problem *problem;
  const struct level *level;
  const struct level_costs *costs;
  struct matrix matrix;
  double unit_ns;   /* keeps coefficients near 1 */
  double cutoff_ns; /* what is known */
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

static void set_columns(glp_prob *lp, const struct program *g) {
  const struct solve_problem *problem = g->problem;
  g->glpk->add_cols(lp, 1 + (int)(problem->arrays * problem->spaces));
  g->glpk->set_col_bnds(lp, 1, GLP_LO, 0, 0);
  g->glpk->set_obj_coef(lp, 1, 1 - problem->overlap_loss);
  for (unsigned a = 0; a < problem->arrays; a++) {
    for (unsigned s = 0; s < problem->spaces; s++) {
      int column = column_of(problem, a, s);
      g->glpk->set_col_kind(lp, column, GLP_BV);
      if (!(g->costs->may[a] >> s & 1)) g->glpk->set_col_bnds(lp, column, GLP_FX, 0, 0);
      double added = g->costs->added[a][s];
      for (unsigned p = 0; p < problem->paths; p++) added += problem->overlap_loss * g->costs->ns[a][s][p];
      g->glpk->set_obj_coef(lp, column, added / g->unit_ns);
    }
  }
}

/* ---- rows: arrays, paths, spaces, shared caches ---- */

static void set_arrays(glp_prob *lp, struct program *g) {
  for (unsigned a = 0; a < g->problem->arrays; a++) {
    g->glpk->set_row_bnds(lp, 1 + (int)a, GLP_FX, 1, 1);
    for (unsigned s = 0; s < g->problem->spaces; s++) put(&g->matrix, 1 + (int)a, column_of(g->problem, a, s), 1);
  }
}

static void set_paths(glp_prob *lp, struct program *g, int first) {
  const struct solve_problem *problem = g->problem;
  for (unsigned p = 0; p < problem->paths; p++) {
    int row = first + (int)p;
    g->glpk->set_row_bnds(lp, row, GLP_UP, 0, -g->costs->base[p] / g->unit_ns);
    put(&g->matrix, row, 1, -1);
    for (unsigned a = 0; a < problem->arrays; a++)
      for (unsigned s = 0; s < problem->spaces; s++)
        if (g->costs->may[a] >> s & 1) put(&g->matrix, row, column_of(problem, a, s), g->costs->ns[a][s][p] / g->unit_ns);
  }
}

static void set_spaces(glp_prob *lp, struct program *g, int first) {
  const struct solve_problem *problem = g->problem;
  for (unsigned s = 0; s < problem->spaces; s++) {
    int c = g->level->class[s], row = first + (int)s;
    double most = c < 0 ? 0 : (double)problem->space[s].classes[c].max_bytes, unit = most > 0 ? most : 1;
    double least = c < 0 ? 0 : (double)level_least_bytes(&problem->space[s], c);
    g->glpk->set_row_bnds(lp, row, c < 0 ? GLP_FR : least < most ? GLP_DB : GLP_FX, least / unit, most / unit);
    for (unsigned a = 0; a < problem->arrays && c >= 0; a++)
      if (g->costs->may[a] >> s & 1) put(&g->matrix, row, column_of(problem, a, s), (double)problem->bytes[a][s] / unit);
  }
}

static void set_shares(glp_prob *lp, struct program *g, int first) {
  const struct solve_problem *problem = g->problem;
  for (unsigned k = 0; k < problem->shares; k++) {
    const struct solve_share *share = &problem->share[k];
    int c = g->level->share[k], row = first + (int)k;
    bool last = c >= 0 && c + 1 == (int)share->class_count;
    double least = c < 0 ? 0 : (double)level_least_users(share, c) - share->fixed;
    double most = c < 0 ? 0 : last ? problem->arrays : (double)share->most[c] - share->fixed;
    g->glpk->set_row_bnds(lp, row, c < 0 ? GLP_FR : least < most ? GLP_DB : GLP_FX, least, most);
    for (unsigned a = 0; a < problem->arrays && c >= 0; a++)
      for (unsigned s = 0; s < problem->spaces; s++)
        if (share->spaces >> s & g->costs->may[a] >> s & 1) put(&g->matrix, row, column_of(problem, a, s), 1);
  }
}

static void set_rows(glp_prob *lp, struct program *g) {
  const struct solve_problem *problem = g->problem;
  int path = 1 + (int)problem->arrays, room = path + (int)problem->paths, share = room + (int)problem->spaces;
  g->matrix.count = 0;
  g->glpk->add_rows(lp, share + (int)problem->shares - 1);
  set_arrays(lp, g);
  set_paths(lp, g, path);
  set_spaces(lp, g, room);
  set_shares(lp, g, share);
  g->glpk->load_matrix(lp, g->matrix.count, g->matrix.row, g->matrix.column, g->matrix.value);
}

/* ---- one level ---- */

/* Ends the search when no open node can be better than what is known. */
static void prune(glp_tree *tree, void *info) {
  const struct program *g = info;
  if (g->glpk->ios_reason(tree) != GLP_ISELECT) return;
  int best = g->glpk->ios_best_node(tree);
  if (!best) return;
  double bound = g->glpk->ios_node_bound(tree, best) * g->unit_ns + g->costs->fixed_ns;
  if (bound >= g->cutoff_ns * (1 - 1e-12)) g->glpk->ios_terminate(tree);
}

/* Solves one level; 1 and the plan if it has one that may win, 0 if not, -1 on a failure of the solver. */
static int solve_level(glp_prob *lp, struct program *g, uint8_t *space) {
  const struct solve_problem *problem = g->problem;
  glp_iocp options;
  g->glpk->erase_prob(lp);
  g->glpk->set_obj_dir(lp, GLP_MIN);
  set_columns(lp, g);
  set_rows(lp, g);
  g->glpk->init_iocp(&options);
  options.presolve = GLP_ON;
  options.msg_lev = GLP_MSG_OFF;
  options.cb_func = prune;
  options.cb_info = g;
  int rc = g->glpk->intopt(lp, &options);
  if (rc == GLP_ENOPFS || rc == GLP_ENODFS) return 0;
  if (rc && rc != GLP_ESTOP) return -1;
  int status = g->glpk->mip_status(lp);
  if (status != GLP_OPT && status != GLP_FEAS) return 0;
  for (unsigned a = 0; a < problem->arrays; a++) {
    space[a] = 0;
    for (unsigned s = 0; s < problem->spaces; s++)
      if (g->glpk->mip_col_val(lp, column_of(problem, a, s)) > 0.5) space[a] = (uint8_t)s;
  }
  return 1;
}

static void leave(void *info) {
  longjmp(*(jmp_buf *)info, 1);
}

/* With GLPK silent and its errors caught. */
static int solve_silently(struct program *g, uint8_t *space) {
  jmp_buf failed;
  int terminal = g->glpk->term_out(GLP_OFF);
  volatile int rc = -1;
  g->glpk->error_hook(leave, &failed);
  if (!setjmp(failed)) {
    glp_prob *lp = g->glpk->create_prob();
    rc = solve_level(lp, g, space);
    g->glpk->delete_prob(lp);
  }
  g->glpk->error_hook(NULL, NULL);
  g->glpk->term_out(terminal);
  return rc;
}

int glpk_level(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs, double below_ns,
               uint8_t *space) {
  const struct glpk *library = glpk();
  struct program *g = library ? malloc(sizeof *g) : NULL;
  if (!g) return -1;
  g->glpk = library;
  g->problem = problem;
  g->level = level;
  g->costs = costs;
  g->unit_ns = level->bound_ns > 0 ? level->bound_ns : 1;
  g->cutoff_ns = below_ns;
  int rc = solve_silently(g, space);
  free(g);
  return rc;
}

#else

int glpk_level(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs, double below_ns,
               uint8_t *space) {
  (void)problem, (void)level, (void)costs, (void)below_ns, (void)space;
  return -1;
}

#endif

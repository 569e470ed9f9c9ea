/* The integer linear program of paper 002, 5.2, by GLPK: column i is N_i, a column behind them M of each edge that is not 0.
 *
 * GLPK reports errors by a hook that must not return; it is left by longjmp, and the caller gets an error. */
#include "glpk_library.h"
#include "traffic.h"

#ifdef PLACE_HAS_GLPK
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

enum { ROWS_PER_EDGE = 3, MOST_EDGES = TRAFFIC_MAX_LOADS * (TRAFFIC_MAX_LOADS - 1) / 2, MOST_ENTRIES = MOST_EDGES * 7 };

struct program {
  const struct glpk *glpk;
  const struct traffic_graph *graph;
  double unit; /* keeps coefficients near 1 */
  int entries, row[1 + MOST_ENTRIES], column[1 + MOST_ENTRIES]; /* GLPK's numbering, from 1 */
  double value[1 + MOST_ENTRIES];
};

static void put(struct program *g, int row, int column, double value) {
  g->entries++;
  g->row[g->entries] = row;
  g->column[g->entries] = column;
  g->value[g->entries] = value;
}

/* M <= N_i, M <= N_k, M >= N_i + N_k - 1. */
static void set_edge(glp_prob *lp, struct program *g, unsigned i, unsigned k, int column, int row) {
  const unsigned ends[] = {i, k};
  g->glpk->set_col_kind(lp, column, GLP_BV);
  g->glpk->set_obj_coef(lp, column, g->graph->edge[i][k] / g->unit);
  for (int end = 0; end < 2; end++) {
    g->glpk->set_row_bnds(lp, row + end, GLP_UP, 0, 0);
    put(g, row + end, column, 1);
    put(g, row + end, 1 + (int)ends[end], -1);
    put(g, row + 2, 1 + (int)ends[end], -1);
  }
  g->glpk->set_row_bnds(lp, row + 2, GLP_LO, -1, 0);
  put(g, row + 2, column, 1);
}

static void state(glp_prob *lp, struct program *g) {
  const unsigned n = g->graph->loads;
  int column = 1 + (int)n, row = 1;
  g->glpk->set_obj_dir(lp, GLP_MAX);
  g->glpk->add_cols(lp, (int)n);
  for (unsigned i = 0; i < n; i++) {
    g->glpk->set_col_kind(lp, 1 + (int)i, GLP_BV);
    g->glpk->set_obj_coef(lp, 1 + (int)i, g->graph->node[i] / g->unit);
  }
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < i; k++) {
      if (g->graph->edge[i][k] == 0) continue;
      g->glpk->add_cols(lp, 1);
      g->glpk->add_rows(lp, ROWS_PER_EDGE);
      set_edge(lp, g, i, k, column++, row);
      row += ROWS_PER_EDGE;
    }
  if (g->entries) g->glpk->load_matrix(lp, g->entries, g->row, g->column, g->value);
}

static int solve(glp_prob *lp, struct program *g, bool *cached) {
  glp_iocp options;
  state(lp, g);
  g->glpk->init_iocp(&options);
  options.presolve = GLP_ON;
  options.msg_lev = GLP_MSG_OFF;
  if (g->glpk->intopt(lp, &options) || g->glpk->mip_status(lp) != GLP_OPT) return -1;
  for (unsigned i = 0; i < g->graph->loads; i++) cached[i] = g->glpk->mip_col_val(lp, 1 + (int)i) > 0.5;
  return 0;
}

static void leave(void *info) { longjmp(*(jmp_buf *)info, 1); }

static double largest(const struct traffic_graph *graph) {
  double most = 0;
  for (unsigned i = 0; i < graph->loads; i++) {
    most = fmax(most, fabs(graph->node[i]));
    for (unsigned k = 0; k < i; k++) most = fmax(most, fabs(graph->edge[i][k]));
  }
  return most > 0 ? most : 1;
}

int traffic_ilp(const struct traffic_graph *graph, bool *cached) {
  const struct glpk *library = glpk();
  struct program *g = library ? malloc(sizeof *g) : NULL;
  jmp_buf failed;
  volatile int rc = -1;
  if (!g) return -1;
  g->glpk = library;
  g->graph = graph;
  g->unit = largest(graph);
  g->entries = 0;
  int terminal = library->term_out(GLP_OFF);
  library->error_hook(leave, &failed);
  if (!setjmp(failed)) {
    glp_prob *lp = library->create_prob();
    rc = solve(lp, g, cached);
    library->delete_prob(lp);
  }
  library->error_hook(NULL, NULL);
  library->term_out(terminal);
  free(g);
  return rc;
}

#else

int traffic_ilp(const struct traffic_graph *graph, bool *cached) {
  (void)graph, (void)cached;
  return -1;
}

#endif

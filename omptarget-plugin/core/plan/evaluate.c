/* Models against measurements. */
#include "evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "score.h"
#include "session.h"

void evaluate_kernel(const struct place_case *c, char *out, size_t size) {
  const struct place_region *r = c->region;
  const char *slash = r->file ? strrchr(r->file, '/') : NULL, *file = slash ? slash + 1 : r->file;
  if (file && r->function && r->line) snprintf(out, size, "%s:%u %s", file, r->line, r->function);
  else snprintf(out, size, "%s", r->entry);
}

/* How much a plan says of its spaces: 0, it is not what would be launched. */
static int rank_of(const struct place_case *c, size_t plan) {
  static const uint8_t global[PLACE_MAX_PLACEABLE];
  const struct place_region *r = c->region;
  const struct place_case_plan *p = &c->plans[plan];
  bool all_global = !memcmp(p->space, global, sizeof global);
  if (p->version < 0) return all_global ? 1 : 0;
  if (r->versions[p->version].role == PLACE_ROLE_BASE) return 2;
  return place_version_find(r, p->space) == p->version && !(all_global && place_version_is_open(r, &r->versions[p->version])) ? 3 : 0;
}

void evaluate_keep_spaces(struct place_case *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->plan_count; i++) {
    bool better = rank_of(c, i) == 0;
    for (size_t k = 0; k < c->plan_count; k++) {
      bool same = k != i && !memcmp(c->plans[k].space, c->plans[i].space, sizeof c->plans[i].space);
      better |= same && k >= kept && (rank_of(c, k) > rank_of(c, i) || (rank_of(c, k) == rank_of(c, i) && k > i));
      better |= same && k < kept;
    }
    if (!better) c->plans[kept++] = c->plans[i];
  }
  c->plan_count = kept;
}

static struct session *open_case(const struct place_case *c, const struct place_machine *machine, enum place_model model,
                                 struct place_diag *diag) {
  struct place_question question = place_case_question(c, machine, model);
  return session_open(&question, diag);
}

/* A model's prediction of the case's plans with given coefficients, instead of those compiled in. */
static int predict_by(const struct place_case *c, const struct place_machine *machine, enum place_model model, const double *coefficients,
                      double *cost, struct place_diag *diag) {
  struct session *s = open_case(c, machine, model, diag);
  if (!s) return -1;
  for (size_t i = 0; i < c->plan_count; i++) {
    uint8_t space[SOLVE_MAX_ARRAYS] = {0};
    memcpy(space, c->plans[i].space, sizeof c->plans[i].space);
    cost[i] = s->model->cost_by(&s->in, space, coefficients);
  }
  session_close(s);
  return 0;
}

static int predict(const struct place_case *c, const struct place_machine *machine, enum place_model model,
                   const double *coefficients, double *cost, struct place_diag *diag) {
  struct place_question question = place_case_question(c, machine, model);
  uint8_t(*spaces)[PLACE_MAX_PLACEABLE] = malloc((c->plan_count + 1) * sizeof *spaces);
  int rc = spaces ? 0 : place_diag_set(diag, "out of memory");
  for (size_t i = 0; rc == 0 && i < c->plan_count; i++) memcpy(spaces[i], c->plans[i].space, sizeof *spaces);
  if (rc == 0 && model_of(model)->cost_by) rc = predict_by(c, machine, model, coefficients, cost, diag);
  else if (rc == 0)
    rc = place_plan_costs(&question, (const uint8_t(*)[PLACE_MAX_PLACEABLE])spaces, c->plan_count, cost, diag);
  free(spaces);
  return rc;
}

/* An impossible plan ranks last: it was measured, so the model is wrong about it. */
static void score(const struct place_case *c, enum place_model model, double *cost, double *measured,
                  struct evaluation *result) {
  double most = 0, error = 0, n = 0;
  for (size_t i = 0; i < c->plan_count; i++)
    if (isfinite(cost[i])) most = fmax(most, cost[i]);
  for (size_t i = 0; i < c->plan_count; i++) {
    measured[i] = c->plans[i].kernel_ns;
    if (isfinite(cost[i])) error += fabs(cost[i] / measured[i] - 1), n++;
    else cost[i] = 2 * most;
  }
  result->spearman[model] = score_spearman(cost, measured, c->plan_count);
  score_tie(measured, c->plan_count, EVALUATE_NOISE);
  result->spearman_tied[model] = score_spearman(cost, measured, c->plan_count);
  for (size_t i = 0; i < c->plan_count; i++) measured[i] = c->plans[i].kernel_ns;
  result->regret[model] = score_regret(cost, measured, c->plan_count);
  result->error[model] = n > 0 && *model_of(model)->unit ? error / n : NAN;
}

int evaluate_case(const struct place_case *c, const struct place_machine *machine, const double *coefficients,
                  struct evaluation *result, double *predicted, struct place_diag *diag) {
  double *cost = malloc((c->plan_count + 1) * sizeof *cost), *measured = malloc((c->plan_count + 1) * sizeof *measured);
  int rc = cost && measured ? 0 : place_diag_set(diag, "out of memory");
  *result = (struct evaluation){.plans = c->plan_count};
  for (unsigned m = 0; rc == 0 && m < PLACE_MODEL_COUNT; m++) {
    rc = predict(c, machine, (enum place_model)m, coefficients, cost, diag);
    if (rc) break;
    if (predicted) memcpy(predicted + m * c->plan_count, cost, c->plan_count * sizeof *cost);
    score(c, (enum place_model)m, cost, measured, result);
  }
  free(cost);
  free(measured);
  return rc;
}

/* ---- training ---- */

static int add_rows(const struct place_case *c, const struct place_machine *machine, struct evaluate_rows *rows, size_t *used,
                    struct place_diag *diag) {
  struct session *s = open_case(c, machine, PLACE_MODEL_HUANG, diag);
  if (!s) return -1;
  for (size_t i = 0; i < c->plan_count; i++) {
    uint8_t space[SOLVE_MAX_ARRAYS] = {0};
    memcpy(space, c->plans[i].space, sizeof c->plans[i].space);
    if (!huang_terms(&s->in, space, &rows->terms[*used])) continue;
    rows->row[*used] = (struct huang_row){&rows->terms[*used], c->plans[i].kernel_ns};
    ++*used;
  }
  session_close(s);
  return 0;
}

int evaluate_rows_new(const struct place_case *cases, size_t count, const struct place_machine *machine, struct evaluate_rows *rows,
                      struct place_diag *diag) {
  size_t plans = 0, used = 0;
  for (size_t i = 0; i < count; i++) plans += cases[i].plan_count;
  rows->terms = malloc((plans + 1) * sizeof *rows->terms);
  rows->row = malloc((plans + 1) * sizeof *rows->row);
  rows->first = calloc(count + 1, sizeof *rows->first);
  int rc = rows->terms && rows->row && rows->first ? 0 : place_diag_set(diag, "out of memory");
  for (size_t i = 0; rc == 0 && i < count; i++) {
    rc = add_rows(&cases[i], machine, rows, &used, diag);
    rows->first[i + 1] = used;
  }
  if (rc) evaluate_rows_free(rows);
  return rc;
}

void evaluate_rows_free(struct evaluate_rows *rows) {
  free(rows->terms);
  free(rows->row);
  free(rows->first);
  *rows = (struct evaluate_rows){.terms = NULL};
}

int evaluate_fit(const struct place_case *cases, size_t count, const struct evaluate_rows *rows, const char *held_out, double *coefficients,
                 struct place_diag *diag) {
  struct huang_row *row = malloc((rows->first[count] + 1) * sizeof *row);
  size_t used = 0;
  char kernel[512];
  if (!row) return place_diag_set(diag, "out of memory");
  for (size_t i = 0; i < count; i++) {
    evaluate_kernel(&cases[i], kernel, sizeof kernel);
    if (held_out && !strcmp(kernel, held_out)) continue;
    for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) row[used++] = rows->row[k];
  }
  huang_fit(row, used, coefficients);
  free(row);
  return 0;
}

/* What would be launched if nothing were measured, against what was measured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

int evaluate_rank(const struct place_case *c, const struct place_machine *machine, enum place_model model,
                  struct place_ranking *ranking, struct place_diag *diag) {
  enum { MOST = 64 };
  struct place_question question = place_case_question(c, machine, model);
  *ranking = (struct place_ranking){.capacity = MOST};
  ranking->plans = malloc(MOST * sizeof *ranking->plans);
  ranking->estimate = calloc(c->region->version_count + 1, sizeof *ranking->estimate);
  int rc = ranking->plans && ranking->estimate ? 0 : place_diag_set(diag, "out of memory");
  if (rc == 0 && place_plan_rank(&question, PLACE_SOLVER_AUTO, ranking, diag) < 0) rc = -1;
  if (rc) evaluate_ranking_free(ranking);
  return rc;
}

void evaluate_ranking_free(struct place_ranking *ranking) {
  free(ranking->plans);
  free(ranking->estimate);
  *ranking = (struct place_ranking){.plans = NULL};
}

/* The last measurement of a version with these spaces; NaN: there is none. */
static double measured_ns(const struct place_case *c, int version, const struct place_plan *plan) {
  double ns = NAN;
  for (size_t i = 0; i < c->plan_count; i++) {
    bool same = c->plans[i].version == version;
    for (unsigned p = 0; plan && p < c->region->placeable_count; p++) same &= c->plans[i].space[p] == plan->array[p].space;
    if (same) ns = c->plans[i].kernel_ns;
  }
  return ns;
}

void evaluate_choose(const struct place_case *c, const struct place_ranking *ranking, const struct choose_trust *trust,
                     struct evaluate_choice *choice) {
  *choice = (struct evaluate_choice){.best_ns = NAN, .original_ns = measured_ns(c, -1, NULL)};
  choice->any = choose_plan(c->region, ranking, NULL, trust, &choice->plan);
  choice->chosen_ns = choice->any ? measured_ns(c, choice->plan.version, &choice->plan) : choice->original_ns;
  for (size_t i = 0; i < c->plan_count; i++) choice->best_ns = fmin(choice->best_ns, c->plans[i].kernel_ns);
}

/* ---- training ---- */

static const double straight_grid[] = {1, 0.2, 0.1, 0.05, 0.02, 0.01}, special_grid[] = {0.3, 0.2, 0.15, 0.1, 0.05, 0.02, 0.01};
static const double agnostic_grid[] = {4, 3, 2, 1.5, 1}, block_grid[] = {0.7, 0.55, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01};
#define SIZE(grid) (sizeof(grid) / sizeof *(grid))
enum { COMBINATIONS = SIZE(straight_grid) * SIZE(special_grid) * SIZE(agnostic_grid) * SIZE(block_grid) };

static struct choose_trust combination(size_t n) {
  struct choose_trust t;
  t.straight = straight_grid[n % SIZE(straight_grid)], n /= SIZE(straight_grid);
  t.special = special_grid[n % SIZE(special_grid)], n /= SIZE(special_grid);
  t.agnostic = agnostic_grid[n % SIZE(agnostic_grid)], n /= SIZE(agnostic_grid);
  t.block = block_grid[n];
  return t;
}

double *evaluate_losses(const struct place_case *cases, const struct place_ranking *rankings, size_t count) {
  double *loss = malloc((COMBINATIONS * count + 1) * sizeof *loss);
  for (size_t n = 0; loss && n < COMBINATIONS; n++) {
    struct choose_trust trust = combination(n);
    for (size_t i = 0; i < count; i++) {
      struct evaluate_choice choice;
      evaluate_choose(&cases[i], &rankings[i], &trust, &choice);
      loss[n * count + i] = log(choice.chosen_ns / choice.best_ns);
    }
  }
  return loss;
}

struct choose_trust evaluate_train(const struct place_case *cases, const double *losses, size_t count, const char *held_out) {
  double sum[COMBINATIONS] = {0}, known[COMBINATIONS] = {0}, least = INFINITY;
  size_t best = 0;
  char kernel[512];
  for (size_t i = 0; i < count; i++) {
    evaluate_kernel(&cases[i], kernel, sizeof kernel);
    if (held_out && !strcmp(kernel, held_out)) continue;
    for (size_t n = 0; n < COMBINATIONS; n++)
      if (isfinite(losses[n * count + i])) sum[n] += losses[n * count + i], known[n]++;
  }
  for (size_t n = 0; n < COMBINATIONS; n++)
    if (known[n] > 0 && sum[n] / known[n] < least - 1e-9) least = sum[n] / known[n], best = n;
  return combination(best);
}

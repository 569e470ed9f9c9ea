/* Models against measured cases (include/place/case.h). Internal.
 *
 * Cases of one kernel (same region entry) belong together: for model `huang`, whose overlap is a regression, each kernel's
 * cases are predicted with coefficients trained on the cases of all other kernels. */
#ifndef PLACE_CORE_EVALUATE_H
#define PLACE_CORE_EVALUATE_H

#include "place/case.h"
#include "place/text.h"

#include "choose.h"
#include "huang.h"

/* Measured times that differ by no more than this are alike: medians of repeated runs differ by so much. */
#define EVALUATE_NOISE 0.02

struct evaluation { /* of one case; NaN where fewer than two of its plans can be ranked */
  size_t plans;                          /* with a prediction by every model */
  double spearman[PLACE_MODEL_COUNT];
  double spearman_tied[PLACE_MODEL_COUNT]; /* with times that are alike taken as ties (score_tie, EVALUATE_NOISE) */
  double regret[PLACE_MODEL_COUNT];
  double error[PLACE_MODEL_COUNT];       /* mean of |predicted / measured - 1|; NaN for a model without a unit */
};

/* The name that groups cases: the region's file (without folders), line and function, or its entry if they are not known. */
void evaluate_kernel(const struct place_case *c, char *out, size_t size);

/* Leaves one plan for each choice of spaces, realised as the runtime would: by the special version that has them, or else by
 * the agnostic one; with everything in global memory by the straight version, from which the special ones differ in spaces
 * alone, or else by the base or the original kernel. Of a plan that was measured more than once, the last counts. */
void evaluate_keep_spaces(struct place_case *c);

/* One case by all models; `coefficients`: of huang. predicted: [PLACE_MODEL_COUNT][plan_count] for the caller, or NULL. */
int evaluate_case(const struct place_case *c, const struct place_machine *machine, const double *coefficients,
                  struct evaluation *result, double *predicted, struct place_diag *diag);

/* What huang is trained on: its terms of each plan of the cases, with the measured time. evaluate_rows_free releases it; after an error
 * there is nothing to release. */
struct evaluate_rows {
  struct huang_terms *terms;
  struct huang_row *row;
  size_t *first; /* [count + 1]: of each case */
};
int evaluate_rows_new(const struct place_case *cases, size_t count, const struct place_machine *machine, struct evaluate_rows *rows,
                      struct place_diag *diag);
void evaluate_rows_free(struct evaluate_rows *rows);

/* Trains huang on all cases but those of the named kernel (NULL: on all). Returns 0, or -1 and a diagnostic. */
int evaluate_fit(const struct place_case *cases, size_t count, const struct evaluate_rows *rows, const char *held_out, double *coefficients,
                 struct place_diag *diag);

/* A row for each array that can be placed, as comma-separated values with a head (evaluate_features_head) before the first: the
 * case's name, its source file, the array's name, number in the table and candidates' letters, the features (array_features.h). Returns 0, or
 * -1 and a diagnostic. */
void evaluate_features_head(struct place_text *text);
int evaluate_features(const struct place_case *c, const char *name, const struct place_machine *machine, struct place_text *text,
                      struct place_diag *diag);

/* ---- choosing unmeasured (choose.h) ---- */

/* A case by a model. evaluate_ranking_free releases the ranking; after an error there is nothing to release. */
int evaluate_rank(const struct place_case *c, const struct place_machine *machine, enum place_model model,
                  struct place_ranking *ranking, struct place_diag *diag);
void evaluate_ranking_free(struct place_ranking *ranking);

struct evaluate_choice { /* nanoseconds, measured; NaN: it was not */
  double chosen_ns, best_ns, original_ns;
  bool any;               /* else the original was chosen */
  struct place_plan plan; /* what was, if any */
};

void evaluate_choose(const struct place_case *c, const struct place_ranking *ranking, const struct choose_trust *trust,
                     struct evaluate_choice *choice);

/* What a model's estimates must promise, chosen from a grid for the least geometric mean of chosen over best on all cases but
 * those of the named kernel (NULL: on all); of equals, the most cautious. evaluate_losses: of every point of the grid on every
 * case; free(), NULL when out of memory. */
double *evaluate_losses(const struct place_case *cases, const struct place_ranking *rankings, size_t count);
struct choose_trust evaluate_train(const struct place_case *cases, const double *losses, size_t count, const char *held_out);

#endif

/* Models against measured cases (include/place/case.h). Internal.
 *
 * Cases of one kernel (same region entry) belong together: for model `huang`, whose overlap is a regression, each kernel's
 * cases are predicted with coefficients trained on the cases of all other kernels. */
#ifndef PLACE_CORE_EVALUATE_H
#define PLACE_CORE_EVALUATE_H

#include "place/case.h"

#include "huang.h"

struct evaluation { /* of one case; NaN where fewer than two of its plans can be ranked */
  size_t plans;                          /* with a prediction by every model */
  double spearman[PLACE_MODEL_COUNT];
  double regret[PLACE_MODEL_COUNT];
  double error[PLACE_MODEL_COUNT];       /* mean of |predicted / measured - 1|; NaN for a model without a unit */
};

/* The name that groups cases: the region's file (without folders), line and function, or its entry if they are not known. */
void evaluate_kernel(const struct place_case *c, char *out, size_t size);

/* One case by all models; `coefficients`: of huang. predicted: [PLACE_MODEL_COUNT][plan_count] for the caller, or NULL. */
int evaluate_case(const struct place_case *c, const struct place_machine *machine, const double *coefficients,
                  struct evaluation *result, double *predicted, struct place_diag *diag);

/* Trains huang on all cases but those of the named kernel (NULL: on all). Returns 0, or -1 and a diagnostic. */
int evaluate_fit(const struct place_case *cases, size_t count, const char *held_out, const struct place_machine *machine,
                 double *coefficients, struct place_diag *diag);

#endif

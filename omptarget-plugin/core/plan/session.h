/* One launch, analysed for one model: what ranking, explaining and comparing plans share. Internal. */
#ifndef PLACE_CORE_SESSION_H
#define PLACE_CORE_SESSION_H

#include "place/plan.h"

#include "model.h"

struct session {
  struct model_input in;
  const struct model *model;
  struct candidate *candidates;
  struct walk walk;
  struct traits traits;
  struct solve_problem problem; /* the model's, or only the limits if it is no sum */
  double scale; /* of the costs that a ranking tells; 1 but for models whose costs are relative */
  void *prepared;               /* the model's, or NULL */
  struct solve_problem *hopeful; /* the same with what is not known taken in the plans' favour, or NULL: no difference */
};

/* NULL and a diagnostic on an error. What the question points to outlives the session, itself it need not. */
struct session *session_open(const struct place_question *question, struct place_diag *diag);
void session_close(struct session *s);

/* Cost of a plan by the model, INFINITY if it is impossible; what it is made of, unless `breakdown` is NULL. */
double session_cost(const struct session *s, const uint8_t *space, struct breakdown *breakdown);

/* Sets the scale: one more model's view of one plan, which deciding does not need. 0, or -1 and a diagnostic. */
int session_scale(struct session *s, struct place_diag *diag);

/* The least that the plan may cost as far as the model knows: at most session_cost. */
double session_least(const struct session *s, const uint8_t *space, double cost);

/* The best plan that the solver finds. A model that is no sum is searched by its costs: all plans where they are at most
 * SESSION_FEW_PLANS, else single arrays are moved from everything in global memory on, as long as that helps. */
enum { SESSION_FEW_PLANS = 64 };
int session_solve(const struct session *s, enum place_solver solver, struct solve_result *result, struct place_diag *diag);

/* Why the result is not known to be the best, or NULL: it is, or nobody asked for it. */
const char *session_unproven(const struct solve_result *result, enum place_solver solver);

/* The version that realises the spaces, those made for them first. -1: the original does; -2: none. */
int session_version(const struct place_region *region, const uint8_t *space);

#endif

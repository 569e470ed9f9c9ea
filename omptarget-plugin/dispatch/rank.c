#include "rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "class.h"
#include "evidence.h"
#include "needs.h"
#include "place/launch_reason.h"
#include "versions.h"

/* A GPU begins teams one after the other: 1.1 ns each on an H200, and half of that is taken to be beyond any. A version whose teams alone
 * take so much longer to begin than a launch of the original did is not worth a trial. */
static void drop_crowded(const struct flight *f, bool *usable) {
  const double least_ns_of_team = 0.5, much_ns = 100e3;
  const struct place_region *r = f->region->region;
  for (int v = 0; v < (int)r->version_count; v++) {
    bool many = r->versions[v].rows || r->versions[v].each;
    double begin_ns = many ? needs_teams(f->region, v, &f->decision->view.launch) * least_ns_of_team : 0;
    if (f->in_class->original_ns > 0 && begin_ns > f->in_class->original_ns + much_ns) usable[v] = false;
  }
}

void rank_plans(struct flight *f, uint32_t *words) {
  struct runtime *rt = f->rt;
  const struct place_question question = {f->region->table, f->region->region, &f->decision->view.launch, {words}, rt->machine,
                                          rt->config.model, rt->config.forest};
  struct place_diag diag = {""};
  struct place_plan plans[64];
  struct rt_class *c = f->in_class;
  size_t versions = f->region->region->version_count;
  struct place_estimate *estimate = calloc(versions + 1, sizeof *estimate);
  bool *usable = calloc(versions + 1, sizeof *usable);
  if (!c->summary) c->summary = calloc(f->region->region->array_count + 1, sizeof *c->summary);
  struct place_ranking ranking = {.plans = plans, .capacity = 64, .summary = c->summary, .estimate = estimate};
  uint64_t from = rt->ops.now_ns(), worked = rt->ops.worked_ns();
  if (usable) {
    needs_usable(f->region, &f->decision->view, usable);
    drop_crowded(f, usable);
  }
  int count = !rt->machine           ? place_diag_set(&diag, WHY_NO_MACHINE_MODEL)
              : !estimate || !usable ? place_diag_set(&diag, WHY_OUT_OF_MEMORY)
                                     : place_plan_rank(&question, rt->config.solver, &ranking, &diag);
  pthread_mutex_lock(&f->device->lock);
  c->solve_ns = (double)(rt->ops.worked_ns() - worked);
  f->preempted_ns += fmax(0, (double)(rt->ops.now_ns() - from) - c->solve_ns);
  f->state->fruitless++;
  if (ranking.remark && !*c->note) snprintf(c->note, sizeof c->note, "%s", ranking.remark);
  if (count < 0) class_keep_original(c, WHY_NOTHING_PREDICTED, diag.text);
  else class_consider(c, f->region, &ranking, versions_base(f->region), usable, &rt->config);
  if (c->phase == CLASS_TRIAL) tune_set_strangers(&c->tune, evidence_strangers(f->state, c));
  pthread_mutex_unlock(&f->device->lock);
  free(estimate);
  free(usable);
}

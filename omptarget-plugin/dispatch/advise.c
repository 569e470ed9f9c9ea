#include "advise.h"

#include <stdlib.h>
#include <string.h>

#include "place/launch_reason.h"
#include "regret.h"

static bool is_wanted(const struct flight *f) {
  return f->rt->config.report && f->rt->machine && f->in_class && !f->in_class->advised;
}

/* How many there are, in *found; 0 also where a prediction fails, which the ranking says. */
static int find(const struct flight *f, const uint32_t *words, struct place_advice *found) {
  const struct place_region *r = f->region->region;
  const struct view *view = &f->decision->view;
  const struct place_question question = {f->region->table, r, &view->launch, {words}, f->rt->machine, f->rt->config.model,
                                          f->rt->config.forest};
  bool *overlaps = calloc(r->array_count + 1, sizeof *overlaps);
  int count = 0;
  for (size_t a = 0; overlaps && a < r->array_count; a++)
    overlaps[a] = view->array[a].why_global && !strcmp(view->array[a].why_global, WHY_OVERLAPS);
  if (overlaps && place_advice_is_due(f->region->table, r, overlaps))
    count = place_advise(&question, overlaps, f->rt->config.threshold, found, NULL);
  free(overlaps);
  return count < 0 ? 0 : count;
}

static void keep(struct rt_class *c, const struct place_advice *found, int count) {
  c->advised = true;
  c->advice = count ? malloc((size_t)count * sizeof *c->advice) : NULL;
  c->advice_count = c->advice ? (unsigned)count : 0;
  if (c->advice) memcpy(c->advice, found, (size_t)count * sizeof *found);
}

void advise_looked(struct flight *f, const uint32_t *words) {
  struct place_advice found[PLACE_MAX_ADVICE];
  if (!is_wanted(f)) return;
  int count = find(f, words, found);
  pthread_mutex_lock(&f->device->lock);
  keep(f->in_class, found, count);
  pthread_mutex_unlock(&f->device->lock);
}

void advise_unlooked(struct flight *f) {
  struct place_advice found[PLACE_MAX_ADVICE];
  struct rt_class *c = f->in_class;
  if (!is_wanted(f)) return;
  bool unlooked = c->phase == CLASS_SETTLED && !c->plan && f->step == STEP_ORIGINAL && !f->state->force.any;
  bool ran = f->state && f->state->launches >= 2 && f->state->budget.ran_ns >= regret_patience(f);
  if (!unlooked || !ran || !regret_covers_look(f)) return;
  uint64_t from = f->rt->ops.worked_ns();
  keep(c, found, find(f, NULL, found));
  regret_charge(f, (double)(f->rt->ops.worked_ns() - from));
}

/* Choosing without measuring. */
#include "choose.h"

#include <math.h>

/* What estimates of model `place` must promise, from 74 measured regions (docs/models.md; place-models --choose repeats the
 * choice with one kernel held out at a time). Copies that promise less than a tenth cost more than the model sees in short
 * launches. An agnostic version takes 1.65 to 5 times a special one, of which the ranking has the least. */
static const struct choose_trust of_place = {.straight = 0.01, .special = 0.1, .agnostic = 2, .block = 0.2};

struct choose_trust choose_trust_of(enum place_model model, double threshold) {
  struct choose_trust t = of_place;
  if (model != PLACE_MODEL_PLACE) t.special = 0, t.agnostic = 1; /* the papers' models know no versions */
  t.straight = fmax(t.straight, threshold);
  t.special = fmax(t.special, threshold);
  t.block = fmax(t.block, threshold);
  return t;
}

struct choice {
  const struct place_plan *base;
  double straight;  /* the straight version's estimate over the original's, 1: not known */
  double least;     /* estimate of what is chosen, over the original's */
  struct place_plan *chosen;
  bool any;
};

static bool is_global(const struct place_plan *plan) {
  for (unsigned i = 0; i < plan->placeable_count; i++)
    if (plan->array[i].space != PLACE_GLOBAL) return false;
  return true;
}

static void take(struct choice *c, const struct place_plan *plan, int version, double cost_ns, double estimate) {
  *c->chosen = *plan;
  c->chosen->version = version;
  c->chosen->cost_ns = c->chosen->least_ns = cost_ns;
  c->least = estimate;
  c->any = true;
}

static void consider_plans(struct choice *c, const struct place_region *region, const struct place_plan *plans, int count,
                           enum place_version_kind kind, const struct choose_trust *trust) {
  double least = c->least * (1 - trust->special);
  for (int i = 0; i < count; i++) {
    if (plans[i].version < 0 || is_global(&plans[i]) || region->versions[plans[i].version].kind != kind) continue;
    double estimate = plans[i].cost_ns / c->base->cost_ns * (kind == PLACE_AGNOSTIC ? trust->agnostic : c->straight);
    if (estimate <= least && estimate < c->least) take(c, &plans[i], plans[i].version, plans[i].cost_ns, estimate);
  }
}

static void consider_blocks(struct choice *c, const struct place_region *region, const double *version_ns, const bool *usable,
                            const struct choose_trust *trust) {
  double least = c->least * (1 - trust->block);
  for (size_t v = 0; v < region->version_count; v++) {
    const struct place_version *version = &region->versions[v];
    double estimate = version_ns[v] / c->base->cost_ns * c->straight;
    bool better = estimate > 0 && estimate <= least && estimate < c->least;
    if (version->kind != PLACE_BLOCK || (usable && !usable[v]) || !better) continue;
    take(c, c->base, (int)v, version_ns[v], estimate);
    for (size_t a = 0; a < region->array_count; a++)
      if (region->arrays[a].placeable >= 0)
        c->chosen->array[region->arrays[a].placeable].space = (enum place_space)version->space[a];
  }
}

bool choose_plan(const struct place_region *region, const struct place_plan *plans, int count, const double *version_ns,
                 const bool *usable, const struct choose_trust *trust, struct place_plan *chosen) {
  struct choice c = {.straight = 1, .least = 1, .chosen = chosen};
  int straight = place_plan_straight(region);
  for (int i = 0; i < count; i++)
    if (is_global(&plans[i])) c.base = &plans[i];
  if (!c.base || !(c.base->cost_ns > 0)) return false;
  if (version_ns && straight >= 0 && version_ns[straight] > 0) c.straight = version_ns[straight] / c.base->cost_ns;
  if (straight >= 0 && (!usable || usable[straight]) && c.straight <= 1 - trust->straight)
    take(&c, c.base, straight, c.base->cost_ns, c.straight);
  consider_plans(&c, region, plans, count, PLACE_SPECIAL, trust);
  consider_plans(&c, region, plans, count, PLACE_AGNOSTIC, trust);
  if (version_ns) consider_blocks(&c, region, version_ns, usable, trust);
  return c.any;
}

bool place_plan_choose(const struct place_region *region, const struct place_plan *plans, int count, const double *version_ns,
                       const bool *usable, enum place_model model, double threshold, struct place_plan *chosen) {
  struct choose_trust trust = choose_trust_of(model, threshold);
  return choose_plan(region, plans, count, version_ns, usable, &trust, chosen);
}

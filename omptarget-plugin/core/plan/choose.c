/* Choosing without measuring. */
#include "choose.h"

#include <math.h>

#include "model.h"

/* What estimates of model `place` must promise, from 74 measured regions (docs/models.md; place-models --choose repeats the
 * choice with one kernel held out at a time). Copies that promise less than a tenth cost more than the model sees in short
 * launches. An agnostic version takes 1.65 to 5 times a special one, of which the ranking has the least. */
static const struct choose_trust of_place = {.straight = 0.01, .special = 0.1, .agnostic = 2, .block = 0.2};

struct choose_trust choose_trust_of(enum place_model model, double threshold) {
  struct choose_trust t = of_place;
  if (!model_of(model)->has_trust) t.special = 0, t.agnostic = 1; /* the papers' models know no versions */
  t.straight = fmax(t.straight, threshold);
  t.special = fmax(t.special, threshold);
  t.block = fmax(t.block, threshold);
  return t;
}

struct choice {
  const struct place_region *region;
  const struct place_estimate *estimate; /* of versions, or NULL */
  const bool *usable;
  const struct place_plan *base;
  double straight;  /* estimate of the plain version over the original's, 1: not known */
  double least;     /* estimate of what is chosen, over the original's */
  struct place_plan *chosen;
  bool any;
};

static bool is_usable(const struct choice *c, size_t version) { return !c->usable || c->usable[version]; }

/* Over the original's; 0: not known. */
static double estimate_of(const struct choice *c, size_t version) {
  bool known = c->estimate && c->estimate[version].state == PLACE_ESTIMATE_KNOWN;
  return known ? c->estimate[version].ns / c->base->cost_ns : 0;
}

static void take(struct choice *c, const struct place_plan *plan, int version, double cost_ns, double estimate) {
  *c->chosen = *plan;
  c->chosen->version = version;
  c->chosen->cost_ns = c->chosen->least_ns = cost_ns;
  c->least = estimate;
  c->any = true;
}

/* The first plain version with an estimate: the control flow that all others share but the original and the open one. */
static void consider_plain(struct choice *c, const struct choose_trust *trust) {
  for (size_t v = 0; v < c->region->version_count; v++) {
    double estimate = estimate_of(c, v);
    if (!place_version_is_plain(c->region, &c->region->versions[v]) || !(estimate > 0)) continue;
    c->straight = estimate;
    if (is_usable(c, v) && estimate <= 1 - trust->straight) take(c, c->base, (int)v, c->base->cost_ns, estimate);
    return;
  }
}

/* Routes, where the model tells them from the version that they are added to. */
static void consider_routes(struct choice *c, const struct choose_trust *trust) {
  for (size_t v = 0; v < c->region->version_count; v++) {
    size_t host = place_version_host(c->region, v);
    double known = estimate_of(c, host), before = known > 0 ? known : c->straight;
    double estimate = estimate_of(c, v) * (known > 0 ? 1 : c->straight);
    bool better = host != v && estimate > 0 && estimate <= c->least * (1 - trust->special) && estimate < before;
    if (better && is_usable(c, v)) take(c, c->base, (int)v, c->estimate[v].ns, estimate);
  }
}

static void consider_plans(struct choice *c, const struct place_plan *plans, int count, bool open,
                           const struct choose_trust *trust) {
  double least = c->least * (1 - trust->special);
  for (int i = 0; i < count; i++) {
    int v = plans[i].version;
    if (v < 0 || !is_usable(c, (size_t)v) || place_plan_moves_nothing(&plans[i])) continue;
    if (place_version_is_open(c->region, &c->region->versions[v]) != open) continue;
    double estimate = plans[i].cost_ns / c->base->cost_ns * (open ? trust->agnostic : c->straight);
    if (estimate <= least && estimate < c->least) take(c, &plans[i], v, plans[i].cost_ns, estimate);
  }
}

static void consider_blocks(struct choice *c, const struct choose_trust *trust) {
  double least = c->least * (1 - trust->block);
  for (size_t v = 0; v < c->region->version_count; v++) {
    const struct place_version *version = &c->region->versions[v];
    double estimate = estimate_of(c, v) * c->straight;
    bool better = estimate > 0 && estimate <= least && estimate < c->least;
    uint8_t space[PLACE_MAX_PLACEABLE] = {0};
    if (!version->block.dims || !is_usable(c, v) || !better) continue;
    take(c, c->base, (int)v, c->estimate[v].ns, estimate);
    place_version_spaces(c->region, version, space);
    for (unsigned p = 0; p < c->region->placeable_count; p++) c->chosen->array[p].space = (enum place_space)space[p];
  }
}

bool choose_plan(const struct place_region *region, const struct place_ranking *ranking, const bool *usable,
                 const struct choose_trust *trust, struct place_plan *chosen) {
  const struct place_plan *plans = ranking->plans;
  int count = ranking->count;
  struct choice c = {.region = region, .estimate = ranking->estimate, .usable = usable, .straight = 1, .least = 1, .chosen = chosen};
  for (int i = 0; i < count; i++)
    if (place_plan_moves_nothing(&plans[i])) c.base = &plans[i];
  if (!c.base || !(c.base->cost_ns > 0)) return false;
  consider_plain(&c, trust);
  consider_routes(&c, trust);
  consider_plans(&c, plans, count, false, trust);
  consider_plans(&c, plans, count, true, trust);
  consider_blocks(&c, trust);
  return c.any;
}

bool place_plan_choose(const struct place_region *region, const struct place_ranking *ranking, const bool *usable,
                       enum place_model model, double threshold, struct place_plan *chosen) {
  struct choose_trust trust = choose_trust_of(model, threshold);
  return choose_plan(region, ranking, usable, &trust, chosen);
}

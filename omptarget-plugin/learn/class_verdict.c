/* A class's verdict, and a class that takes up where an earlier one ended. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

/* ---- telling ---- */

static const char *entry_of(const struct rt_region *region, int version) {
  bool known = version >= 0 && (size_t)version < region->region->version_count;
  return known ? region->region->versions[version].entry : region->region->entry;
}

static double median_of(const struct rt_class *c, int plan) {
  return tune_median(c->tune.arm[plan].kernel_ns, c->tune.arm[plan].count);
}

static void tell_plan(const struct rt_class *c, const struct rt_region *region, int plan, struct verdict *v) {
  v->version = strdup(entry_of(region, c->plan[plan].version));
  v->base = strdup(entry_of(region, c->plan[0].version));
  for (unsigned p = 0; p < c->plan[plan].placeable_count; p++) v->spaces[p] = place_space_letter(c->plan[plan].array[p].space);
  v->base_ns = median_of(c, 0);
  v->version_ns = median_of(c, plan);
  v->noise = tune_noise(&c->tune);
  v->period_launches = c->tune.unlike ? 0 : c->tune.period_launches;
}

bool class_tell(const struct rt_class *c, const struct rt_region *region, struct verdict *v) {
  int plan = c->chosen > 0 ? c->chosen : c->tune.best;
  *v = (struct verdict){.keeps_original = c->chosen <= 0};
  if (c->phase != CLASS_SETTLED || c->trusted || c->tune.disturbed) return false;
  bool measured = c->tune.done && c->plan && plan > 0 && c->tune.arm[plan].count && c->tune.arm[0].count;
  if (measured) tell_plan(c, region, plan, v);
  if (v->keeps_original) v->reason = strdup(c->reason);
  bool told = v->keeps_original ? v->reason != NULL : v->version && v->base;
  if (!told) verdict_free(v);
  return told;
}

/* ---- taking up ---- */

static int find_entry(const struct rt_region *region, const char *entry, const bool *usable) {
  for (size_t i = 0; entry && i < region->region->version_count; i++)
    if (!strcmp(region->region->versions[i].entry, entry)) return !usable || usable[i] ? (int)i : -1;
  return -1;
}

/* The plan's spaces, if the version can have them. */
static bool set_spaces(const struct rt_region *region, int version, const struct verdict *v, struct place_plan *plan) {
  const struct place_region *r = region->region;
  uint8_t space[PLACE_MAX_PLACEABLE] = {0};
  plan->version = version;
  plan->placeable_count = r->placeable_count;
  if (strlen(v->spaces) != r->placeable_count) return false;
  for (unsigned p = 0; p < r->placeable_count; p++) {
    int s = place_space_of_letter(v->spaces[p]);
    if (s < 0) return false;
    space[p] = (uint8_t)s;
    plan->array[p].space = (enum place_space)s;
  }
  return place_version_has_spaces(r, &r->versions[version], space);
}

bool class_take_up(struct rt_class *c, const struct rt_region *region, const struct verdict *v, const bool *usable) {
  if (c->phase != CLASS_NEW) return false;
  if (!v->version) {
    if (v->keeps_original) class_keep_original(c, "%s", v->reason);
    return v->keeps_original;
  }
  int version = find_entry(region, v->version, usable), base = find_entry(region, v->base, usable);
  struct place_plan plan = {.version = version};
  if (version < 0 || base < 0 || !set_spaces(region, version, v, &plan) || !class_make_room(c)) return false;
  c->plan[0] = (struct place_plan){.version = base, .placeable_count = plan.placeable_count};
  c->plan[1] = plan;
  c->plan_count = 2;
  tune_take_up(&c->tune, v->base_ns, v->version_ns, v->period_launches, !v->keeps_original);
  if (v->keeps_original) {
    class_keep_original(c, "%s", v->reason);
    return true;
  }
  c->phase = CLASS_SETTLED;
  c->chosen = 1;
  c->gain_ns = v->base_ns - v->version_ns;
  c->generation++;
  watch_start(&c->watch, &(struct watch_trial){.period_launches = v->period_launches, .noise = v->noise, .base_ns = v->base_ns,
                                               .gain_ns = v->base_ns - v->version_ns, .measure_ns = BUDGET_MEASURE_NS});
  return true;
}

/* A model's view of a plan, as text. */
#include <math.h>
#include <string.h>

#include "session.h"

static void put_plan(const struct session *s, const enum place_space *spaces, struct terms *t) {
  const struct place_region *region = s->in.region;
  terms_text(t, "model %s, plan", s->model->name);
  for (size_t i = 0; i < region->array_count; i++)
    if (region->arrays[i].placeable >= 0)
      terms_text(t, " %s=%s", region->arrays[i].name, place_space_name(spaces[region->arrays[i].placeable]));
  terms_text(t, "\n");
}

static void put_array(const struct session *s, size_t i, struct terms *t) {
  const struct array_traits *a = &s->traits.array[i];
  terms_text(t, "array %s %s accesses=%.6g reuse: first=%llu", s->in.region->arrays[i].name, a->pattern, a->accesses_per_warp,
             (unsigned long long)a->reuse.first);
  for (unsigned b = 0; b < REUSE_BUCKETS; b++)
    if (a->reuse.bucket[b])
      terms_text(t, " distance<=%llu:%llu", b ? (unsigned long long)((UINT64_C(1) << b) - 1) : 0,
                 (unsigned long long)a->reuse.bucket[b]);
  terms_text(t, "\n");
}

static void put_access(const struct session *s, size_t i, enum place_space space, struct terms *t) {
  const struct place_access *access = &s->in.region->accesses[i];
  const struct access_traits *a = &s->traits.access[i];
  const struct walk_access *w = &s->walk.access[i];
  unsigned level = traits_count_level(s->in.machine, space);
  terms_text(t, "count %s %s %u accesses=%.6g transactions=%.6g bound=%.3g %s\n", place_space_name(space),
             s->in.region->arrays[access->array].name, access->line, a->executions,
             a->executions * a->transactions[space][level], a->bound[space],
             w->assumed ? "guessed" : w->logged ? "logged" : "known");
}

size_t place_plan_explain(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
                          const struct place_profile *profile, const struct place_machine *machine, enum place_model model,
                          const enum place_space *spaces, char *out, size_t size, struct place_diag *diag) {
  struct session *s = session_open(table, region, launch, profile, machine, model, diag);
  struct terms t = {out, size, 0};
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  if (!s) return 0;
  for (unsigned a = 0; a < region->placeable_count; a++) space[a] = (uint8_t)spaces[a];
  put_plan(s, spaces, &t);
  for (size_t i = 0; i < region->array_count; i++) put_array(s, i, &t);
  for (size_t i = 0; i < region->access_count; i++)
    for (unsigned k = 0; k < PLACE_SPACE_COUNT; k++)
      if (s->candidates[region->accesses[i].array].spaces >> k & 1) put_access(s, i, (enum place_space)k, &t);
  if (!isfinite(session_cost(s, space, &t))) terms_text(&t, "  T = inf (the plan is impossible)\n");
  session_close(s);
  return t.length;
}

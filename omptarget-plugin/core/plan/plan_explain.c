/* A model's view of a plan, as text. */
#include <math.h>
#include <string.h>

#include "session.h"

static void put_plan(const struct session *s, const enum place_space *spaces, struct place_text *t) {
  const struct place_region *region = s->in.region;
  place_text_add(t, "model %s, plan", s->model->name);
  for (size_t i = 0; i < region->array_count; i++)
    if (region->arrays[i].placeable >= 0)
      place_text_add(t, " %s=%s", region->arrays[i].name, place_space_name(spaces[region->arrays[i].placeable]));
  place_text_add(t, "\n");
}

static void put_array(const struct session *s, size_t i, struct place_text *t) {
  const struct array_traits *a = &s->traits.array[i];
  place_text_add(t, "array %s %s accesses=%.6g reuse: first=%llu", s->in.region->arrays[i].name, a->pattern, a->accesses_per_warp,
             (unsigned long long)a->reuse.first);
  for (unsigned b = 0; b < REUSE_BUCKETS; b++)
    if (a->reuse.bucket[b])
      place_text_add(t, " distance<=%llu:%llu", b ? (unsigned long long)((UINT64_C(1) << b) - 1) : 0,
                 (unsigned long long)a->reuse.bucket[b]);
  place_text_add(t, "\n");
}

static void put_access(const struct session *s, size_t i, enum place_space space, struct place_text *t) {
  const struct place_access *access = &s->in.region->accesses[i];
  const struct access_traits *a = &s->traits.access[i];
  const struct walk_access *w = &s->walk.access[i];
  unsigned level = traits_count_level(s->in.machine, space);
  place_text_add(t, "count %s %s %u accesses=%.6g transactions=%.6g bound=%.3g %s\n", place_space_name(space),
             s->in.region->arrays[access->array].name, access->line, a->executions,
             a->executions * a->transactions[space][level], a->bound[space],
             w->assumed ? "guessed" : w->logged ? "logged" : "known");
}

size_t place_plan_explain(const struct place_question *question, const enum place_space *spaces, char *out, size_t size,
                          struct place_diag *diag) {
  const struct place_region *region = question->region;
  struct session *s = session_open(question, diag);
  struct place_text t = {out, size, 0};
  struct breakdown breakdown = {NULL, 0, 0, false};
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  if (!s) return 0;
  for (unsigned a = 0; a < region->placeable_count; a++) space[a] = (uint8_t)spaces[a];
  put_plan(s, spaces, &t);
  for (size_t i = 0; i < region->array_count; i++) put_array(s, i, &t);
  for (size_t i = 0; i < region->access_count; i++)
    for (unsigned k = 0; k < PLACE_SPACE_COUNT; k++)
      if (s->candidates[region->accesses[i].array].spaces >> k & 1) put_access(s, i, (enum place_space)k, &t);
  double cost = session_cost(s, space, &breakdown);
  if (isfinite(cost)) breakdown_print(&breakdown, &t);
  else place_text_add(&t, "  T = inf (the plan is impossible)\n");
  if (breakdown.short_of_memory) t.length = 0, place_diag_set(diag, "out of memory");
  breakdown_free(&breakdown);
  session_close(s);
  return t.length;
}

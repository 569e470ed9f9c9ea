/* A given plan for a launch: its windows, version and teams. On the path of launches whose sizes change, so it predicts
 * nothing: no warp is walked. */
#include <stdlib.h>
#include <string.h>

#include "occupancy.h"
#include "place/text.h"
#include "session.h"

static int set_array(const struct place_region *region, size_t i, enum place_space wanted, const struct candidate *c,
                     struct place_plan *plan, uint64_t *constant, struct place_diag *diag) {
  struct place_plan_array *array = &plan->array[region->arrays[i].placeable];
  if ((unsigned)wanted >= PLACE_SPACE_COUNT)
    return place_diag_set(diag, "array %s: there is no space %d", region->arrays[i].name, (int)wanted);
  if (!((c->spaces | c->unrated) & PLACE_SPACE_BIT(wanted)))
    return place_diag_set(diag, "%s cannot be in %s memory: %s", region->arrays[i].name, place_space_name(wanted), c->excluded[wanted]);
  array->space = wanted;
  if (!place_space_is_copy(wanted)) return 0;
  array->window_lo = c->window.lo;
  array->window_bytes = c->window.bytes;
  if (place_space_home(wanted) == PLACE_HOME_SHARED) plan->shared_bytes += (uint32_t)candidates_shared_slot(array->window_bytes);
  else *constant += candidates_constant_slot(array->window_bytes);
  return 0;
}

/* Names what was asked for, with sizes. */
static int no_version(const struct place_question *q, const enum place_space *spaces, struct place_diag *diag) {
  char list[160], size[PLACE_BYTES_TEXT];
  struct place_text t = {list, sizeof list, 0};
  *list = 0;
  for (size_t i = 0; i < q->region->array_count; i++) {
    const struct place_array *a = &q->region->arrays[i];
    if (a->placeable < 0 || spaces[a->placeable] == PLACE_GLOBAL) continue;
    place_bytes_text(q->launch->extent[i].bytes, size);
    place_text_add(&t, "%s%s (%s) in %s memory", *list ? " and " : "", a->name, q->launch->extent[i].known ? size : "of unknown size",
                   place_space_name(spaces[a->placeable]));
  }
  return place_diag_set(diag, "no version has %s; -fplugin-arg-place-effort=3 makes more", list);
}

static int set_plan(const struct place_question *q, const enum place_space *spaces, int version,
                    const struct candidate *candidates, struct place_plan *plan, struct place_diag *diag) {
  const struct place_region *region = q->region;
  uint64_t constant = 0;
  uint8_t space[PLACE_MAX_PLACEABLE] = {0};
  memset(plan, 0, sizeof *plan);
  plan->placeable_count = region->placeable_count;
  for (size_t i = 0; i < region->array_count; i++) {
    int placeable = region->arrays[i].placeable;
    if (placeable < 0) continue;
    if (set_array(region, i, spaces[placeable], &candidates[i], plan, &constant, diag)) return -1;
    space[placeable] = (uint8_t)spaces[placeable];
  }
  plan->version = version == PLACE_VERSION_ANY ? session_version(region, space) : version;
  if (plan->version == -2) return no_version(q, spaces, diag);
  if (constant > candidates_constant_capacity(q->machine, q->launch) || plan->shared_bytes > candidates_shared_capacity(q->machine, q->launch))
    return place_diag_set(diag, "the arrays do not fit into constant or shared memory together");
  plan->teams = occupancy_staged_teams(region, q->launch, q->machine, plan->shared_bytes);
  return 0;
}

/* What is in global memory as it is has no window, and nothing about it needs finding out. */
static bool asks_for_more_than_global(const struct place_region *region, const enum place_space *spaces) {
  for (size_t i = 0; i < region->array_count; i++)
    if (region->arrays[i].placeable >= 0 && spaces[region->arrays[i].placeable] != PLACE_GLOBAL) return true;
  return false;
}

static int find(const struct place_question *question, const enum place_space *spaces, struct candidate *candidates,
                struct place_diag *diag) {
  if (asks_for_more_than_global(question->region, spaces)) return candidates_find(question, candidates, diag);
  for (size_t i = 0; i < question->region->array_count; i++)
    candidates[i] = (struct candidate){.spaces = PLACE_SPACE_BIT(PLACE_GLOBAL)};
  return 0;
}

int place_plan_make(const struct place_question *question, const enum place_space *spaces, int version, struct place_plan *plan,
                    struct place_diag *diag) {
  const struct place_region *region = question->region;
  struct candidate *candidates = malloc((region->array_count + 1) * sizeof *candidates);
  int rc = candidates ? find(question, spaces, candidates, diag) : place_diag_set(diag, "%s: out of memory", region->entry);
  if (rc == 0) rc = set_plan(question, spaces, version, candidates, plan, diag);
  free(candidates);
  return rc;
}

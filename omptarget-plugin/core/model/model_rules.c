/* Rules, as paper 000 describes the rule-based baseline it compares with (5.1, 5.2, 5.3.1; there reference 1, Jang et al.):
 * decided array by array from static facts, "based on read/write patterns, loop-based temporal locality, and status of
 * memory coalescing"; in this order:
 *   1. written, or no copy or path for it: global
 *   2. "data arrays whose access patterns cannot be inferred through the static analysis": global
 *   3. read, every lane of a warp at the same element, and small enough for constant memory: constant
 *   4. read again and again in a loop whose iterations come back to the same elements, and small enough to stage: shared
 *   5. "coalesced accesses and little temporal reuse": global
 *   6. read, not coalesced: the texture path, here the read-only cache
 * Rules know no machine and no numbers. For a ranking, a plan's cost is how far it is from the ruled one:
 *   1 + sum over arrays of its share of the accesses * (0 where the rules want it, 1 in global, 2 elsewhere). */
#include <math.h>

#include "model.h"

enum { LITTLE_REUSE = 2 }; /* accesses to an element, below which a loop has little temporal reuse */

static double accesses_of(const struct model_input *in, size_t array) {
  return in->traits->array[array].accesses_per_warp;
}

/* Mean over an array's accesses of a number per warp access. */
static double mean(const struct model_input *in, size_t array, enum place_space space) {
  double sum = 0, weight = 0;
  unsigned level = traits_chain(in->machine, space).count;
  level = place_space_home(space) == PLACE_HOME_CONSTANT && level ? level - 1 : 0;
  for (size_t i = 0; i < in->region->access_count; i++) {
    const struct access_traits *t = &in->traits->access[i];
    if ((size_t)in->region->accesses[i].array != array) continue;
    sum += t->executions * (place_space_home(space) == PLACE_HOME_CONSTANT ? t->distinct : t->transactions[space][level]);
    weight += t->executions;
  }
  return weight > 0 ? sum / weight : 1;
}

/* How often a warp comes back to a line of the array in a loop. */
static bool is_reused(const struct model_input *in, size_t array) {
  const struct reuse_histogram *h = &in->traits->array[array].reuse;
  bool in_loop = false;
  for (size_t i = 0; i < in->region->access_count; i++)
    if ((size_t)in->region->accesses[i].array == array && in->region->accesses[i].loop >= 0) in_loop = true;
  return in_loop && h->first && h->accesses >= LITTLE_REUSE * h->first;
}

static bool is_coalesced(const struct model_input *in, size_t array) {
  struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  uint64_t line = chain.count ? traits_line_bytes(chain.level[0]) : 128;
  double least = ceil(32.0 * in->region->arrays[array].element_bytes / (double)line);
  return mean(in, array, PLACE_GLOBAL) <= least + 1; /* one more where the warp does not begin at a line's begin */
}

static enum place_space ruled(const struct model_input *in, size_t array, int *rule) {
  place_space_set may = in->candidates[array].spaces;
  if (in->region->arrays[array].written || may == PLACE_SPACE_BIT(PLACE_GLOBAL)) return *rule = 1, PLACE_GLOBAL;
  if (in->traits->array[array].irregular) return *rule = 2, PLACE_GLOBAL;
  if (may & PLACE_SPACE_BIT(PLACE_CONSTANT) && mean(in, array, PLACE_CONSTANT) <= 1) return *rule = 3, PLACE_CONSTANT;
  if (may & PLACE_SPACE_BIT(PLACE_SHARED) && is_reused(in, array)) return *rule = 4, PLACE_SHARED;
  if (is_coalesced(in, array) || !(may & PLACE_SPACE_BIT(PLACE_READONLY))) return *rule = 5, PLACE_GLOBAL;
  return *rule = 6, PLACE_READONLY;
}

static double plan_cost(const struct model_input *in, const struct solve_problem *problem, const uint8_t *space,
                        struct breakdown *breakdown) {
  double all = 0, cost = 1;
  (void)problem;
  if (!model_fits(in, space, NULL)) return INFINITY;
  for (size_t a = 0; a < in->region->array_count; a++) all += accesses_of(in, a);
  for (size_t a = 0; a < in->region->array_count; a++) {
    int rule;
    enum place_space want = ruled(in, a, &rule), have = model_space(in, a, space);
    double off = have == want ? 0 : have == PLACE_GLOBAL ? 1 : 2, share = all > 0 ? accesses_of(in, a) / all : 0;
    cost += breakdown_add(breakdown, share * off, "", "%.40s, which rule %d wants in %s, in %s", in->region->arrays[a].name, rule,
                          place_space_name(want), place_space_name(have));
  }
  return breakdown_add(breakdown, cost, "", "T");
}

const struct model model_rules = {.name = "rules", .unit = "", .open_factor = 1, .cost = plan_cost, .judge = model_judge_ratios};

/* What models expect of versions that are no plans of spaces alone. */
#include "block.h"
#include "model.h"
#include "straight.h"

#include <math.h>

/* Whether the launch lets arrays be where a version has them. */
static bool has_room(const struct model_input *in, const struct place_version *version) {
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  place_version_spaces(in->region, version, space);
  return model_fits(in, space, NULL);
}

int model_judge(const struct model_input *in, const struct model_base *base, struct place_estimate *out, struct place_diag *diag) {
  const struct place_region *region = in->region;
  if (block_costs(in, base->cost, out, diag)) return -1;
  for (size_t v = 0; v < region->version_count; v++) {
    const struct place_version *version = &region->versions[v];
    if (version->block.dims && !has_room(in, version))
      out[v] = (struct place_estimate){PLACE_ESTIMATE_IMPOSSIBLE, 0, "its copies do not fit, or may not be made, at this launch"};
    if (place_version_is_plain(region, version) && straight_estimate(in, version, base, &out[v], diag)) return -1;
  }
  return 0;
}

int model_judge_ratios(const struct model_input *in, double base_cost, struct place_estimate *out, struct place_diag *diag) {
  return model_judge(in, &(struct model_base){base_cost, INFINITY}, out, diag);
}

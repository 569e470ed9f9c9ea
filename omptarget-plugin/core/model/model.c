/* Names of the models, and limits that they share. */
#include "model.h"

#include <string.h>

static const struct model *const models[PLACE_MODEL_COUNT] = {&model_place, &model_porple, &model_huang, &model_rules, &model_learned, &model_bypass};

const struct model *model_of(enum place_model model) {
  return models[(unsigned)model < PLACE_MODEL_COUNT ? model : PLACE_MODEL_PLACE];
}

const char *place_model_name(enum place_model model) {
  return (unsigned)model < PLACE_MODEL_COUNT ? models[model]->name : "?";
}

int place_model_parse(const char *name, size_t length, enum place_model *model) {
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++)
    if (strlen(models[m]->name) == length && memcmp(name, models[m]->name, length) == 0)
      return *model = (enum place_model)m, 0;
  return -1;
}

/* ---- limits ---- */

static void limit(const struct model_input *in, enum place_space space, struct solve_space *s) {
  s->class_count = 1;
  s->classes[0] = (struct solve_class){.max_bytes = candidates_capacity(in->machine, in->launch, space)};
  for (unsigned k = 0; k < SOLVE_MAX_SPACES; k++) s->classes[0].scale[k] = 1;
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) s->classes[0].path_scale[p] = 1;
}

void model_limits(const struct model_input *in, struct solve_problem *problem) {
  problem->arrays = in->region->placeable_count;
  problem->spaces = PLACE_SPACE_COUNT;
  problem->constant_space = PLACE_CONSTANT;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
    if (place_space_is_copy((enum place_space)s)) limit(in, (enum place_space)s, &problem->space[s]);
  for (size_t i = 0; i < in->region->array_count; i++) {
    int placeable = in->region->arrays[i].placeable;
    const struct candidate *c = &in->candidates[i];
    if (placeable < 0) continue;
    problem->allowed[placeable] = c->spaces;
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
      if (c->spaces & PLACE_SPACE_BIT(s) && place_space_is_copy((enum place_space)s))
        problem->bytes[placeable][s] = candidates_slot((enum place_space)s, c->window.bytes);
  }
}

bool model_fits(const struct model_input *in, const uint8_t *space, uint64_t *staged) {
  uint64_t used[PLACE_HOME_SHARED + 1] = {0}; /* by home: spaces of one share its room */
  for (size_t i = 0; i < in->region->array_count; i++) {
    enum place_space s = model_space(in, i, space);
    if (!(in->candidates[i].spaces >> s & 1)) return false;
    if (place_space_is_copy(s)) used[place_space_home(s)] += candidates_slot(s, in->candidates[i].window.bytes);
  }
  if (staged) *staged = used[PLACE_HOME_SHARED];
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
    if (place_space_is_copy((enum place_space)s) && used[place_space_home((enum place_space)s)] > candidates_capacity(in->machine, in->launch, (enum place_space)s))
      return false;
  return true;
}

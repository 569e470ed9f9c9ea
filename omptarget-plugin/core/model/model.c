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

void model_limits(const struct model_input *in, struct solve_problem *problem) {
  struct solve_space *constant = &problem->space[PLACE_CONSTANT], *shared = &problem->space[PLACE_SHARED];
  problem->arrays = in->region->placeable_count;
  problem->spaces = PLACE_SPACE_COUNT;
  problem->constant_space = PLACE_CONSTANT;
  for (struct solve_space *s = constant; s; s = s == constant ? shared : NULL) {
    s->class_count = 1;
    s->classes[0] = (struct solve_class){.max_bytes = s == constant ? candidates_constant_capacity(in->machine, in->launch)
                                                                    : candidates_shared_capacity(in->machine, in->launch)};
    for (unsigned k = 0; k < SOLVE_MAX_SPACES; k++) s->classes[0].scale[k] = 1;
    for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) s->classes[0].path_scale[p] = 1;
  }
  for (size_t i = 0; i < in->region->array_count; i++) {
    int placeable = in->region->arrays[i].placeable;
    const struct candidate *c = &in->candidates[i];
    if (placeable < 0) continue;
    problem->allowed[placeable] = c->spaces;
    if (c->spaces & PLACE_SPACE_BIT(PLACE_SHARED))
      problem->bytes[placeable][PLACE_SHARED] = candidates_shared_slot(c->window.bytes);
    if (c->spaces & PLACE_SPACE_BIT(PLACE_CONSTANT))
      problem->bytes[placeable][PLACE_CONSTANT] = candidates_constant_slot(c->window.bytes);
  }
}

bool model_fits(const struct model_input *in, const uint8_t *space, uint64_t *staged) {
  uint64_t constant = 0, shared = 0;
  for (size_t i = 0; i < in->region->array_count; i++) {
    enum place_space s = model_space(in, i, space);
    if (!(in->candidates[i].spaces >> s & 1)) return false;
    if (s == PLACE_CONSTANT) constant += candidates_constant_slot(in->candidates[i].window.bytes);
    if (s == PLACE_SHARED) shared += candidates_shared_slot(in->candidates[i].window.bytes);
  }
  if (staged) *staged = shared;
  return constant <= candidates_constant_capacity(in->machine, in->launch) && shared <= candidates_shared_capacity(in->machine, in->launch);
}

/* Launches with forced spaces or a forced version. */
#include <stdio.h>
#include <string.h>

#include "class.h"
#include "flight.h"

enum step forced_step(const struct flight *f) {
  const struct force_choice *force = &f->state->force;
  if (force->version == FORCE_PROFILE) return f->device->measuring ? STEP_ORIGINAL : STEP_PROFILE;
  return STEP_FORCED;
}

/* Forced spaces that this launch does not allow stay global, and are named in the report. */
static void legal_forced(struct flight *f, enum place_space *spaces) {
  const struct place_region *r = f->region->region;
  for (size_t a = 0; a < r->array_count; a++) {
    int p = r->arrays[a].placeable;
    if (p < 0 || f->decision->view.allowed[a] & PLACE_SPACE_BIT(spaces[p])) continue;
    const struct view_array *v = &f->decision->view.array[a];
    const char *why = f->decision->view.refused ? f->decision->view.refused : v->why_global ? v->why_global
      : v->why_constant ? v->why_constant : v->object && v->object->unstable ? v->object->unstable : "not legal here";
    if (f->state->force.asked[p])
      snprintf(f->in_class->note, sizeof f->in_class->note, "%s: %s is not in %s memory: %s",
               f->state->force.hinted ? "#pragma place" : "PLACE_FORCE", r->arrays[a].name,
               place_space_name(spaces[p]), why);
    spaces[p] = PLACE_GLOBAL;
  }
}

static bool try_forced(struct flight *f, const enum place_space *spaces) {
  f->decision->planned = -1;
  return !decision_force(f->decision, f->region, spaces, &f->state->force, f->rt->machine);
}

/* `all=space` means as many arrays as can be there: leaves out those that cannot even alone, then the last ones. */
static bool try_fewer(struct flight *f, enum place_space *spaces) {
  const struct force_choice *force = &f->state->force;
  enum place_space alone[PLACE_MAX_PLACEABLE];
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) {
    if (force->asked[i] || spaces[i] == PLACE_GLOBAL) continue;
    memset(alone, 0, sizeof alone);
    alone[i] = spaces[i];
    if (!try_forced(f, alone)) spaces[i] = PLACE_GLOBAL;
  }
  bool made = try_forced(f, spaces);
  for (unsigned i = PLACE_MAX_PLACEABLE; !made && i-- > 0;) {
    if (force->asked[i] || spaces[i] == PLACE_GLOBAL) continue;
    spaces[i] = PLACE_GLOBAL;
    made = try_forced(f, spaces);
  }
  return made;
}

static bool any_placed(const enum place_space *spaces) {
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++)
    if (spaces[i] != PLACE_GLOBAL) return true;
  return false;
}

/* The plan of the first launch with these arguments is kept; decision_force says whether there is one already. */
static bool plan_forced(struct flight *f) {
  const struct force_choice *force = &f->state->force;
  enum place_space spaces[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  bool asked = force->version != FORCE_ANY;
  if (f->decision->planned == TUNE_MAX_ARMS || decision_recall(f->decision, f->region, TUNE_MAX_ARMS)) return !*f->decision->refused;
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) {
    spaces[i] = force->version == FORCE_BASE ? PLACE_GLOBAL : force->space[i];
    asked |= force->space[i] == PLACE_GLOBAL && force->asked[i];
  }
  legal_forced(f, spaces);
  if ((any_placed(spaces) || asked) && (try_forced(f, spaces) || (any_placed(spaces) && try_fewer(f, spaces))) &&
      (any_placed(spaces) || asked))
    *f->decision->refused = 0;
  else if (!*f->decision->refused)
    snprintf(f->decision->refused, sizeof f->decision->refused, "none of the placements that it asks for is possible here");
  f->decision->planned = TUNE_MAX_ARMS;
  decision_remember(f->decision, TUNE_MAX_ARMS);
  return !*f->decision->refused;
}

void forced_start(struct flight *f, const struct rt_call *call) {
  const char *why = f->decision->refused;
  bool timed = !f->device->measuring && f->module->timer;
  if (!plan_forced(f) || prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, call, timed, &why)) {
    flight_fall_back(f, why);
    return;
  }
  f->measuring = f->prepared.timer_entry != 0;
  if (class_make_room(f->in_class)) f->in_class->plan[0] = f->decision->plan; /* for the report */
}

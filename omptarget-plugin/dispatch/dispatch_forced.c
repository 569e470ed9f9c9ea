/* Launches with forced spaces or a forced version. */
#include <stdio.h>
#include <string.h>

#include "class.h"
#include "flight.h"
#include "place/launch_reason.h"
#include "place/text.h"
#include "report.h"

enum step forced_step(const struct flight *f) {
  const struct force_choice *force = &f->state->force;
  if (force->version == FORCE_PROFILE) return f->device->measuring ? STEP_ORIGINAL : STEP_PROFILE;
  return STEP_FORCED;
}

/* What becomes of what is asked for: spaces, and by placeable index why an array is elsewhere, or ""; and whether that names the array. */
struct asked {
  enum place_space spaces[PLACE_MAX_PLACEABLE];
  char why[PLACE_MAX_PLACEABLE][200];
  bool names_it[PLACE_MAX_PLACEABLE];
};

/* Forced spaces that this launch does not allow stay global, and are named in the report. */
static void legal_forced(struct flight *f, struct asked *asked) {
  const struct place_region *r = f->region->region;
  enum place_space *spaces = asked->spaces;
  for (size_t a = 0; a < r->array_count; a++) {
    int p = r->arrays[a].placeable;
    if (p < 0 || f->decision->view.allowed[a] & PLACE_SPACE_BIT(spaces[p])) continue;
    const char *why = view_why_not(&f->decision->view, a, spaces[p]);
    snprintf(asked->why[p], sizeof asked->why[p], "%s", why ? why : WHY_NOT_LEGAL);
    if (f->state->force.asked[p])
      snprintf(f->in_class->note, sizeof f->in_class->note, "%s: %s is not in %s memory: %s",
               f->state->force.hinted ? "#pragma place" : "PLACE_FORCE", r->arrays[a].name,
               place_space_name(spaces[p]), asked->why[p]);
    spaces[p] = PLACE_GLOBAL;
  }
}

static bool try_forced(struct flight *f, const enum place_space *spaces) {
  f->decision->planned = -1;
  return !decision_force(f->decision, f->region, spaces, &f->state->force, f->rt->machine);
}

/* `all=space` means as many arrays as can be there: leaves out those that cannot even alone, then the last ones. */
static bool try_fewer(struct flight *f, struct asked *asked) {
  const struct force_choice *force = &f->state->force;
  enum place_space *spaces = asked->spaces;
  enum place_space alone[PLACE_MAX_PLACEABLE];
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) {
    if (force->asked[i] || spaces[i] == PLACE_GLOBAL) continue;
    memset(alone, 0, sizeof alone);
    alone[i] = spaces[i];
    if (try_forced(f, alone)) continue;
    spaces[i] = PLACE_GLOBAL;
    snprintf(asked->why[i], sizeof asked->why[i], "%s", f->decision->refused);
    asked->names_it[i] = true;
  }
  bool made = try_forced(f, spaces);
  for (unsigned i = PLACE_MAX_PLACEABLE; !made && i-- > 0;) {
    if (force->asked[i] || spaces[i] == PLACE_GLOBAL) continue;
    spaces[i] = PLACE_GLOBAL;
    snprintf(asked->why[i], sizeof asked->why[i], WHY_NOT_TOGETHER, f->decision->refused);
    made = try_forced(f, spaces);
  }
  return made;
}

/* ---- what is told ---- */

/* Why an array is not where PLACE_FORCE wants it, or NULL: it is there, or nothing is wanted. */
static const char *why_elsewhere(const struct flight *f, const struct asked *asked, const struct place_array *array,
                                 enum place_space *wanted) {
  const struct force_choice *force = &f->state->force;
  int p = array->placeable;
  *wanted = p >= 0 && force->space[p] ? force->space[p] : force->all > 0 ? (enum place_space)force->all : PLACE_GLOBAL;
  if (*wanted == PLACE_GLOBAL || (p >= 0 && asked->spaces[p] == *wanted && !*asked->why[p])) return NULL;
  if (p >= 0 && *asked->why[p]) return asked->why[p];
  return force_why_not(array, *wanted);
}

static bool takes_spaces(const struct force_choice *force) {
  return force->version != FORCE_BASE && force->version != FORCE_PROFILE && force->version != FORCE_LOOP;
}

/* Once for a region: which of its arrays are not where they were wanted, on stderr and for the report. */
static void tell_forced(struct flight *f, const struct asked *asked) {
  const struct place_region *r = f->region->region;
  struct rt_device_region *s = f->state;
  char name[160], line[sizeof s->force_note];
  struct place_text text = {line, sizeof line, 0};
  if (s->force_told || s->force.hinted) return;
  s->force_told = true;
  report_name(r, name, sizeof name);
  for (size_t a = 0; takes_spaces(&s->force) && a < r->array_count; a++) {
    enum place_space wanted;
    const char *why = why_elsewhere(f, asked, &r->arrays[a], &wanted);
    if (!why) continue;
    if (text.length) place_text_add(&text, "; ");
    else place_text_add(&text, "PLACE_FORCE: %s: ", name);
    int p = r->arrays[a].placeable;
    if (p < 0 || why != asked->why[p] || !asked->names_it[p])
      place_text_add(&text, "%s is not in %s memory: ", r->arrays[a].name, place_space_name(wanted));
    place_text_add(&text, "%s", why);
  }
  if (!text.length) return;
  report_say("%s", line);
  if (!*s->force_note) snprintf(s->force_note, sizeof s->force_note, "%s", line);
}

/* The plan of the first launch with these arguments is kept; decision_force says whether there is one already. */
static bool plan_forced(struct flight *f) {
  const struct force_choice *force = &f->state->force;
  struct asked what = {{PLACE_GLOBAL}, {""}, {false}};
  enum place_space *spaces = what.spaces;
  bool asked = force->version != FORCE_ANY || force->routed;
  if (f->decision->planned == TUNE_MAX_ARMS || decision_recall(f->decision, f->region, TUNE_MAX_ARMS)) return !*f->decision->refused;
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) {
    spaces[i] = force->version == FORCE_BASE ? PLACE_GLOBAL : force->space[i];
    asked |= force->space[i] == PLACE_GLOBAL && force->asked[i];
  }
  legal_forced(f, &what);
  if ((!decision_moves_nothing(spaces) || asked) && (try_forced(f, spaces) || (!decision_moves_nothing(spaces) && try_fewer(f, &what))) &&
      (!decision_moves_nothing(spaces) || asked))
    *f->decision->refused = 0;
  else if (!*f->decision->refused)
    snprintf(f->decision->refused, sizeof f->decision->refused, WHY_NOTHING_ASKED_POSSIBLE);
  tell_forced(f, &what);
  f->decision->planned = TUNE_MAX_ARMS;
  decision_remember(f->decision, TUNE_MAX_ARMS);
  return !*f->decision->refused;
}

/* Once for a region. */
static void tell_original(struct flight *f, const char *why) {
  char name[160];
  if (f->state->force_refused || f->state->force.hinted) return;
  f->state->force_refused = true;
  report_name(f->region->region, name, sizeof name);
  report_say("PLACE_FORCE: %s runs its original kernel: %s", name, why);
}

void forced_start(struct flight *f, const struct rt_call *call) {
  const char *why = f->decision->refused;
  bool timed = !f->device->measuring && f->module->timer;
  if (!plan_forced(f) || prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, call, timed, &why)) {
    tell_original(f, why);
    flight_fall_back(f, why);
    return;
  }
  f->measuring = f->prepared.timer_entry != 0;
  if (class_make_room(f->in_class)) f->in_class->plan[0] = f->decision->plan; /* for the report */
}

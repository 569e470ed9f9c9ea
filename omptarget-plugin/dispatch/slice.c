#include "slice.h"

#include "place/launch_reason.h"
#include "slices_shape.h"

static bool make_plan(struct flight *f, int plan) {
  if (plan < SLICE_OF_BASE) return !decision_plan(f->decision, f->region, plan, f->rt->machine);
  static const enum place_space global[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  static const struct force_choice base = {.version = FORCE_BASE};
  return !decision_force(f->decision, f->region, global, &base, f->rt->machine);
}

/* The plan is ready to be launched from `done` on to that iteration. */
static bool prepare(struct slicing *s, int plan, uint64_t to, bool timed) {
  struct flight *f = s->f;
  struct slices_shape shape;
  struct slices_teams part;
  const char *why;
  if (!make_plan(f, plan) || !slices_shape(f->region, f->decision->plan.version, &f->decision->view.launch, &shape)) return false;
  if (!slices_part(&shape, s->done, to, &part)) return false;
  if (prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, s->call, timed, &why)) return false;
  prepare_slice(&f->prepared, &part);
  f->prepared.request.wait = true;
  if (!timed || f->prepared.timer_entry) return true;
  prepare_release(&f->prepared, f->device, f->module);
  return false;
}

enum slice_outcome slice_run(struct slicing *s, int plan, uint64_t to, double *ns) {
  struct flight *f = s->f;
  pthread_mutex_lock(&f->device->lock);
  bool ready = prepare(s, plan, to, ns != NULL);
  pthread_mutex_unlock(&f->device->lock);
  if (!ready) return SLICE_LEFT;
  int rc = s->launcher(s->context, &f->prepared.request);
  if (ns) *ns = rc ? 0 : prepare_read_timer(f->device, f->module, f->prepared.timer_entry);
  pthread_mutex_lock(&f->device->lock);
  prepare_release(&f->prepared, f->device, f->module);
  if (rc) f->state->dropped = WHY_NOT_LAUNCHED, s->rc = rc;
  pthread_mutex_unlock(&f->device->lock);
  if (rc || (ns && *ns == PREPARE_DECLINED)) return SLICE_LEFT;
  s->done = to;
  return SLICE_DONE;
}

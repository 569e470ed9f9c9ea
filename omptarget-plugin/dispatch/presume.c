#include "presume.h"

#include "class.h"
#include "evidence.h"
#include "versions.h"

enum { ENOUGH_BYTES = 24 }; /* of an iteration: a GPU begins teams fast enough to keep its memory busy */

/* Whether the program asks for an iteration for each thread itself. */
static bool asks_for_one(const struct flight *f) {
  const struct place_launch *l = &f->decision->view.launch;
  uint32_t threads = l->threads ? l->threads : f->region->region->threads;
  return l->teams && l->trip_count && (uint64_t)l->teams * threads >= l->trip_count;
}

static bool has_likely(const struct flight *f) {
  const struct place_region *r = f->region->region;
  for (size_t v = 0; v < r->version_count; v++) {
    const struct place_version *version = &r->versions[v];
    if (versions_spreads_team(f->region, (int)v)) return true;
    if (version->brief && (version->fill || version->brief >= ENOUGH_BYTES || asks_for_one(f))) return true;
  }
  return false;
}

/* Whether a trial of the class has found such a version to be slower than the original, or is about to. */
static bool speaks_against(const struct rt_class *c, const struct rt_region *region) {
  const struct tune *t = &c->tune;
  double original = t->arm[0].first_ns * (t->original > 0 ? t->original : 1);
  for (int arm = 1; arm < t->arms && arm < c->plan_count; arm++) {
    const struct tune_arm *a = &t->arm[arm];
    int version = c->plan[arm].version;
    if (version < 0 || !versions_is_likely(region, version) || !(a->first_ns > 0)) continue;
    if (judge_time(a) > original || (c->phase == CLASS_SETTLED && c->chosen < 0)) return true;
  }
  return false;
}

/* Both are looked for once for each thing that is learned: with many sizes it would take longer than a short launch. */
static int evidence_of(const struct flight *f) {
  struct rt_class *c = f->in_class;
  if (c->evidence_at != f->state->learned) c->evidence = evidence_version(f->state, c);
  c->evidence_at = f->state->learned;
  return c->evidence;
}

static bool any_speaks_against(const struct flight *f) {
  struct rt_device_region *s = f->state;
  if (s->against_at == s->learned) return s->against;
  s->against = false;
  for (unsigned i = 0; i < s->class_count && !s->against; i++) s->against = speaks_against(s->classes[i], f->region);
  s->against_at = s->learned;
  return s->against;
}

bool presume_may(struct flight *f) {
  const struct config *config = &f->rt->config;
  const struct rt_class *c = f->in_class;
  if (c->phase == CLASS_SETTLED || !(config->patience_ns > 0) || !config->trials || !f->rt->machine) return false;
  if ((f->presumed = evidence_of(f)) >= 0) return true;
  return has_likely(f) && !any_speaks_against(f);
}

void presume_start(struct flight *f, const struct rt_call *call) {
  const char *why = NULL;
  bool made = decision_presume(f->decision, f->region, f->presumed, f->rt->machine) &&
              !prepare_plan(&f->prepared, f->device, f->module, f->region, f->decision, call, /*timed=*/false, &why);
  f->step = made ? STEP_PRESUMED : STEP_ORIGINAL;
  f->in_class->as_elsewhere = made && f->presumed >= 0;
}

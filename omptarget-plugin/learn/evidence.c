#include "evidence.h"

#include "class.h"
#include "place/plan.h"
#include "tune_judge.h"

/* ---- versions ---- */

struct tally {
  int version;
  unsigned periods; /* in which it was faster */
  double most;      /* of its time by the original's, over sizes */
  bool slower;
};

enum { MOST_TALLIES = 32 };

static struct tally *tally_of(struct tally *tally, unsigned *count, int version) {
  unsigned at = 0;
  while (at < *count && tally[at].version != version) at++;
  if (at == MOST_TALLIES) return NULL;
  if (at == *count) tally[(*count)++] = (struct tally){.version = version};
  return &tally[at];
}

static bool moves_nothing(const struct place_plan *plan) { return plan->version >= 0 && place_plan_moves_nothing(plan); }

/* Whether what one size tells may hold for another. */
static bool is_near(const struct rt_class *c, const struct rt_class *other) {
  uint64_t a = class_work(&c->shape), b = class_work(&other->shape);
  return a <= EVIDENCE_REACH * b && b <= EVIDENCE_REACH * a;
}

static void add_arm(struct tally *t, const struct rt_class *c, const struct tune_arm *a, bool near) {
  const struct tune_arm original = judge_original(&c->tune);
  double share = judge_time(a) / judge_time(&original);
  bool lost = c->phase == CLASS_SETTLED && c->chosen < 0; /* given up, too */
  bool faster = judge_is_below(a, &original, TUNE_MARGIN) && !lost;
  if (share > t->most) t->most = share;
  if (faster && near) t->periods += judge_periods(&c->tune, a);
  if (!faster && (share > 1 || lost)) t->slower = true;
}

static void add_class(struct tally *tally, unsigned *count, const struct rt_class *c, bool near) {
  const struct tune *tune = &c->tune;
  if (!(tune->arm[0].first_ns > 0) || !c->plan) return;
  for (int i = 1; i < tune->arms && i < c->plan_count; i++) {
    struct tally *t = tune->arm[i].first_ns > 0 && moves_nothing(&c->plan[i]) ? tally_of(tally, count, c->plan[i].version) : NULL;
    if (t) add_arm(t, c, &tune->arm[i], near);
  }
}

int evidence_version(const struct rt_device_region *state, const struct rt_class *c) {
  struct tally tally[MOST_TALLIES];
  unsigned count = 0;
  const struct tally *best = NULL;
  for (unsigned i = 0; i < state->class_count; i++) add_class(tally, &count, state->classes[i], is_near(c, state->classes[i]));
  for (const struct tally *t = tally; t < tally + count; t++)
    if (!t->slower && t->periods >= EVIDENCE_PERIODS && (!best || t->most < best->most)) best = t;
  return best ? best->version : -1;
}

/* ---- launches that come again ---- */

static bool comes_again(const struct tune *tune) { return tune->period_launches && !tune->unlike && !tune->alike; }

static unsigned strangers_of(const struct tune *tune) {
  if (tune->unlike) return TUNE_MAX_PERIOD;
  return tune->period_launches ? tune->alike : tune->period.launches;
}

unsigned evidence_strangers(const struct rt_device_region *state, const struct rt_class *c) {
  unsigned strangers = 0;
  if (evidence_version(state, c) >= 0) return 0;
  for (unsigned i = 0; i < state->class_count; i++) {
    const struct tune *tune = &state->classes[i]->tune;
    if (state->classes[i] == c || !tune->bounded) continue;
    if (comes_again(tune)) return 0;
    strangers += strangers_of(tune);
  }
  return strangers;
}

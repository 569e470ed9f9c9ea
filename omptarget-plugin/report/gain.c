#define _GNU_SOURCE
#include "gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "place/reason.h"
#include "place/text.h"
#include "report.h"
#include "words.h"

/* ---- summing up ---- */

/* Whether a plan gives some array, or tiles of it, another place. */
static bool moves_arrays(const struct place_region *r, const struct place_plan *plan) {
  return !place_plan_moves_nothing(plan) || (plan->version >= 0 && r->versions[plan->version].tiled);
}

static void add_row(struct gain *g, struct row row) {
  if (!(g->rows & (g->rows - 1))) { /* none, or a power of two: room for as many again */
    struct row *more = realloc(g->row, (2 * g->rows + 1) * sizeof *more);
    if (!more) return;
    g->row = more;
  }
  g->row[g->rows++] = row;
}

/* The longest of the kind that most can be done about. */
static void prefer(struct gain *g, enum gain_next_kind kind, const struct row *row) {
  if (kind < g->next_kind || (kind == g->next_kind && row->ran_ns <= g->next.ran_ns)) return;
  g->next = *row;
  g->next_kind = kind;
}

static void add_class(const struct runtime *rt, struct gain *g, struct row row) {
  const struct rt_class *c = row.c;
  bool forced = row.state->force.any, trusted = c->trusted && c->chosen > 0 && c->predicted_ns > 0;
  g->saved_ns += c->saved_ns;
  if (c->saved_ns > g->most_ns) g->most = row, g->most_ns = c->saved_ns;
  if (trusted) g->predicted_ns += (c->predicted_base_ns - c->predicted_ns) * (double)c->placed_launches;
  bool alone = report_left_alone(rt, row.region, row.state, c) != NULL;
  bool unfinished = alone && !forced && c->phase != CLASS_SETTLED && c->launches > 1 && c->waited_launches;
  g->unfinished += unfinished;
  g->looked += c->solve_ns > 0 || c->tune.arms || c->recalled;
  g->early += c->phase == CLASS_NEW;
  g->untried += forced ? 0 : c->untried;
  if (unfinished) prefer(g, GAIN_UNFINISHED, &row);
  else if (c->untried && !forced) prefer(g, GAIN_UNTRIED, &row);
  else if (alone && c->tune.unsure) prefer(g, GAIN_UNSURE, &row);
  else if (c->advice_count) prefer(g, GAIN_ADVISED, &row);
  add_row(g, row);
}

static void add_region(const struct runtime *rt, const struct rt_region *region, int device, const struct rt_device_region *s,
                       void *context) {
  struct gain *g = context;
  bool changed = false, moved = false;
  g->regions++;
  g->idle += !s;
  if (!s) return;
  for (unsigned i = 0; i < s->class_count; i++) {
    const struct place_plan *plan = report_plan(s, s->classes[i]);
    add_class(rt, g, (struct row){region, s, s->classes[i], device, s->classes[i]->ran_ns});
    bool presumed = report_is_presumed(s, s->classes[i]);
    g->presumed |= presumed;
    changed |= plan || presumed;
    moved |= plan && moves_arrays(region->region, plan);
  }
  if (!s->class_count || s->crowded) add_row(g, (struct row){region, s, NULL, device, s->class_count ? 0 : s->budget.ran_ns});
  g->changed += changed;
  g->moved += moved;
  g->forced += changed && s->force.any;
  g->host += s->launches && s->fallback_launches == s->launches;
  g->ran_ns += s->budget.ran_ns;
  if (s->overhead_samples) g->dispatch_ns += s->overhead_ns / (double)s->overhead_samples * (double)s->launches;
}

static int longest_first(const void *a, const void *b) {
  double x = ((const struct row *)a)->ran_ns, y = ((const struct row *)b)->ran_ns;
  return (x < y) - (x > y);
}

void gain_find(const struct runtime *rt, struct gain *g) {
  *g = (struct gain){0};
  report_regions(rt, add_region, g);
  g->elsewhere = rt->host_launches;
  for (int d = 0; d < RT_MAX_DEVICES; d++) {
    const struct rt_device *device = rt->device[d];
    if (!device) continue;
    g->spent_ns += device->budget.spent_ns;
    *(rt->on_host ? &g->elsewhere : &g->unknown) += device->unknown_launches;
  }
  if (rt->started_ns && rt->ops.now_ns) g->elapsed_ns = (double)(rt->ops.now_ns() - rt->started_ns);
  if (g->rows) qsort(g->row, g->rows, sizeof *g->row, longest_first);
}

void gain_free(struct gain *g) {
  free(g->row);
  *g = (struct gain){0};
}

/* ---- words ---- */

/* Whether what was found is kept for the next run (dispatch/recall.h). */
static bool is_kept(const struct runtime *rt) {
  const struct config *c = &rt->config;
  return c->trials && !rt->force && c->patience_ns > 0 && !(c->store && (!*c->store || !strcmp(c->store, "off")));
}

/* " (18% of the program's time)": of what it would have taken without. */
static void add_share(const struct gain *g, double ns, struct place_text *t) {
  char share[WORDS_FIGURE];
  double whole = g->elapsed_ns + gain_net_ns(g);
  if (g->elapsed_ns > 0 && whole > 0) place_text_add(t, " (%s of the program's time)", words_share(ns / whole, share));
}

static void add_where(const struct gain *g, struct place_text *t) {
  char place[256], share[WORDS_FIGURE];
  double part = g->most_ns / g->saved_ns;
  if (!g->most.region) return;
  words_region(g->most.region->region, place, sizeof place);
  if (part > 0.95) place_text_add(t, ", in %s", place);
  else place_text_add(t, ", %s of it in %s", words_share(part, share), place);
}

/* Less what it cost, as what is measured is. */
static void add_predicted(const struct gain *g, struct place_text *t) {
  char time[WORDS_FIGURE];
  double net = g->predicted_ns + gain_net_ns(g);
  place_text_add(t, "%s %s as predicted, not measured (PLACE_TRIALS=0)", words_time(fabs(net), time), net < 0 ? "lost" : "gained");
  if (net < 0) place_text_add(t, ": launches are predicted to have saved %s", words_time(g->predicted_ns, time));
}

static void add_nothing(const struct runtime *rt, const struct gain *g, struct place_text *t) {
  unsigned launched = g->regions - g->idle;
  if (!launched && g->unknown) place_text_add(t, "nothing gained: no target region that was launched has versions");
  else if (!launched && !g->elsewhere) place_text_add(t, "nothing gained: no target region was launched");
  else if (g->host == launched) place_text_add(t, "nothing gained: target regions ran on the host");
  else if (rt->unified) place_text_add(t, "nothing gained: the program requires unified_shared_memory, so nothing is changed");
  else if (g->forced) place_text_add(t, "gain not known: placements were forced, and what the kernels took as compiled was not measured");
  else if (g->predicted_ns > 0) add_predicted(g, t);
  else if (g->unfinished) place_text_add(t, "nothing gained yet: the program ended before all was tried");
  else if (!g->looked && g->presumed) place_text_add(t, "gain not known: no target region ran often or long enough to be measured");
  else if (!g->looked && g->early) place_text_add(t, "nothing gained: no target region ran often or long enough to be looked at");
  else if (!g->looked) place_text_add(t, "nothing gained: nothing can be changed in the target regions, for the reasons below");
  else place_text_add(t, "nothing gained: as compiled, the target regions were as fast as anything that was tried");
}

char *gain_headline(const struct runtime *rt, const struct gain *g, char *out, size_t size) {
  struct place_text t = {out, size, 0};
  char time[WORDS_FIGURE];
  double net = gain_net_ns(g), cost = g->spent_ns + g->dispatch_ns;
  if (size) *out = 0;
  if (g->saved_ns > 0 && net >= 0) {
    place_text_add(&t, "%s gained", words_time(net, time));
    add_share(g, net, &t);
    add_where(g, &t);
  } else if (g->saved_ns > 0) {
    place_text_add(&t, "%s lost", words_time(-net, time));
    add_share(g, -net, &t);
    place_text_add(&t, ": so far, %s was saved", words_time(g->saved_ns, time));
    add_where(g, &t);
  } else add_nothing(rt, g, &t);
  if (cost > 0) place_text_add(&t, "; place itself cost %s", words_time(cost, time));
  return out;
}

/* The placement that is predicted to be fastest of those that were to be tried, or NULL: none is predicted to gain. */
static const struct place_plan *best_prediction(const struct row *row) {
  const struct place_region *r = row->region->region;
  const struct rt_class *c = row->c;
  const struct place_plan *best = NULL;
  for (int i = 1; c->plan && i < c->plan_count; i++) {
    const struct place_plan *plan = &c->plan[i];
    bool blocks = plan->version >= 0 && r->versions[plan->version].block.dims;
    bool gains = plan->cost_ns > 0 && plan->cost_ns < (best ? best->cost_ns : c->predicted_base_ns);
    if (!blocks && gains && moves_arrays(r, plan)) best = plan;
  }
  return best;
}

static void add_hint(const struct row *row, struct place_text *t) {
  const struct place_region *r = row->region->region;
  const struct place_plan *best = row->c ? best_prediction(row) : NULL;
  if (!best) return;
  place_text_add(t, "; or follow the prediction: #pragma place");
  for (size_t a = 0; a < r->array_count; a++) {
    int p = r->arrays[a].placeable;
    if (p >= 0 && best->array[p].space != PLACE_GLOBAL)
      place_text_add(t, " %s(%s)", place_space_name(best->array[p].space), r->arrays[a].name);
  }
}

static void add_limit(const struct runtime *rt, const struct gain *g, const char *place, struct place_text *t) {
  enum { MOST_TRIALS = 8 };
  if (g->next_kind == GAIN_UNFINISHED) {
    place_text_add(t, "%s was not tried to the end: run longer, or with PLACE_PATIENCE=0, which lifts the limit on what finding out "
                      "may cost", place);
    add_hint(&g->next, t);
  } else if (g->next_kind == GAIN_UNTRIED && rt->config.trials < MOST_TRIALS)
    place_text_add(t, "PLACE_TRIALS=%d tries %u more placement%s, most of all for %s", MOST_TRIALS, g->untried, g->untried == 1 ? "" : "s",
                   place);
  else if (g->next_kind == GAIN_UNSURE)
    place_text_add(t, "times of %s varied too much to choose by: run on a machine that does nothing else, or longer", place);
  else if (g->next_kind == GAIN_ADVISED)
    place_text_add(t, "a copy of %s may make %s faster: see its advice below",
                   g->next.region->region->arrays[g->next.c->advice[0].array].name, place);
}

/* What the programmer can change about what takes most time, where that stays as it is for a reason with a remedy. */
static void add_remedy(const struct runtime *rt, const struct gain *g, struct place_text *t) {
  const struct row *longest = g->rows ? g->row : NULL;
  const char *why = longest ? report_left_alone(rt, longest->region, longest->state, longest->c) : NULL;
  const char *remedy = place_reasons[place_reason_of(why)].remedy;
  char place[256], plain[256];
  if (!*remedy) return;
  words_region(longest->region->region, place, sizeof place);
  place_text_add(t, "%s takes most time, and stays as compiled: %s. ", place, words_plain(why, plain, sizeof plain));
  for (; *remedy; remedy++)
    if (*remedy != '`') place_text_add(t, "%c", *remedy);
}

char *gain_next(const struct runtime *rt, const struct gain *g, char *out, size_t size) {
  struct place_text t = {out, size, 0};
  char place[256] = "a region";
  if (size) *out = 0;
  if (g->next.region) words_region(g->next.region->region, place, sizeof place);
  add_limit(rt, g, place, &t);
  if (t.length) return out;
  if (g->forced) place_text_add(&t, "run without PLACE_FORCE and #pragma place to have the kernels measured as compiled");
  else if (g->predicted_ns > 0) place_text_add(&t, "run without PLACE_TRIALS=0 to have it measured");
  else if (g->saved_ns > 0 && gain_net_ns(g) < 0 && g->changed)
    place_text_add(&t, "run longer: what was found pays with each launch, and finding out comes once");
  else add_remedy(rt, g, &t);
  if (t.length) return out;
  if (g->looked && is_kept(rt)) place_text_add(&t, "nothing to do; the next run begins with what was found");
  else if (g->looked) place_text_add(&t, "nothing to do");
  return out;
}

/* One size of a region in the report for programs. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "class.h"
#include "json.h"
#include "place/launch_reason.h"
#include "words.h"

/* What each function needs to know. */
struct put {
  struct json *j;
  const struct runtime *rt;
  const struct rt_region *region;
  const struct rt_device_region *state;
  const struct rt_class *c;
};

static bool on_host(const struct put *p) { return p->state->launches && p->state->fallback_launches == p->state->launches; }

static void put_plain(struct json *j, const char *name, const char *text) {
  char plain[512];
  json_text(j, name, text && *text ? words_plain(text, plain, sizeof plain) : NULL);
}

/* What a plan does: "as compiled" where it does nothing. */
static void put_plan(const struct put *p, const char *name, const struct place_plan *plan) {
  char text[512];
  class_describe(p->region->region, plan, text, sizeof text);
  json_text(p->j, name, *text ? text : "as compiled");
}

static const char *entry_of(const struct put *p, const struct place_plan *plan) {
  bool known = plan->version >= 0 && (size_t)plan->version < p->region->region->version_count;
  return known ? p->region->region->versions[plan->version].entry : p->region->region->entry;
}

/* ---- arrays ---- */

static void put_spaces(const struct put *p, size_t a) {
  const struct rt_class *c = p->c;
  int placeable = p->region->region->arrays[a].placeable;
  json_open(p->j, "spaces", '{');
  for (int s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (!place_array_may_tell(&p->region->region->arrays[a], (enum place_space)s)) continue;
    json_open(p->j, place_space_name((enum place_space)s), '{');
    put_plain(p->j, "excluded", on_host(p) ? WHY_ON_HOST : report_excluded(p->region, c, a, (enum place_space)s));
    json_known(p->j, "predicted_ns", placeable >= 0 ? c->predicted[placeable][s] : 0);
    json_known(p->j, "measured_ns", report_measured_ns(c, placeable, (enum place_space)s));
    json_known(p->j, "transactions", c->summary ? c->summary[a].transactions[s] : 0);
    json_close(p->j, '}');
  }
  json_close(p->j, '}');
}

static void put_array(const struct put *p, size_t a) {
  const struct place_array *array = &p->region->region->arrays[a];
  const struct place_plan *plan = report_plan(p->state, p->c);
  const struct place_version *version = plan && plan->version >= 0 ? &p->region->region->versions[plan->version] : NULL;
  enum place_space space = plan && array->placeable >= 0 ? plan->array[array->placeable].space : PLACE_GLOBAL;
  bool known = p->c->array[a].extent.known;
  json_open(p->j, NULL, '{');
  json_text(p->j, "name", array->name);
  json_count(p->j, "argument", (uint64_t)array->arg);
  json_number(p->j, "bytes", known ? (double)p->c->array[a].extent.bytes : NAN);
  json_text(p->j, "access", array->atomic ? "atomic" : array->written ? array->read ? "readwrite" : "write" : "read");
  json_text(p->j, "pattern", p->c->summary && *p->c->summary[a].pattern ? p->c->summary[a].pattern : NULL);
  json_text(p->j, "space", place_space_name(space));
  json_text(p->j, "route", place_route_name(version && version->route ? place_version_route(version, a) : place_space_route(space)));
  json_truth(p->j, "tiled", version && version->tiled && version->tiled[a]);
  put_spaces(p, a);
  json_close(p->j, '}');
}

/* ---- what runs ---- */

/* null where what is launched has no blocks. */
static void put_block(const struct put *p) {
  const struct place_plan *plan = report_plan(p->state, p->c);
  const struct place_version *version = plan && plan->version >= 0 ? &p->region->region->versions[plan->version] : NULL;
  struct json *j = p->j;
  if (!version || !version->block.dims) {
    json_text(j, "block", NULL);
    return;
  }
  json_open(j, "block", '{');
  json_open(j, "iterations", '[');
  for (unsigned d = 0; d < version->block.dims; d++) json_count(j, NULL, place_block_extent(&version->block, d));
  json_close(j, ']');
  json_count(j, "threads", version->threads);
  json_known(j, "teams", plan->teams);
  json_known(j, "steps", version->block.strip);
  json_known(j, "predicted_ns", plan->cost_ns);
  json_close(j, '}');
}

static const char *decided_by(const struct put *p) {
  const struct rt_class *c = p->c;
  if (!report_plan(p->state, c)) return NULL;
  if (p->state->force.any) return p->state->force.hinted ? "hint" : "force";
  return c->trusted ? "model" : c->recalled ? "earlier run" : "measurement";
}

/* null where the original runs. */
static void put_chosen(const struct put *p) {
  const struct place_plan *plan = report_plan(p->state, p->c);
  double apart = NAN;
  int tie = plan ? report_tie(p->c, &apart) : -1;
  json_text(p->j, "decided_by", decided_by(p));
  if (plan) put_plan(p, "chosen", plan);
  else json_text(p->j, "chosen", NULL);
  json_text(p->j, "version", plan ? entry_of(p, plan) : NULL);
  if (tie >= 0) put_plan(p, "nearly_as_fast", &p->c->plan[tie]);
  else json_text(p->j, "nearly_as_fast", NULL);
  put_block(p);
}

/* ---- how it came to be ---- */

static void put_trials(const struct put *p) {
  const struct rt_class *c = p->c;
  struct json *j = p->j;
  json_open(j, "trials", '[');
  for (int i = 0; c->plan && i < c->tune.arms; i++) {
    const struct tune_arm *arm = &c->tune.arm[i];
    json_open(j, NULL, '{');
    put_plan(p, "plan", &c->plan[i]);
    json_text(j, "version", entry_of(p, &c->plan[i]));
    json_truth(j, "baseline", !i);
    json_truth(j, "chosen", i == c->chosen && report_plan(p->state, c));
    json_known(j, "predicted_ns", c->plan[i].cost_ns);
    json_known(j, "first_ns", arm->first_ns);
    json_known(j, "median_ns", tune_median(arm->kernel_ns, arm->count));
    json_open(j, "kernel_ns", '[');
    for (unsigned k = 0; k < arm->count; k++) json_number(j, NULL, arm->kernel_ns[k]);
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_advice(const struct put *p) {
  struct json *j = p->j;
  json_open(j, "advice", '[');
  for (unsigned i = 0; i < p->c->advice_count; i++) {
    const struct place_advice *a = &p->c->advice[i];
    json_open(j, NULL, '{');
    json_text(j, "copy_of", p->region->region->arrays[a->array].name);
    json_count(j, "read_line", a->read_line);
    json_count(j, "written_line", a->written_line);
    json_text(j, "space", place_space_name(a->space));
    json_known(j, "predicted_base_ns", a->now_ns);
    json_known(j, "predicted_ns", a->then_ns + a->copy_ns);
    json_known(j, "copy_ns", a->copy_ns);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_timeline(const struct put *p) {
  const struct history *h = &p->c->history;
  struct json *j = p->j;
  json_open(j, "timeline", '[');
  for (unsigned i = 0; i < h->count; i++) {
    const struct history_event *e = &h->event[i];
    struct place_plan plan = history_plan(e, p->region->region->placeable_count);
    bool looked = e->kind == HISTORY_LOOKED;
    json_open(j, NULL, '{');
    json_number(j, "at_ns", p->rt->started_ns && e->at_ns >= p->rt->started_ns ? (double)(e->at_ns - p->rt->started_ns) : NAN);
    json_text(j, "event", history_name(e->kind));
    if (looked) json_text(j, "plan", NULL);
    else put_plan(p, "plan", &plan);
    json_known(j, "took_ns", e->ns);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_count(j, "timeline_left_out", h->dropped);
}

static void put_figures(const struct put *p) {
  const struct rt_class *c = p->c;
  struct json *j = p->j;
  json_known(j, "ran_ns", c->ran_ns);
  json_number(j, "saved_ns", c->saved_ns);
  json_known(j, "predicted_base_ns", c->predicted_base_ns);
  json_known(j, "predicted_ns", report_predicted_ns(p->state, c));
  json_known(j, "base_kernel_ns", report_base_ns(c));
  json_truth(j, "looked_at", c->summary != NULL);
  json_truth(j, "recalled", c->recalled);
  json_number(j, "original_of_base", bias_original(&c->bias));
  json_known(j, "kernel_ns", report_kernel_ns(c));
  json_known(j, "profile_ns", c->profile_ns);
  json_known(j, "solve_ns", c->solve_ns);
  json_known(j, "trial_ns", c->tune.spent_ns);
  json_count(j, "slices", c->slices);
  json_count(j, "waited_launches", c->waited_launches);
  json_count(j, "presumed_launches", c->presumed_launches);
  json_count(j, "comparisons", c->watch.pairs);
  json_count(j, "comparisons_lost", c->watch.lost);
  json_count(j, "untried", c->untried);
  json_count(j, "fallbacks", c->fallbacks);
  put_plain(j, "fallback_reason", c->fell_back);
  put_plain(j, "note", c->note);
}

void report_json_class(struct json *j, const struct runtime *rt, const struct rt_region *region, const struct rt_device_region *state,
                       const struct rt_class *c) {
  static const char *const phases[] = {"new", "trial", "settled"};
  const struct put p = {j, rt, region, state, c};
  json_open(j, NULL, '{');
  json_known(j, "trip_count", (double)c->shape.trip_count);
  json_known(j, "threads", c->shape.threads);
  json_known(j, "teams", c->shape.teams);
  json_count(j, "launches", c->launches);
  json_count(j, "placed_launches", c->placed_launches);
  json_text(j, "phase", on_host(&p) ? "host" : phases[c->phase]);
  put_plain(j, "left_alone", report_left_alone(rt, region, state, c));
  put_figures(&p);
  put_chosen(&p);
  put_trials(&p);
  put_timeline(&p);
  put_advice(&p);
  json_open(j, "arrays", '[');
  for (size_t a = 0; a < region->region->array_count; a++) put_array(&p, a);
  json_close(j, ']');
  json_close(j, '}');
}

/* The report for programs. */
#include "report.h"

#include <math.h>

#include "class.h"
#include "registry.h"

/* A JSON writer that knows when a comma is due. */
struct json {
  FILE *out;
  bool first; /* nothing yet in the innermost object or array */
};

static void separate(struct json *j) {
  if (!j->first) fputc(',', j->out);
  j->first = false;
}

static void put_string(struct json *j, const char *text) {
  fputc('"', j->out);
  for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p; p++) {
    if (*p == '"' || *p == '\\') fprintf(j->out, "\\%c", *p);
    else if (*p < 0x20 || *p >= 0x7f) fprintf(j->out, "\\u%04x", *p); /* bytes above 127 as Latin-1: always valid */
    else fputc(*p, j->out);
  }
  fputc('"', j->out);
}

static void key(struct json *j, const char *name) {
  separate(j);
  put_string(j, name);
  fputc(':', j->out);
}

static void open(struct json *j, const char *name, char bracket) {
  if (name) key(j, name);
  else separate(j);
  fputc(bracket, j->out);
  j->first = true;
}

static void close(struct json *j, char bracket) {
  fputc(bracket, j->out);
  j->first = false;
}

static void text(struct json *j, const char *name, const char *value) {
  key(j, name);
  if (value) put_string(j, value);
  else fputs("null", j->out);
}

static void number(struct json *j, const char *name, double value) {
  key(j, name);
  if (isfinite(value)) fprintf(j->out, "%.17g", value);
  else fputs("null", j->out);
}

static void count(struct json *j, const char *name, uint64_t value) {
  key(j, name);
  fprintf(j->out, "%llu", (unsigned long long)value);
}

static void truth(struct json *j, const char *name, bool value) {
  key(j, name);
  fputs(value ? "true" : "false", j->out);
}

/* ---- content ---- */

static void put_spaces(struct json *j, const struct rt_region *region, const struct rt_class *c, size_t a) {
  int p = region->region->arrays[a].placeable;
  open(j, "spaces", '{');
  for (int s = 0; s < PLACE_SPACE_COUNT; s++) {
    open(j, place_space_name((enum place_space)s), '{');
    text(j, "excluded", report_excluded(region, c, a, (enum place_space)s));
    if (p >= 0 && c->predicted[p][s] > 0) number(j, "predicted_ns", c->predicted[p][s]);
    if (c->summary && c->summary[a].transactions[s] > 0) number(j, "transactions", c->summary[a].transactions[s]);
    close(j, '}');
  }
  close(j, '}');
}

static void put_array(struct json *j, const struct rt_region *region, const struct rt_device_region *state,
                      const struct rt_class *c, size_t a) {
  const struct place_array *array = &region->region->arrays[a];
  const struct place_plan *plan = report_plan(state, c);
  enum place_space space = plan && array->placeable >= 0 ? plan->array[array->placeable].space : PLACE_GLOBAL;
  open(j, NULL, '{');
  text(j, "name", array->name);
  count(j, "argument", (uint64_t)array->arg);
  if (c->array[a].extent.known) count(j, "bytes", c->array[a].extent.bytes);
  text(j, "access", array->atomic ? "atomic" : array->written ? array->read ? "readwrite" : "write" : "read");
  text(j, "pattern", c->summary ? c->summary[a].pattern : NULL);
  text(j, "space", place_space_name(space));
  put_spaces(j, region, c, a);
  close(j, '}');
}

/* null where what is launched has no blocks. */
static void put_block(struct json *j, const struct place_region *r, const struct rt_device_region *state,
                      const struct rt_class *c) {
  const struct place_plan *plan = report_plan(state, c);
  const struct place_version *version = plan && plan->version >= 0 ? &r->versions[plan->version] : NULL;
  char shape[96];
  if (!version || !place_version_shape(version, shape, sizeof shape)) return text(j, "block", NULL);
  open(j, "block", '{');
  text(j, "shape", shape);
  count(j, "threads", version->threads);
  count(j, "teams", plan->teams);
  number(j, "predicted_ns", plan->cost_ns > 0 ? plan->cost_ns : NAN);
  open(j, "tiled", '[');
  for (size_t a = 0; version->tiled && a < r->array_count; a++)
    if (version->tiled[a]) separate(j), put_string(j, r->arrays[a].name);
  close(j, ']');
  close(j, '}');
}

static void put_trials(struct json *j, const struct rt_region *region, const struct rt_class *c) {
  char plan[160];
  open(j, "trials", '[');
  for (int i = 0; i < c->tune.arms; i++) {
    const struct tune_arm *arm = &c->tune.arm[i];
    class_describe(region->region, &c->plan[i], plan, sizeof plan);
    open(j, NULL, '{');
    text(j, "plan", *plan ? plan : "global");
    number(j, "predicted_ns", c->plan[i].cost_ns);
    number(j, "first_ns", arm->first_ns);
    open(j, "kernel_ns", '[');
    for (unsigned k = 0; k < arm->count; k++) separate(j), fprintf(j->out, "%.17g", arm->kernel_ns[k]);
    close(j, ']');
    close(j, '}');
  }
  close(j, ']');
}

/* What finding out cost, of what it may: null: any amount. */
static void put_budget(struct json *j, const struct runtime *rt, const struct budget *b) {
  open(j, "budget", '{');
  number(j, "ran_ns", b->ran_ns);
  number(j, "spent_ns", b->spent_ns);
  number(j, "most_spent_ns", b->most_spent_ns);
  number(j, "allowed_ns", rt->config.patience_ns > 0 ? budget_allowed(b) : NAN);
  close(j, '}');
}

static void put_class(struct json *j, const struct runtime *rt, const struct rt_region *region,
                      const struct rt_device_region *state, const struct rt_class *c) {
  static const char *const phases[] = {"new", "trial", "settled"};
  open(j, NULL, '{');
  count(j, "trip_count", c->shape.trip_count);
  count(j, "threads", c->shape.threads);
  count(j, "teams", c->shape.teams);
  count(j, "launches", c->launches);
  count(j, "placed_launches", c->placed_launches);
  text(j, "phase", state->launches && state->fallback_launches == state->launches ? "host" : phases[c->phase]);
  text(j, "left_alone", report_left_alone(rt, region, state, c));
  number(j, "predicted_base_ns", c->predicted_base_ns);
  number(j, "predicted_ns", c->predicted_ns);
  number(j, "base_kernel_ns", report_base_ns(c));
  truth(j, "recalled", c->recalled);
  number(j, "original_of_base", bias_original(&c->bias));
  number(j, "kernel_ns", report_kernel_ns(c));
  number(j, "profile_ns", c->profile_ns);
  number(j, "solve_ns", c->solve_ns);
  number(j, "trial_ns", c->tune.spent_ns);
  count(j, "waited_launches", c->waited_launches);
  count(j, "comparisons", c->watch.pairs);
  count(j, "comparisons_lost", c->watch.lost);
  count(j, "fallbacks", c->fallbacks);
  text(j, "fallback_reason", *c->fell_back ? c->fell_back : NULL);
  text(j, "note", *c->note ? c->note : NULL);
  put_block(j, region->region, state, c);
  put_trials(j, region, c);
  open(j, "arrays", '[');
  for (size_t a = 0; a < region->region->array_count; a++) put_array(j, region, state, c, a);
  close(j, ']');
  close(j, '}');
}

static void put_region(const struct runtime *rt, const struct rt_region *region, int device,
                       const struct rt_device_region *s, void *context) {
  struct json *j = context;
  const struct place_region *r = region->region;
  open(j, NULL, '{');
  text(j, "entry", r->entry);
  text(j, "function", r->function);
  text(j, "file", r->file);
  count(j, "line", r->line);
  text(j, "no_blocks", r->no_blocks);
  if (device >= 0) count(j, "device", (uint64_t)device);
  count(j, "launches", s ? s->launches : 0);
  if (s) {
    count(j, "original_launches", s->original_launches);
    count(j, "nowait_launches", s->nowait_launches);
    count(j, "host_launches", s->fallback_launches);
    count(j, "decisions_reused", s->fast);
    number(j, "dispatch_ns", s->overhead_samples ? s->overhead_ns / (double)s->overhead_samples : 0);
    put_budget(j, rt, &s->budget);
    text(j, "force_note", *s->force_note ? s->force_note : NULL);
  }
  if (!s || !s->class_count) text(j, "left_alone", report_left_alone(rt, region, s, NULL));
  open(j, "classes", '[');
  for (unsigned i = 0; s && i < s->class_count; i++) put_class(j, rt, region, s, s->classes[i]);
  close(j, ']');
  close(j, '}');
}

void report_json_region(const struct runtime *rt, const struct rt_region *region, int device,
                        const struct rt_device_region *state, FILE *out) {
  struct json j = {out, true};
  put_region(rt, region, device, state, &j);
}

static void put_devices(struct json *j, const struct runtime *rt) {
  open(j, "devices", '[');
  for (int d = 0; d < RT_MAX_DEVICES; d++) {
    const struct rt_device *device = rt->device[d];
    if (!device) continue;
    open(j, NULL, '{');
    count(j, "device", (uint64_t)d);
    count(j, "launches", device->launches);
    count(j, "launches_without_table", device->unknown_launches);
    put_budget(j, rt, &device->budget);
    for (const struct rt_module_state *m = device->modules; m; m = m->next)
      if (m->bank.uploads || m->bank.downloads) {
        count(j, "constant_uploads", m->bank.uploads);
        count(j, "constant_downloads", m->bank.downloads);
        break;
      }
    close(j, '}');
  }
  close(j, ']');
}

void report_json(const struct runtime *rt, FILE *out) {
  struct json j = {out, true};
  open(&j, NULL, '{');
  text(&j, "machine", rt->machine ? rt->machine->name : NULL);
  text(&j, "machine_file", rt->machine_note);
  key(&j, "unified_shared_memory");
  fputs(rt->unified ? "true" : "false", out);
  open(&j, "messages", '[');
  for (unsigned i = 0; i < rt->config.message_count; i++) separate(&j), put_string(&j, rt->config.messages[i]);
  for (unsigned i = 0; registry_message(i); i++) separate(&j), put_string(&j, registry_message(i));
  close(&j, ']');
  put_devices(&j, rt);
  open(&j, "regions", '[');
  report_regions(rt, put_region, &j);
  close(&j, ']');
  close(&j, '}');
  fputc('\n', out);
}

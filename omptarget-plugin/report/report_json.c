/* The report for programs: regions and the whole. Its form is docs/report.md and report.schema.json. */
#define _GNU_SOURCE
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_name.h"
#include "gain.h"
#include "json.h"
#include "refused.h"
#include "registry.h"
#include "words.h"

enum { SCHEMA_VERSION = 1 };

/* What finding out cost, of what it may: null: any amount. */
static void put_budget(struct json *j, const struct runtime *rt, const struct budget *b) {
  json_open(j, "budget", '{');
  json_number(j, "ran_ns", b->ran_ns);
  json_number(j, "gained_ns", b->gained_ns);
  json_number(j, "spent_ns", b->spent_ns);
  json_number(j, "most_spent_ns", b->most_spent_ns);
  json_number(j, "allowed_ns", rt->config.patience_ns > 0 ? budget_allowed(b) : NAN);
  json_close(j, '}');
}

/* ---- regions ---- */

static void put_state(struct json *j, const struct runtime *rt, const struct rt_device_region *s) {
  json_count(j, "original_launches", s->original_launches);
  json_count(j, "nowait_launches", s->nowait_launches);
  json_count(j, "host_launches", s->fallback_launches);
  json_count(j, "launches_seen_before", s->fast);
  json_known(j, "dispatch_ns", s->overhead_samples ? s->overhead_ns / (double)s->overhead_samples : 0);
  put_budget(j, rt, &s->budget);
  json_text(j, "force_note", *s->force_note ? s->force_note : NULL);
}

static void put_names(struct json *j, const struct place_region *r) {
  char name[1024], plain[1024], label[256];
  json_text(j, "entry", r->entry);
  json_text(j, "function", r->function);
  json_text(j, "name", words_full_name(r->function, name, sizeof name));
  json_text(j, "label", words_region(r, label, sizeof label));
  json_text(j, "file", words_has_file(r) ? r->file : NULL);
  json_count(j, "line", r->line);
  json_text(j, "no_blocks", r->no_blocks ? words_plain(r->no_blocks, plain, sizeof plain) : NULL);
}

static void put_region(const struct runtime *rt, const struct rt_region *region, int device, const struct rt_device_region *s,
                       void *context) {
  struct json *j = context;
  char plain[512];
  const char *alone = s && s->class_count ? NULL : report_left_alone(rt, region, s, NULL);
  json_open(j, NULL, '{');
  put_names(j, region->region);
  if (device >= 0) json_count(j, "device", (uint64_t)device);
  else json_text(j, "device", NULL);
  json_count(j, "launches", s ? s->launches : 0);
  if (s) put_state(j, rt, s);
  json_text(j, "left_alone", alone ? words_plain(alone, plain, sizeof plain) : NULL);
  json_open(j, "classes", '[');
  for (unsigned i = 0; s && i < s->class_count; i++) report_json_class(j, rt, region, s, s->classes[i]);
  json_close(j, ']');
  json_close(j, '}');
}

void report_json_region(const struct runtime *rt, const struct rt_region *region, int device, const struct rt_device_region *state,
                        FILE *out) {
  struct json j = {out, true};
  put_region(rt, region, device, state, &j);
}

/* ---- the whole ---- */

static void put_devices(struct json *j, const struct runtime *rt) {
  json_open(j, "devices", '[');
  for (int d = 0; d < RT_MAX_DEVICES; d++) {
    const struct rt_device *device = rt->device[d];
    if (!device) continue;
    json_open(j, NULL, '{');
    json_count(j, "device", (uint64_t)d);
    json_text(j, "name", *device->facts.name ? device->facts.name : NULL);
    json_count(j, "launches", device->launches);
    json_count(j, "launches_without_table", device->unknown_launches);
    put_budget(j, rt, &device->budget);
    const struct rt_module_state *m = device->modules;
    while (m && !m->bank.uploads && !m->bank.downloads) m = m->next;
    json_count(j, "constant_uploads", m ? m->bank.uploads : 0);
    json_count(j, "constant_downloads", m ? m->bank.downloads : 0);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_summary(struct json *j, const struct runtime *rt) {
  struct gain g;
  char text[640];
  gain_find(rt, &g);
  json_known(j, "elapsed_ns", g.elapsed_ns);
  json_open(j, "summary", '{');
  json_text(j, "headline", gain_headline(rt, &g, text, sizeof text));
  json_text(j, "next", *gain_next(rt, &g, text, sizeof text) ? text : NULL);
  json_number(j, "gained_ns", g.forced || g.predicted_ns > 0 ? NAN : gain_net_ns(&g));
  json_number(j, "saved_ns", g.saved_ns);
  json_number(j, "finding_out_ns", g.spent_ns);
  json_number(j, "dispatch_ns", g.dispatch_ns);
  json_number(j, "regions_ns", g.ran_ns);
  json_count(j, "regions", g.regions);
  json_count(j, "arrays_moved", g.moved);
  json_count(j, "other_loops", g.changed - g.moved);
  json_count(j, "as_compiled", g.regions - g.idle - g.changed);
  json_count(j, "not_launched", g.idle);
  json_count(j, "on_host", g.host);
  json_count(j, "launches_without_device", g.elsewhere);
  json_close(j, '}');
  gain_free(&g);
}

static const char *environment(const char *name) { return secure_getenv(name); }

static void put_process(struct json *j) {
  const char *rank = file_name_rank(environment);
  json_text(j, "program", program_invocation_short_name);
  json_count(j, "process", (uint64_t)getpid());
  json_number(j, "rank", rank ? strtod(rank, NULL) : NAN);
}

static void put_messages(struct json *j, const struct runtime *rt) {
  json_open(j, "messages", '[');
  for (unsigned i = 0; i < rt->config.message_count; i++) json_text(j, NULL, rt->config.messages[i]);
  for (unsigned i = 0; refused_text(i); i++) json_text(j, NULL, refused_text(i));
  json_close(j, ']');
}

/* What PLACE_REPORT=1 prints, line by line: readers of the file need not write it anew. */
static void put_text(struct json *j, const struct runtime *rt) {
  char *text = NULL, *rest, *line;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  json_open(j, "text", '[');
  if (memory) {
    report_text(rt, memory);
    fclose(memory);
    rest = text;
    while (rest && *rest && (line = strsep(&rest, "\n"))) json_text(j, NULL, line);
    free(text);
  }
  json_close(j, ']');
}

void report_json(const struct runtime *rt, FILE *out) {
  struct json j = {out, true};
  bool used = *rt->device_name;
  json_open(&j, NULL, '{');
  json_open(&j, "schema", '{');
  json_text(&j, "name", "place-report");
  json_count(&j, "version", SCHEMA_VERSION);
  json_close(&j, '}');
  json_text(&j, "place", PLACE_VERSION);
  put_process(&j);
  json_text(&j, "device_name", used ? rt->device_name : NULL);
  json_text(&j, "machine", used && rt->machine ? rt->machine->name : NULL);
  json_text(&j, "machine_file", used ? rt->machine_note : NULL);
  json_truth(&j, "unified_shared_memory", rt->unified);
  put_summary(&j, rt);
  put_messages(&j, rt);
  put_devices(&j, rt);
  json_open(&j, "regions", '[');
  report_regions(rt, put_region, &j);
  json_close(&j, ']');
  put_text(&j, rt);
  json_close(&j, '}');
  fputc('\n', out);
}

#define _GNU_SOURCE
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "file_name.h"
#include "place/file.h"
#include "registry.h"

void report_say(const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fprintf(stderr, "place: %s\n", text);
}

void report_name(const struct place_region *region, char *out, size_t size) {
  const char *file = region->file && *region->file ? region->file : "?", *slash = strrchr(file, '/');
  snprintf(out, size, "%.80s (%.60s:%u)", region->function ? region->function : "?", slash ? slash + 1 : file, region->line);
}

static const char *file_of(const struct place_region *r) { return r->file && *r->file ? r->file : "?"; }

void report_decision(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c) {
  const struct place_region *r = region->region;
  char text[160];
  if (!rt->config.verbose) return;
  if (c->phase == CLASS_TRIAL) {
    report_say("%s:%u %s: trying %d plans", file_of(r), r->line, r->function, c->plan_count - 1);
    for (int i = 1; i < c->plan_count; i++) {
      class_describe(r, &c->plan[i], text, sizeof text);
      report_say("  %s predicted %.6f ms, global %.6f ms", text, c->plan[i].cost_ns / 1e6, c->plan[0].cost_ns / 1e6);
    }
    return;
  }
  if (c->chosen >= 0) class_describe(r, &c->plan[c->chosen], text, sizeof text);
  report_say("%s:%u %s: %s %s", file_of(r), r->line, r->function, c->chosen >= 0 ? "keeps" : "left alone:",
             c->chosen >= 0 ? text : c->reason);
  for (int i = 0; c->tune.done && i < c->plan_count; i++) {
    class_describe(r, &c->plan[i], text, sizeof text);
    const struct tune_arm *a = &c->tune.arm[i];
    report_say("  %-40s measured %.6f ms in %u rounds, first launch %.6f ms", *text ? text : "global",
               tune_median(a->kernel_ns, a->count) / 1e6, a->count, a->first_ns / 1e6);
  }
}

static const char *environment(const char *name) { return secure_getenv(name); }

static void write_json(const struct runtime *rt) {
  struct place_diag diag = {""};
  struct place_file file = {.stream = NULL};
  char name[4096];
  if (!file_name_expand(rt->config.report_file, environment, name, sizeof name)) return report_say("PLACE_REPORT: the file's name is too long");
  if (place_file_begin(&file, name, &diag)) report_json(rt, file.stream);
  if (!file.stream || place_file_end(&file, &diag)) report_say("PLACE_REPORT: %s", diag.text);
}

void report_write(const struct runtime *rt) {
  if (rt->config.report == REPORT_TEXT) report_text(rt, stderr);
  if (rt->config.report == REPORT_JSON) write_json(rt);
}

/* ---- what both forms use ---- */

void report_regions(const struct runtime *rt,
                    void (*visit)(const struct runtime *, const struct rt_region *, int device,
                                  const struct rt_device_region *, void *),
                    void *context) {
  for (const struct rt_module *m = registry_modules(); m; m = m->next)
    for (size_t i = 0; i < m->region_count; i++) {
      const struct rt_region *region = &m->regions[i];
      bool any = false;
      for (int d = 0; d < RT_MAX_DEVICES; d++) {
        const struct rt_device_region *s = region->device[d];
        if (!s || !s->launches) continue;
        visit(rt, region, d, s, context);
        any = true;
      }
      if (!any) visit(rt, region, -1, NULL, context);
    }
}

static const char *unfinished(const struct runtime *rt, const struct rt_device_region *s, const struct rt_class *c) {
  if (c->phase == CLASS_NEW && c->launches == 1) return "launched once";
  if (c->phase == CLASS_NEW && s->budget.ran_ns < rt->config.patience_ns) return "its launches have not taken as long as PLACE_PATIENCE says";
  if (c->launches == 1 && c->phase == CLASS_TRIAL) return "launched once, looked at only";
  if (c->phase == CLASS_NEW && c->waited_launches) return "looking at it would have cost more than its budget (docs/budget.md)";
  if (c->phase == CLASS_TRIAL && c->waited_launches) return "the rest of its trial would have cost more than its budget (docs/budget.md)";
  if (c->phase == CLASS_TRIAL) return "too few launches to finish the trial";
  return "its launches ended before it was looked at, or were made by several threads at a time, or ran on the host";
}

const char *report_left_alone(const struct runtime *rt, const struct rt_region *region, const struct rt_device_region *s,
                              const struct rt_class *c) {
  if (rt->unified) return "the program requires unified_shared_memory";
  if (region->unusable) return region->unusable;
  if (!s) return "not launched";
  if (s->dropped) return s->dropped;
  if (s->fallback_launches == s->launches) return "it ran on the host";
  if (!c) return s->crowded ? "it is launched in too many sizes" : s->class_count ? NULL : "its launches cannot be looked into";
  if (s->force.any) return c->placed_launches ? NULL : *c->fell_back ? c->fell_back : *c->note ? c->note : s->force.hinted ? "#pragma place" : "PLACE_FORCE";
  if (c->phase != CLASS_SETTLED) return unfinished(rt, s, c);
  return c->chosen >= 0 ? NULL : c->reason;
}

const struct place_plan *report_plan(const struct rt_device_region *s, const struct rt_class *c) {
  if (s->force.any) return c->placed_launches && s->force.version != FORCE_PROFILE ? c->plan : NULL;
  return c->phase == CLASS_SETTLED && c->chosen >= 0 ? &c->plan[c->chosen] : NULL;
}

static const struct tune_arm *measured(const struct rt_class *c, int arm) {
  return c->tune.arms > arm && arm >= 0 && c->tune.arm[arm].count ? &c->tune.arm[arm] : NULL;
}

double report_base_ns(const struct rt_class *c) {
  const struct tune_arm *a = measured(c, 0);
  return a ? tune_original_ns(&c->tune) : 0;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double report_kernel_ns(const struct rt_class *c) {
  const struct tune_arm *a = measured(c, c->chosen);
  if (a) return tune_median(a->kernel_ns, a->count);
  double sorted[RT_SAMPLES];
  size_t n = c->samples < RT_SAMPLES ? c->samples : RT_SAMPLES;
  if (!n) return 0;
  memcpy(sorted, c->sample, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, ascending);
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

const char *report_excluded(const struct rt_region *region, const struct rt_class *c, size_t array, enum place_space space) {
  const struct place_array *a = &region->region->arrays[array];
  const struct place_array_summary *s = c && c->summary ? &c->summary[array] : NULL;
  if (space == PLACE_GLOBAL || space >= PLACE_SPACE_COUNT) return NULL;
  if (a->atomic) return "updated atomically";
  if (a->written) return "written";
  if (a->placeable < 0) return a->reason ? a->reason : "no version was compiled";
  if (!(a->candidates & PLACE_SPACE_BIT(space))) return a->reason ? a->reason : "no version was compiled";
  if (c && c->array[array].why_global) return c->array[array].why_global;
  if (c && place_space_home(space) == PLACE_HOME_CONSTANT && c->array[array].why_constant) return c->array[array].why_constant;
  if (s && s->candidates & PLACE_SPACE_BIT(space)) return NULL;
  return s && *s->excluded[space] ? s->excluded[space] : NULL;
}

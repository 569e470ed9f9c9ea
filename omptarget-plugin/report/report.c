#define _GNU_SOURCE
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "file_name.h"
#include "place/file.h"
#include "place/launch_reason.h"
#include "registry.h"
#include "words.h"

void report_say(const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fprintf(stderr, "place: %s\n", text);
}

void report_name(const struct place_region *region, char *out, size_t size) { words_region(region, out, size); }

static void say_measured(const struct rt_class *c, int arm, const char *what) {
  const struct tune_arm *a = &c->tune.arm[arm];
  char time[WORDS_FIGURE], first[WORDS_FIGURE];
  if (a->count)
    report_say("  %s: measured %s a launch (%u round%s)", what, words_time(tune_median(a->kernel_ns, a->count), time), a->count,
               a->count == 1 ? "" : "s");
  else if (a->first_ns > 0) report_say("  %s: %s in its first launch, not measured further", what, words_time(a->first_ns, first));
  else report_say("  %s: not launched", what);
}

static void say_trial(const struct place_region *r, const struct rt_class *c, const char *place) {
  char text[200], predicted[WORDS_FIGURE];
  report_say("%s: trying %d of what is possible", place, c->plan_count - 1);
  for (int i = 1; i < c->plan_count; i++) {
    class_describe(r, &c->plan[i], text, sizeof text);
    if (c->plan[i].cost_ns > 0) report_say("  %s: predicted %s a launch", text, words_time(c->plan[i].cost_ns, predicted));
    else report_say("  %s: nothing is predicted", text);
  }
}

void report_decision(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c) {
  const struct place_region *r = region->region;
  char text[200], place[256], plain[400];
  if (!rt->config.verbose) return;
  words_region(r, place, sizeof place);
  if (c->phase == CLASS_TRIAL) {
    say_trial(r, c, place);
    return;
  }
  if (c->chosen >= 0) class_describe(r, &c->plan[c->chosen], text, sizeof text);
  report_say("%s: %s: %s", place, c->chosen >= 0 ? "chosen" : "stays as compiled", c->chosen >= 0 ? text : words_plain(c->reason, plain, sizeof plain));
  for (int i = 0; c->tune.done && i < c->plan_count; i++) {
    class_describe(r, &c->plan[i], text, sizeof text);
    say_measured(c, i, *text ? text : "as compiled, with a timer");
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

/* In one piece: several processes may report on one terminal. */
static void write_text(const struct runtime *rt) {
  char *text = NULL;
  size_t length = 0;
  FILE *all = open_memstream(&text, &length);
  if (!all) return report_text(rt, stderr);
  report_text(rt, all);
  if (!fclose(all)) fwrite(text, 1, length, stderr);
  free(text);
}

void report_write(const struct runtime *rt) {
  if (rt->config.report == REPORT_TEXT) write_text(rt);
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

bool report_is_presumed(const struct rt_device_region *s, const struct rt_class *c) {
  if (!c || c->phase == CLASS_SETTLED || s->force.any) return false;
  return c->as_elsewhere || (c->phase == CLASS_NEW && c->presumed_launches && !c->waited_launches);
}

static const char *unfinished(const struct runtime *rt, const struct rt_region *region, const struct rt_device_region *s, const struct rt_class *c) {
  if (report_is_presumed(s, c)) return c->as_elsewhere ? WHY_AS_ELSEWHERE : WHY_PRESUMED;
  if (c->phase == CLASS_NEW && c->launches == 1) return WHY_LAUNCHED_ONCE;
  if (c->phase == CLASS_NEW && s->budget.ran_ns < budget_patience(rt->config.patience_ns, region->region->access_count)) return WHY_TOO_SHORT;
  if (c->launches == 1 && c->phase == CLASS_TRIAL) return WHY_LAUNCHED_ONCE_LOOKED_AT;
  if (c->phase == CLASS_NEW && c->waited_launches) return WHY_LOOKING_TOO_DEAR;
  if (c->phase == CLASS_TRIAL && c->waited_launches) return WHY_TRYING_TOO_DEAR;
  if (c->phase == CLASS_TRIAL) return WHY_TOO_FEW_LAUNCHES;
  return WHY_NOT_LOOKED_AT;
}

const char *report_left_alone(const struct runtime *rt, const struct rt_region *region, const struct rt_device_region *s,
                              const struct rt_class *c) {
  if (rt->unified) return WHY_UNIFIED;
  if (region->unusable) return region->unusable;
  if (!s) return WHY_NEVER_LAUNCHED;
  if (s->dropped) return s->dropped;
  if (s->fallback_launches == s->launches) return WHY_ON_HOST;
  if (!c) return s->crowded ? WHY_TOO_MANY_SIZES : s->class_count ? NULL : WHY_NOT_LOOKED_INTO;
  if (s->force.any) return c->placed_launches ? NULL : *c->fell_back ? c->fell_back : *c->note ? c->note : s->force.hinted ? "#pragma place" : "PLACE_FORCE";
  if (c->phase != CLASS_SETTLED) return unfinished(rt, region, s, c);
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

double report_measured_ns(const struct rt_class *c, int placeable, enum place_space space) {
  double least = 0;
  for (int i = 0; placeable >= 0 && c->plan && i < c->tune.arms; i++) {
    const struct tune_arm *a = &c->tune.arm[i];
    if (!a->count || c->plan[i].array[placeable].space != space) continue;
    double ns = i ? tune_median(a->kernel_ns, a->count) : tune_original_ns(&c->tune);
    if (!(least > 0) || ns < least) least = ns;
  }
  return least;
}

double report_predicted_ns(const struct rt_device_region *s, const struct rt_class *c) {
  const struct place_plan *plan = report_plan(s, c);
  return plan ? plan->cost_ns : c->predicted_base_ns;
}

int report_tie(const struct rt_class *c, double *apart) {
  double noise = tune_noise(&c->tune), chosen = report_kernel_ns(c);
  int found = -1;
  if (noise < TUNE_ALIKE) noise = TUNE_ALIKE;
  if (noise > 2 * TUNE_ALIKE_HASTY) noise = 2 * TUNE_ALIKE_HASTY;
  for (int i = 1; c->chosen > 0 && measured(c, c->chosen) && i < c->tune.arms; i++) {
    const struct tune_arm *a = measured(c, i);
    double more = a ? tune_median(a->kernel_ns, a->count) / chosen - 1 : INFINITY;
    if (i == c->chosen || fabs(more) > noise || (found >= 0 && fabs(more) >= fabs(*apart))) continue;
    found = i;
    *apart = more;
  }
  return found;
}

const char *report_excluded(const struct rt_region *region, const struct rt_class *c, size_t array, enum place_space space) {
  const struct place_array *a = &region->region->arrays[array];
  const struct place_array_summary *s = c && c->summary ? &c->summary[array] : NULL;
  if (space == PLACE_GLOBAL || space >= PLACE_SPACE_COUNT) return NULL;
  if (a->atomic) return WHY_UPDATED_ATOMICALLY;
  if (a->written) return WHY_REGION_WRITES;
  if (a->placeable < 0) return a->reason ? a->reason : WHY_NO_VERSION_THERE;
  if (!(a->candidates & PLACE_SPACE_BIT(space))) return a->reason ? a->reason : WHY_NO_VERSION_THERE;
  if (c && c->array[array].why_global) return c->array[array].why_global;
  if (c && place_space_home(space) == PLACE_HOME_CONSTANT && c->array[array].why_constant) return c->array[array].why_constant;
  if (c && place_space_home(space) == PLACE_HOME_TEXTURE && c->array[array].why_texture) return c->array[array].why_texture;
  if (s && s->candidates & PLACE_SPACE_BIT(space)) return NULL;
  return s && *s->excluded[space] ? s->excluded[space] : NULL;
}

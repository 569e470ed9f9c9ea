#define _GNU_SOURCE
#include "case_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_name.h"
#include "place/case.h"
#include "place/file.h"
#include "report.h"

static const char *environment(const char *name) { return secure_getenv(name); }

static void path_of(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c, const char *ending,
                    char *path, size_t size) {
  const struct place_region *r = region->region;
  char function[80], folder[3900] = "";
  size_t n = 0;
  if (file_name_expand(rt->config.case_folder, environment, folder, sizeof folder)) mkdir(folder, 0777);
  for (const char *at = r->function ? r->function : "?"; *at && n + 1 < sizeof function; at++)
    function[n++] = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at) ? *at : '_';
  function[n] = 0;
  snprintf(path, size, "%s/%s-%u-%" PRIu64 ".%s", folder, function, r->line, c->shape.trip_count, ending);
}

static FILE *begin_file(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c, const char *ending,
                        struct place_file *file) {
  char path[4096];
  struct place_diag diag = {""};
  path_of(rt, region, c, ending, path, sizeof path);
  if (!place_file_begin(file, path, &diag)) report_say("PLACE_CASE: %s", diag.text);
  return file->stream;
}

static void end_file(struct place_file *file) {
  struct place_diag diag = {""};
  if (place_file_end(file, &diag)) report_say("PLACE_CASE: %s", diag.text);
}

static FILE *append_to(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c) {
  char path[4096];
  struct place_diag diag = {""};
  path_of(rt, region, c, "plans", path, sizeof path);
  FILE *file = place_file_append(path, &diag);
  if (!file) report_say("PLACE_CASE: %s", diag.text);
  return file;
}

/* ---- the plans that can be forced ---- */

/* Spaces of an array that a plan may try: legal, and with room for a copy alone. */
static place_space_set spaces_of(const struct rt_region *region, const struct rt_class *c, const struct place_launch *launch,
                                 size_t array) {
  place_space_set set = region->region->arrays[array].candidates & launch->allowed[array];
  return (c->summary ? set & c->summary[array].candidates : set) | PLACE_SPACE_BIT(PLACE_GLOBAL);
}

struct list {
  FILE *file;
  const struct rt_region *region;
  const struct rt_class *c;
  const struct place_launch *launch;
  const struct place_machine *machine;
  bool made; /* whether this pass writes plans that a version is made for, or those that an open one serves */
  unsigned count;
};

static void put_plan(struct list *l, const uint8_t *space) {
  const struct place_region *r = l->region->region;
  struct place_plan plan;
  enum place_space spaces[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  bool global = true;
  for (unsigned p = 0; p < r->placeable_count; p++) spaces[p] = (enum place_space)space[p], global &= !space[p];
  int version = place_version_find(r, space);
  bool made = global || (version >= 0 && !place_version_is_open(r, &r->versions[version]));
  if (made != l->made || (!made && version < 0) || l->count == CASE_MOST_PLANS) return;
  const struct place_question question = {l->region->table, r, l->launch, {NULL}, l->machine, PLACE_MODEL_PLACE, NULL};
  if (place_plan_make(&question, spaces, PLACE_VERSION_ANY, &plan, NULL)) return; /* no room */
  char separator = ':';
  fprintf(l->file, "%s", r->entry);
  for (size_t a = 0; a < r->array_count; a++) {
    if (r->arrays[a].placeable < 0) continue;
    fprintf(l->file, "%carg%d=%s", separator, r->arrays[a].arg, place_space_name(spaces[r->arrays[a].placeable]));
    separator = ',';
  }
  fputc('\n', l->file);
  l->count++;
}

static void put_plans(struct list *l, size_t array, uint8_t *space) {
  const struct place_region *r = l->region->region;
  if (l->count == CASE_MOST_PLANS) return;
  if (array == r->array_count) return put_plan(l, space);
  if (r->arrays[array].placeable < 0) return put_plans(l, array + 1, space);
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (!(spaces_of(l->region, l->c, l->launch, array) >> s & 1)) continue;
    space[r->arrays[array].placeable] = (uint8_t)s;
    put_plans(l, array + 1, space);
  }
}

static void write_force(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c,
                        const struct place_launch *launch) {
  if (!rt->machine) return;
  struct place_file file;
  struct list l = {.file = begin_file(rt, region, c, "force", &file), .region = region, .c = c, .launch = launch,
                   .machine = rt->machine};
  uint8_t space[PLACE_MAX_PLACEABLE] = {0};
  if (!l.file) return;
  for (int pass = 0; pass < 2; pass++) {
    l.made = pass == 0;
    put_plans(&l, 0, space);
  }
  end_file(&file);
}

/* ---- the launch ---- */

void case_write(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c,
                const struct place_launch *launch, uint32_t *words) {
  const struct place_case one = {.region = region->region, .launch = *launch, .profile = words};
  size_t table_bytes = place_table_print(region->table, NULL, 0) + 1;
  size_t bytes = place_case_print(&one, rt->machine ? rt->machine->name : NULL, NULL, NULL, 0) + table_bytes;
  char *table = malloc(table_bytes), *text = malloc(bytes);
  struct place_file file;
  if (table && text && begin_file(rt, region, c, "case", &file)) {
    place_table_print(region->table, table, table_bytes);
    place_case_print(&one, rt->machine ? rt->machine->name : NULL, table, text, bytes);
    fputs(text, file.stream);
    end_file(&file);
    write_force(rt, region, c, launch);
  }
  free(table);
  free(text);
}

/* ---- measured plans ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void visit(const struct runtime *rt, const struct rt_region *region, int device, const struct rt_device_region *s,
                  void *context) {
  char letters[256];
  double sorted[RT_SAMPLES];
  (void)device;
  (void)context;
  for (unsigned i = 0; s && s->force.any && i < s->class_count; i++) {
    const struct rt_class *c = s->classes[i];
    const struct place_plan *plan = report_plan(s, c);
    uint8_t space[PLACE_MAX_PLACEABLE] = {0};
    size_t n = c->samples < RT_SAMPLES ? c->samples : RT_SAMPLES;
    FILE *file = plan && n && region->region->array_count < sizeof letters ? append_to(rt, region, c) : NULL;
    if (!file) continue;
    for (unsigned p = 0; p < region->region->placeable_count; p++) space[p] = (uint8_t)plan->array[p].space;
    place_case_plan_name(region->region, space, plan->version, letters, sizeof letters);
    memcpy(sorted, c->sample, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    fprintf(file, "plan %s %" PRIu64 " %.1f %.1f\n", letters, c->samples, report_kernel_ns(c), (sorted[n * 3 / 4] - sorted[n / 4]) / 2);
    fclose(file);
  }
}

void case_write_plans(const struct runtime *rt) { report_regions(rt, visit, NULL); }

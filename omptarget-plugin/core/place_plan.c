/* place-plan: what the model makes of a launch, without a GPU.
 *
 *   place-plan TABLE MACHINE.msl LAUNCH [REGION]
 *
 * TABLE is a region table's text (-fplugin-arg-place-dump=table; the checksum may be wrong), REGION a part of a region's
 * entry name (default: the first region). LAUNCH is a text of lines
 *   trip N | threads N | teams N | shared BYTES | arg NUMBER VALUE | extent ARRAY LO BYTES | allowed ARRAY SPACE[,SPACE]...
 * with ARRAY by name; '#' begins a comment. What is not given is unknown, and all spaces are allowed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/plan.h"

enum { MAX_ARGS = 64, MAX_ARRAYS = 64, MAX_PLANS = 16, MAX_BYTES = 1 << 22 };

struct scene {
  struct place_table table;
  const struct place_region *region;
  struct place_launch launch;
  uint64_t arg[MAX_ARGS];
  bool arg_known[MAX_ARGS];
  struct place_extent extent[MAX_ARRAYS];
  place_space_set allowed[MAX_ARRAYS];
};

static int fail(const char *what, const char *detail) {
  fprintf(stderr, "place-plan: %s%s\n", what, detail);
  return -1;
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = malloc(MAX_BYTES);
  if (file && text) *length = fread(text, 1, MAX_BYTES - 64, file);
  if (file) fclose(file);
  if (file && text) return text[*length] = 0, text;
  free(text);
  return fail("cannot read ", path), NULL;
}

/* Leaves the table of a compiler's output: from the first "place-table" on, with the right checksum. */
static char *seal(char *text, size_t *length) {
  char *begin = strstr(text, "place-table"), *end = NULL;
  if (!begin) return text;
  for (char *at = begin; (at = strstr(at, "\nend ")); at++) end = at + 1;
  if (!end) return text;
  *length = (size_t)(end - begin) +
            (size_t)sprintf(end, "end %016" PRIx64 "\n", place_fnv1a(begin, (size_t)(end - begin)));
  return begin;
}

static int open_table(struct scene *s, const char *path, const char *region) {
  size_t length = 0;
  struct place_diag diag = {""};
  char *text = read_file(path, &length);
  if (!text) return -1;
  char *table = seal(text, &length);
  int rc = place_table_read(table, length, &s->table, &diag);
  free(text);
  if (rc) return fail(diag.text, "");
  for (size_t i = 0; i < s->table.region_count && !s->region; i++)
    if (!region || strstr(s->table.regions[i].entry, region)) s->region = &s->table.regions[i];
  if (!s->region) return fail("no such region", "");
  return s->region->array_count > MAX_ARRAYS ? fail("too many arrays", "") : 0;
}

static int array_by_name(const struct scene *s, const char *name) {
  for (size_t i = 0; i < s->region->array_count; i++)
    if (strcmp(s->region->arrays[i].name, name) == 0) return (int)i;
  return -1;
}

static int set_allowed(struct scene *s, int array, char *list) {
  s->allowed[array] = PLACE_SPACE_BIT(PLACE_GLOBAL);
  for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
    enum place_space space;
    if (place_space_parse(word, strlen(word), &space)) return fail("no space is named ", word);
    s->allowed[array] |= PLACE_SPACE_BIT(space);
  }
  return 0;
}

static int launch_line(struct scene *s, const char *line) {
  char key[16] = "", name[256] = "", list[256] = "";
  uint64_t value = 0, bytes = 0;
  int64_t lo;
  if (sscanf(line, " %15s", key) != 1 || key[0] == '#') return 0;
  if (sscanf(line, " trip %" SCNu64, &value) == 1) return s->launch.trip_count = value, 0;
  if (sscanf(line, " threads %" SCNu64, &value) == 1) return s->launch.threads = (uint32_t)value, 0;
  if (sscanf(line, " teams %" SCNu64, &value) == 1) return s->launch.teams = (uint32_t)value, 0;
  if (sscanf(line, " shared %" SCNu64, &value) == 1) return s->launch.dynamic_shared_bytes = (uint32_t)value, 0;
  if (sscanf(line, " arg %" SCNu64 " %" SCNi64, &value, &lo) == 2 && value < MAX_ARGS)
    return s->arg[value] = (uint64_t)lo, s->arg_known[value] = true, 0;
  bool extent = sscanf(line, " extent %255s %" SCNi64 " %" SCNu64, name, &lo, &bytes) == 3;
  bool allowed = !extent && sscanf(line, " allowed %255s %255s", name, list) == 2;
  int array = array_by_name(s, name);
  if (!extent && !allowed) return fail("cannot read the launch's line: ", line);
  if (array < 0) return fail("no array is named ", name);
  if (allowed) return set_allowed(s, array, list);
  s->extent[array] = (struct place_extent){lo, bytes, true};
  return 0;
}

static int open_launch(struct scene *s, const char *path) {
  size_t length = 0;
  char *text = read_file(path, &length);
  int rc = text ? 0 : -1;
  s->launch = (struct place_launch){.arg = s->arg, .arg_known = s->arg_known, .args = MAX_ARGS, .extent = s->extent,
                                    .allowed = s->allowed};
  for (int i = 0; i < MAX_ARRAYS; i++) s->allowed[i] = (1u << PLACE_SPACE_COUNT) - 1;
  for (char *line = text, *next; rc == 0 && line && *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    rc = launch_line(s, line);
    if (!next) break;
  }
  free(text);
  return rc;
}

static void print_array(const struct place_array *array, const struct place_array_summary *summary) {
  printf("  %-12s %-20s %10.1f accesses a warp;", array->name, summary->pattern, summary->accesses_per_warp);
  for (unsigned p = 0; p < PLACE_SPACE_COUNT; p++) {
    if (summary->excluded[p][0]) printf(" %s: %s;", place_space_name((enum place_space)p), summary->excluded[p]);
    else printf(" %s: %.1f;", place_space_name((enum place_space)p), summary->transactions[p]);
  }
  printf("\n");
}

static void print_plan(const struct place_region *region, const struct place_plan *plan) {
  printf("  %10.4f ms ", plan->cost_ns * 1e-6);
  for (size_t i = 0; i < region->array_count; i++) {
    int placeable = region->arrays[i].placeable;
    if (placeable < 0) continue;
    printf(" %s=%s", region->arrays[i].name, place_space_name(plan->array[placeable].space));
    if (plan->array[placeable].window_bytes)
      printf("[%" PRId64 "+%" PRIu64 "]", plan->array[placeable].window_lo, plan->array[placeable].window_bytes);
  }
  if (plan->teams) printf("  %u teams", plan->teams);
  if (plan->shared_bytes) printf("  %u B shared", plan->shared_bytes);
  printf("  %s\n", plan->version < 0 ? "original" : region->versions[plan->version].entry);
}

static int show(const struct scene *s, const char *machine_path) {
  static struct msl_diagnostics why;
  static struct place_plan plans[MAX_PLANS];
  static struct place_array_summary summary[MAX_ARRAYS];
  struct place_diag diag = {""};
  struct place_machine *machine = msl_read_file(machine_path, &why);
  if (!machine) return fail("cannot read the machine: ", why.count ? why.items[0].message : machine_path);
  int count = place_plan_rank(&s->table, s->region, &s->launch, NULL, machine, NULL, plans, MAX_PLANS, summary, &diag);
  msl_free(machine);
  if (count < 0) return fail(diag.text, "");
  printf("%s (%s:%u %s)\n", s->region->entry, s->region->file, s->region->line, s->region->function);
  for (size_t i = 0; i < s->region->array_count; i++) print_array(&s->region->arrays[i], &summary[i]);
  for (int i = 0; i < count; i++) print_plan(s->region, &plans[i]);
  return 0;
}

int main(int argc, char **argv) {
  static struct scene scene;
  if (argc != 4 && argc != 5) return fail("usage: place-plan TABLE MACHINE.msl LAUNCH [REGION]", ""), 2;
  int rc = open_table(&scene, argv[1], argc == 5 ? argv[4] : NULL);
  if (rc == 0) rc = open_launch(&scene, argv[3]);
  if (rc == 0) rc = show(&scene, argv[2]);
  place_table_free(&scene.table);
  return rc ? 1 : 0;
}

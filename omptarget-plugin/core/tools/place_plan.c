/* place-plan: what a model makes of a launch, without a GPU.
 *
 *   place-plan [--model NAME] [--explain ARRAY=SPACE[,...] | --routes arrays|loads] TABLE MACHINE.msl LAUNCH [REGION]
 *   place-plan [--model NAME] [--explain ARRAY=SPACE[,...] | --routes arrays|loads] CASE MACHINE.msl
 *
 * TABLE is a region table's text (-fplugin-arg-place-dump=table; the checksum may be wrong), REGION a part of a region's
 * entry name (default: the first region), LAUNCH the launch's lines of a case (include/place/case.h), CASE a whole one.
 * Prints the arrays and the plans, ranked; with --explain the terms of one plan, arrays not named being in global memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/case.h"
#include "place/tool.h"

static const struct place_tool tool = {
  "place-plan", "usage: place-plan [--model NAME] [--explain ARRAY=SPACE[,...] | --routes WHAT] TABLE MACHINE.msl LAUNCH [REGION]\n"
                "       place-plan [--model NAME] [--explain ARRAY=SPACE[,...] | --routes WHAT] CASE MACHINE.msl\n"
                "       place-plan --help | --version\n"
                "what a model makes of a launch, without a GPU: the arrays, and the plans, ranked\n"
                "  TABLE              a region table's text (-fplugin-arg-place-dump=table)\n"
                "  LAUNCH             the launch's lines of a case\n"
                "  CASE               a launch and its table, as PLACE_CASE=DIR writes it\n"
                "  REGION             a part of the region's name (default: the first region)\n"
                "  --model NAME       place (default), porple, huang, rules, learned, bypass\n"
                "  --routes WHAT      which loads had better go past L1: WHAT is arrays, or loads\n"
                "  --explain A=S,...  the terms of one plan; arrays that are not named are in global memory\n"
                "Status 1: something cannot be read; 2: the arguments are wrong.\n"};

enum { MAX_ARRAYS = 64, MAX_PLANS = 16, MAX_BYTES = 1 << 22 };

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

static int open_table(struct place_case *c, const char *path, const char *region) {
  size_t length = 0;
  struct place_diag diag = {""};
  char *text = read_file(path, &length);
  if (!text) return -1;
  char *table = seal(text, &length);
  int rc = place_table_read(table, length, &c->table, &diag);
  free(text);
  if (rc) return fail(diag.text, "");
  for (size_t i = 0; i < c->table.region_count && !c->region; i++)
    if (!region || strstr(c->table.regions[i].entry, region)) c->region = &c->table.regions[i];
  if (!c->region) return fail("no such region", "");
  return 0;
}

static int open_launch(struct place_case *c, const char *path) {
  size_t length = 0;
  struct place_diag diag = {""};
  char *text = read_file(path, &length);
  int rc = text ? place_case_launch_new(c, &diag) : -1;
  for (char *line = text, *next; rc == 0 && line && *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    line += strspn(line, " ");
    if (*line && *line != '#') rc = place_case_launch_line(c, line, &diag);
    if (rc > 0) rc = place_diag_set(&diag, "cannot read the launch's line: %.200s", line);
    if (!next) break;
  }
  free(text);
  return rc && *diag.text ? fail(diag.text, "") : rc;
}

static int open_case(struct place_case *c, const char *path) {
  size_t length = 0;
  struct place_diag diag = {""};
  char *text = read_file(path, &length);
  int rc = text ? place_case_read(text, length, c, &diag) : -1;
  free(text);
  return rc && *diag.text ? fail(diag.text, "") : rc;
}

static void print_array(const struct place_array *array, const struct place_array_summary *summary) {
  printf("  %-12s %-20s %10.1f accesses a warp;", array->name, summary->pattern, summary->accesses_per_warp);
  for (unsigned p = 0; p < PLACE_SPACE_COUNT; p++) {
    if (!place_array_may_tell(array, (enum place_space)p)) continue;
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

/* The spaces of --explain. */
static int parse_plan(const struct place_region *region, char *text, enum place_space *spaces) {
  for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
    char *equals = strchr(word, '=');
    int array = -1;
    enum place_space space;
    if (!equals || place_space_parse(equals + 1, strlen(equals + 1), &space)) return fail("not array=space: ", word);
    *equals = 0;
    for (size_t i = 0; i < region->array_count; i++)
      if (strcmp(region->arrays[i].name, word) == 0) array = (int)i;
    if (array < 0 || region->arrays[array].placeable < 0) return fail("no placeable array is named ", word);
    spaces[region->arrays[array].placeable] = space;
  }
  return 0;
}

static int explain(const struct place_case *c, const struct place_machine *machine, enum place_model model, char *plan) {
  enum place_space spaces[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  const struct place_question question = place_case_question(c, machine, model);
  struct place_diag diag = {""};
  char *text = malloc(MAX_BYTES);
  int rc = text ? parse_plan(c->region, plan, spaces) : -1;
  if (rc == 0 && !place_plan_explain(&question, spaces, text, MAX_BYTES, &diag))
    rc = fail(diag.text, "");
  if (rc == 0) fputs(text, stdout);
  free(text);
  return rc;
}

static int routes(const struct place_case *c, const struct place_machine *machine, enum place_route_group group) {
  const struct place_question question = place_case_question(c, machine, PLACE_MODEL_PLACE);
  struct place_diag diag = {""};
  char *text = malloc(MAX_BYTES);
  int rc = text && place_plan_routes(&question, group, text, MAX_BYTES, &diag) ? 0 : fail(diag.text, "");
  if (rc == 0) fputs(text, stdout);
  free(text);
  return rc;
}

static int rank(const struct place_case *c, const struct place_machine *machine, enum place_model model) {
  static struct place_plan plans[MAX_PLANS];
  static struct place_array_summary summary[MAX_ARRAYS];
  const struct place_question question = place_case_question(c, machine, model);
  struct place_ranking ranking = {.plans = plans, .capacity = MAX_PLANS, .summary = summary};
  struct place_diag diag = {""};
  if (c->region->array_count > MAX_ARRAYS) return fail("too many arrays", "");
  int count = place_plan_rank(&question, PLACE_SOLVER_AUTO, &ranking, &diag);
  if (count < 0) return fail(diag.text, "");
  printf("%s (%s:%u %s)\n", c->region->entry, c->region->file, c->region->line, c->region->function);
  for (size_t i = 0; i < c->region->array_count; i++) print_array(&c->region->arrays[i], &summary[i]);
  for (int i = 0; i < count; i++) print_plan(c->region, &plans[i]);
  return 0;
}

/* What is asked for beside a ranking. */
struct wish {
  char *plan;         /* to be explained, or NULL */
  const char *routes; /* "arrays", "loads", or NULL */
};

static int show(const struct place_case *c, const char *machine_path, enum place_model model, const struct wish *wish) {
  static struct msl_diagnostics why;
  char installed[4096];
  struct place_machine *machine = msl_read_file(place_tool_machine(machine_path, installed, sizeof installed), &why);
  if (!machine) return fail("cannot read the machine: ", why.count ? why.items[0].message : machine_path);
  int rc = wish->plan ? explain(c, machine, model, wish->plan)
           : wish->routes ? routes(c, machine, strcmp(wish->routes, "loads") ? PLACE_ROUTE_ARRAYS : PLACE_ROUTE_LOADS)
                          : rank(c, machine, model);
  msl_free(machine);
  return rc;
}

int main(int argc, char **argv) {
  struct place_case c = {.region = NULL};
  enum place_model model = PLACE_MODEL_PLACE;
  struct wish wish = {NULL, NULL};
  int status;
  if (place_tool_answers(&tool, argc, argv, &status)) return status;
  for (; argc > 2 && !strncmp(argv[1], "--", 2); argc -= 2, argv += 2) {
    if (!strcmp(argv[1], "--explain")) wish.plan = argv[2];
    else if (!strcmp(argv[1], "--routes") && (!strcmp(argv[2], "arrays") || !strcmp(argv[2], "loads"))) wish.routes = argv[2];
    else if (!strcmp(argv[1], "--routes")) return place_tool_misused(&tool, "--routes takes arrays or loads, not", argv[2]);
    else if (strcmp(argv[1], "--model")) return place_tool_misused(&tool, "there is no option", argv[1]);
    else if (place_model_parse(argv[2], strlen(argv[2]), &model)) return place_tool_misused(&tool, "there is no model", argv[2]);
  }
  if (argc > 1 && argv[1][0] == '-') return place_tool_misused(&tool, "there is no option, or it lacks its value:", argv[1]);
  if (argc < 3 || argc > 5) return place_tool_misused(&tool, argc < 3 ? "files are missing" : "too many files", NULL);
  int rc = argc == 3 ? open_case(&c, argv[1]) : open_table(&c, argv[1], argc == 5 ? argv[4] : NULL);
  if (rc == 0 && argc > 3) rc = open_launch(&c, argv[3]);
  if (rc == 0) rc = show(&c, argv[2], model, &wish);
  place_case_free(&c);
  return place_tool_end(&tool, rc ? PLACE_TOOL_FAILED : PLACE_TOOL_DONE);
}

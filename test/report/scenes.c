/* States of the runtime made by hand, reported: scenes NAME text|json. For test_report.py. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "registry.h"
#include "report.h"

enum { MS = 1000000, REGIONS = 12 };

/* ---- what the report asks the registry ---- */

static struct rt_region regions[REGIONS];
static struct rt_module module = {.regions = regions};
static const char *registry_says;

struct rt_module *registry_modules(void) { return &module; }
const char *refused_text(unsigned n) { return n ? NULL : registry_says; }
unsigned registry_image_count(void) { return 1; }
static const char *no_versions;
const char *registry_no_versions(void) { return no_versions; }

/* ---- regions ---- */

static struct runtime rt;
static struct rt_device device;
static struct place_machine machine = {.name = (char[]){"NVIDIA H200"}};
static uint64_t now(void) { return 6000ull * MS; } /* 5.6 s after the start */

static int8_t global[] = {0, 0, -1}, constant[] = {0, 2, -1}, shared[] = {0, 3, -1};
static bool tiled[] = {true, true, false};
static struct place_version versions[] = {
  {.entry = (char[]){"base"}, .role = PLACE_ROLE_BASE, .space = global, .teams = PLACE_EXPR_NONE},
  {.entry = (char[]){"blocks"}, .role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_BLOCK, .space = global, .threads = 256,
   .block = {2, {8, 32}, {8, 2}, {true, false}, 16, true, false}, .tiled = tiled, .teams = PLACE_EXPR_NONE},
  {.entry = (char[]){"in_constant"}, .role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = constant, .teams = PLACE_EXPR_NONE},
  {.entry = (char[]){"in_shared"}, .role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = shared, .teams = PLACE_EXPR_NONE},
  {.entry = (char[]){"straight"}, .role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = global, .teams = PLACE_EXPR_NONE},
  {.entry = (char[]){"natural"}, .role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .teams = PLACE_EXPR_NONE}};
enum { BASE, BLOCKS, IN_CONSTANT, IN_SHARED, STRAIGHT, NATURAL };
static struct place_array arrays[] = {
  {.name = (char[]){"in"}, .read = true, .placeable = 0, .candidates = 11, .element_bytes = 4},
  {.name = (char[]){"weight"}, .read = true, .placeable = 1, .candidates = 15, .element_bytes = 4},
  {.name = (char[]){"out"}, .written = true, .placeable = -1, .candidates = 1, .element_bytes = 4}};

static struct rt_region *add(const char *function, const char *file, unsigned line, unsigned array_count) {
  struct place_region *r = calloc(1, sizeof *r);
  char entry[200];
  snprintf(entry, sizeof entry, "__omp_offloading_10302_2f3a_%s_l%u", function, line);
  *r = (struct place_region){.entry = strdup(entry), .function = strdup(function), .file = strdup(file), .line = line, .arrays = arrays,
                             .array_count = array_count, .versions = versions, .version_count = sizeof versions / sizeof *versions,
                             .placeable_count = array_count < 2 ? array_count : 2};
  regions[module.region_count].region = r;
  return &regions[module.region_count++];
}

static struct rt_class *launched(struct rt_region *region, uint64_t launches, double ran_ns) {
  struct rt_device_region *s = region->device[0];
  struct rt_class *c = calloc(1, sizeof *c);
  if (!s) s = calloc(1, sizeof *s);
  region->device[0] = s;
  c->array = calloc(4, sizeof *c->array);
  c->summary = calloc(4, sizeof *c->summary);
  for (size_t a = 0; a < region->region->array_count; a++) {
    c->array[a].extent = (struct place_extent){0, a == 1 ? 256 : 4 << 20, true};
    strcpy(c->summary[a].pattern, a == 1 ? "uniform" : "stride 1");
    c->summary[a].candidates = 15;
  }
  strcpy(c->summary[0].excluded[PLACE_SHARED], "larger than what a team has (4 MiB of 48 KiB)");
  c->summary[0].candidates = 3;
  c->chosen = -1;
  c->launches = launches;
  c->ran_ns = ran_ns;
  c->shape.trip_count = 1000 << s->class_count;
  class_make_room(c);
  s->classes[s->class_count++] = c;
  s->launches += launches;
  s->budget = budget_with(BUDGET_REGION_NS);
  budget_ran(&s->budget, ran_ns);
  s->overhead_samples = 10, s->overhead_ns = 10 * 2500;
  return c;
}

/* A trial of plans: versions and medians, the first the base. */
static void tried(struct rt_class *c, unsigned plans, const int *version, const double *ms) {
  for (unsigned i = 0; i < plans; i++) {
    c->plan[i] = (struct place_plan){.placeable_count = 2, .version = version[i]};
    for (unsigned p = 0; p < 2; p++) c->plan[i].array[p].space = (enum place_space)versions[version[i]].space[p];
    c->tune.arm[i] = (struct tune_arm){.kernel_ns = {ms[i] * MS, ms[i] * MS * 1.004, ms[i] * MS * 0.997}, .count = 3, .first_ns = 2 * ms[i] * MS};
  }
  c->tune.arms = c->plan_count = (int)plans;
  c->tune.best = 1;
  c->tune.original = 1;
  c->phase = CLASS_TRIAL;
  c->tune.done = true;
  c->tune.bounded = true;
  c->tune.period_launches = 1;
  c->tune.spent_ns = 12.0 * MS;
}

static void settles(struct rt_region *region, struct rt_class *c, int winner, const char *reason) {
  c->tune.winner = winner;
  if (winner > 0) c->tune.best = winner;
  double base = c->tune.arm[0].kernel_ns[0], best = c->tune.arm[c->tune.best].kernel_ns[0];
  c->tune.gain = 1 - best / base;
  c->tune.reason = reason;
  class_after_trial(c, region);
  c->placed_launches = winner > 0 ? c->launches - 4 : 0;
  c->saved_ns = c->gain_ns * (double)c->placed_launches;
  uint64_t at = 420ull * MS;
  history_add(&c->history, (struct history_event){.at_ns = at, .ns = 1.2 * MS, .kind = HISTORY_LOOKED}, NULL);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < c->tune.arms; i++)
      history_add(&c->history, (struct history_event){.at_ns = at += 4ull * MS, .ns = c->tune.arm[i].kernel_ns[round], .kind = HISTORY_TRIED},
                  &c->plan[i]);
  history_add(&c->history, (struct history_event){.at_ns = at + MS, .kind = winner > 0 ? HISTORY_CHOSE : HISTORY_KEPT},
              winner > 0 ? &c->plan[winner] : NULL);
}

/* ---- scenes ---- */

static void multiply(void) {
  struct rt_region *region = add("multiply", "src/mm.c", 9, 3);
  struct rt_class *c = launched(region, 400, 290.0 * MS);
  tried(c, 2, (const int[]){BASE, BLOCKS}, (const double[]){3.68, 0.656});
  c->plan[0].cost_ns = c->predicted_base_ns = 4.0 * MS;
  c->plan[1].cost_ns = 0.5 * MS, c->plan[1].teams = 1024;
  c->predicted[0][0] = c->predicted[1][0] = 4.0 * MS, c->predicted[0][1] = 3.9 * MS;
  settles(region, c, 1, NULL);
  budget_charge(&region->device[0]->budget, 1.5 * MS);
}

/* Two placements that measure alike. */
static void convolve(void) {
  struct rt_region *region = add("convolve", "src/conv.c", 14, 3);
  struct rt_class *c = launched(region, 60, 20.0 * MS);
  tried(c, 3, (const int[]){BASE, IN_CONSTANT, IN_SHARED}, (const double[]){0.55, 0.32, 0.321});
  c->plan[0].cost_ns = c->predicted_base_ns = 0.56 * MS;
  c->plan[1].cost_ns = 0.31 * MS, c->plan[2].cost_ns = 0.33 * MS;
  c->predicted[1][0] = 0.56 * MS, c->predicted[1][2] = 0.31 * MS, c->predicted[1][3] = 0.33 * MS, c->predicted[1][1] = 0.5 * MS;
  settles(region, c, 1, NULL);
}

static void unsure(void) {
  struct rt_region *region = add("gather", "src/gather.c", 33, 3);
  struct rt_class *c = launched(region, 80, 90.0 * MS);
  tried(c, 2, (const int[]){BASE, NATURAL}, (const double[]){1.2, 0.895});
  c->tune.unsure = true;
  settles(region, c, -1, "the measured gain is within the noise");
}

static void slower(void) {
  struct rt_region *region = add("sum", "src/sum.c", 70, 3);
  struct rt_class *c = launched(region, 50, 60.0 * MS);
  tried(c, 2, (const int[]){BASE, STRAIGHT}, (const double[]){1.2, 1.3});
  settles(region, c, -1, "measured gain below the threshold");
  region->region->no_blocks == NULL ? (void)0 : abort();
  ((struct place_region *)region->region)->no_blocks = strdup("it calls __omp_offloading_10302_2f3a_helper_l3_device");
}

/* A C++ template; its trial waits for its budget. */
static void waiting(void) {
  struct rt_region *region = add("_ZN3fem5applyIfEEvPKT_PS1_i", "src/fem.cpp", 120, 3);
  struct rt_class *c = launched(region, 12, 300.0 * MS);
  c->phase = CLASS_NEW;
  c->waited_launches = 5;
}

static void program(void) {
  rt = (struct runtime){.ops.now_ns = now, .started_ns = 400ull * MS, .active = true,
                        .config = {.trials = 3, .threshold = 0.01, .patience_ns = 2e6}};
  rt.machine = &machine;
  strcpy(rt.device_name, "NVIDIA H200");
  strcpy(rt.machine_note, "costs of the built-in h200.msl");
  device = (struct rt_device){.number = 0, .budget = budget_with(BUDGET_PROGRAM_NS)};
  strcpy(device.facts.name, "NVIDIA H200");
  budget_ran(&device.budget, 1000.0 * MS);
  budget_charge(&device.budget, 4.1 * MS);
  rt.device[0] = &device;
}

static void whole(void) {
  program();
  multiply();
  convolve();
  unsure();
  slower();
  waiting();
  add("never", "src/never.c", 5, 3);
}

static void ten(void) {
  char name[24];
  program();
  multiply();
  for (unsigned i = 0; i < 11; i++) {
    snprintf(name, sizeof name, "step_%u", i);
    struct rt_class *c = launched(add(name, "src/steps.c", 10 + i, 0), 3 + i, (i + 1.0) * MS);
    class_keep_original(c, "no array that it reads can be placed");
  }
}

static void forced(void) {
  program();
  struct rt_region *region = add("convolve", "src/conv.c", 14, 3);
  struct rt_class *c = launched(region, 60, 20.0 * MS);
  region->device[0]->force.any = true;
  tried(c, 1, (const int[]){IN_CONSTANT}, (const double[]){0.32});
  memset(&c->tune, 0, sizeof c->tune);
  c->phase = CLASS_NEW;
  free(c->summary), c->summary = NULL; /* what is forced is not looked at */
  c->placed_launches = 60;
  for (int i = 0; i < 60; i++) c->sample[c->samples++] = 0.32 * MS;
  device.budget = budget_with(BUDGET_PROGRAM_NS);
}

static void trusted(void) {
  program();
  rt.config.trials = 0;
  struct rt_class *c = launched(add("convolve", "src/conv.c", 14, 3), 60, 20.0 * MS);
  tried(c, 2, (const int[]){BASE, IN_CONSTANT}, (const double[]){1, 1});
  memset(&c->tune, 0, sizeof c->tune);
  c->phase = CLASS_SETTLED, c->chosen = 1, c->trusted = true, c->placed_launches = 58;
  c->predicted_base_ns = 0.56 * MS, c->predicted_ns = c->plan[1].cost_ns = 0.14 * MS;
}

static void on_host(void) {
  program();
  struct rt_region *region = add("convolve", "", 14, 3);
  struct rt_class *c = launched(region, 6, 0);
  c->phase = CLASS_SETTLED;
  strcpy(c->reason, "in: not mapped, or of unknown extent");
  c->array[0].why_global = c->array[1].why_global = "not mapped, or of unknown extent";
  region->device[0]->fallback_launches = 6;
  region->device[0]->overhead_samples = 0;
  device.budget = budget_with(BUDGET_PROGRAM_NS);
}

static void loss(void) {
  program();
  convolve();
  budget_charge(&device.budget, 30.0 * MS);
}

/* A trial that its budget does not cover. */
static void hint(void) {
  program();
  struct rt_class *c = launched(add("convolve", "src/conv.c", 14, 3), 60, 20.0 * MS);
  tried(c, 3, (const int[]){BASE, IN_SHARED, IN_CONSTANT}, (const double[]){1, 1, 1});
  memset(&c->tune, 0, sizeof c->tune);
  c->tune.arms = 3;
  c->waited_launches = 40;
  c->plan[0].cost_ns = c->predicted_base_ns = 0.56 * MS;
  c->plan[1].cost_ns = 0.33 * MS, c->plan[2].cost_ns = 0.31 * MS;
}

/* Two sizes of one region. */
static void sizes(void) {
  program();
  convolve();
  struct rt_class *c = launched(&regions[0], 9, 7.0 * MS);
  class_keep_original(c, "no prediction is better; closest: weight in constant memory (3.0%% slower)");
  c->untried = 2;
}

static void none(void) {
  program();
  rt.device[0] = NULL;
  *rt.device_name = 0;
  add("never", "src/never.c", 5, 3);
}

/* Versions whose first launch was enough; a launch of which nobody knows how long it is. */
static void far_longer(void) {
  program();
  struct rt_region *region = add("scan", "src/scan.c", 21, 3);
  struct rt_class *c = launched(region, 30, 40.0 * MS);
  tried(c, 2, (const int[]){BASE, NATURAL}, (const double[]){1.2, 9.5});
  c->tune.arm[0].count = c->tune.arm[1].count = 0;
  strcpy(c->summary[0].pattern, "irregular via edge_start_of_node");
  settles(region, c, -1, NULL);
  strcpy(c->reason, "all that was tried took far longer");
  c->saved_ns = 0;
  c = launched(region, 4, 1.0 * MS);
  class_keep_original(c, "no array that it reads can be placed");
  c->shape.trip_count = 0;
  budget_charge(&region->device[0]->budget, 1.5 * MS);
}

/* A prediction that gains less than what place itself costs. */
static void trusted_loss(void) {
  trusted();
  budget_charge(&device.budget, 40.0 * MS);
}

/* A region that no device took. */
static void no_device(void) {
  none();
  rt.host_launches = 1;
}

/* Device code for another kind of device, which ran. */
static void other_device(void) {
  program();
  strcpy(rt.device_name, "a device that is no NVIDIA GPU");
  strcpy(rt.machine_note, "costs of the built-in h200.msl are assumed");
  *device.facts.name = 0;
  device.unknown_launches = 1;
  device.budget = budget_with(BUDGET_PROGRAM_NS);
  no_versions = "its device code is not for NVIDIA GPUs";
}

/* A copy that the program could make, with lines and without. */
static void advice(void) {
  static struct place_advice found[] = {{2, 17, 19, PLACE_SHARED, 17800, 11200, 1700}, {0, 18, 0, PLACE_CONSTANT, 17800, 14000, 1800},
                                        {1, 0, 0, PLACE_READONLY, 17800, 15000, 1700}};
  program();
  struct rt_class *c = launched(add("mark", "src/mark.c", 14, 3), 40, 0.9 * MS);
  class_keep_original(c, "no array that is only read");
  c->solve_ns = 300000;
  c->advice = found;
  c->advice_count = sizeof found / sizeof *found;
}

/* What takes most time stays as it is, for a reason with a remedy. */
static void remedy(void) {
  program();
  class_keep_original(launched(add("inner", "src/solve.c", 31, 3), 200, 1900.0 * MS), "compiled without optimisation (-O0)");
}

static void odd_names(void) {
  program();
  launched(add("quote\"back\\slash\ttab\x01", "caf\xc3\xa9/broken\xff\xc3(.c", 1, 3), 1, 2.0 * MS);
  registry_says = "a message with \"quotes\"\nand \x7f, \xe2\x82\xac and \xe2\x82";
}

static const struct {
  const char *name;
  void (*make)(void);
} scenes[] = {{"whole", whole}, {"ten", ten},     {"forced", forced}, {"trusted", trusted}, {"on_host", on_host},
              {"loss", loss},   {"sizes", sizes}, {"none", none},     {"odd_names", odd_names}, {"hint", hint},
              {"advice", advice}, {"no_device", no_device}, {"other_device", other_device},
              {"far_longer", far_longer}, {"trusted_loss", trusted_loss}, {"remedy", remedy}};

int main(int argc, char **argv) {
  if (argc == 3)
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
      if (strcmp(scenes[i].name, argv[1])) continue;
      scenes[i].make();
      if (!strcmp(argv[2], "json")) report_json(&rt, stdout);
      else report_text(&rt, stdout);
      return 0;
    }
  fprintf(stderr, "usage: scenes NAME text|json\n");
  return 2;
}

#define _GNU_SOURCE
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file_name.h"
#include "place/nearest.h"
#include "place/text.h"

void config_message(struct config *config, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (config->message_count < sizeof config->messages / sizeof config->messages[0] &&
      (config->messages[config->message_count] = strdup(text)))
    config->message_count++;
}

/* ---- parsers: 0, or -1 for a malformed value ---- */

static bool is_one_of(const char *value, const char *const *words) {
  while (*words && strcasecmp(value, *words)) words++;
  return *words != NULL;
}

static int parse_switch(const char *value, bool *on) {
  static const char *const yes[] = {"1", "on", "yes", "true", NULL}, *const no[] = {"0", "off", "no", "false", NULL};
  if (!is_one_of(value, yes) && !is_one_of(value, no)) return -1;
  *on = is_one_of(value, yes);
  return 0;
}

/* A word without any of these is more likely a value that was meant otherwise than a file in the current folder. */
static bool is_file_name(const char *value) { return strpbrk(value, "/.%") != NULL; }

static int parse_place(struct config *c, const char *value) {
  bool on = true;
  int rc = parse_switch(value, &on);
  c->off = !on;
  return rc;
}

static int parse_report(struct config *c, const char *value) {
  static const char *const text[] = {"2", "stderr", "text", NULL};
  bool on;
  if (*value == '=') value++; /* PLACE_REPORT==file, an easy slip */
  if (!parse_switch(value, &on)) return c->report = on ? REPORT_TEXT : REPORT_NONE, 0;
  if (is_one_of(value, text)) return c->report = REPORT_TEXT, 0;
  if (!is_file_name(value) || !file_name_is_valid(value)) return -1;
  c->report = REPORT_JSON;
  c->report_file = value;
  return 0;
}

static int parse_force(struct config *c, const char *value) { return c->force = value, 0; }

static int parse_trials(struct config *c, const char *value) {
  char *end;
  unsigned long n = strtoul(value, &end, 10);
  if (*end || end == value || *value == '-' || n > 8) return -1;
  c->trials = (unsigned)n;
  return 0;
}

static int parse_patience(struct config *c, const char *value) {
  char *end;
  double ms = strtod(value, &end);
  if (*end || end == value || !(ms >= 0 && ms < 1e9)) return -1;
  c->patience_ns = ms * 1e6;
  return 0;
}

static int parse_threshold(struct config *c, const char *value) {
  char *end;
  double percent = strtod(value, &end);
  if (*end == '%') end++;
  if (*end || end == value || !(percent >= 0 && percent < 100)) return -1;
  c->threshold = percent / 100;
  return 0;
}

static int parse_machine(struct config *c, const char *value) { return c->machine_file = value, 0; }

static int parse_solver(struct config *c, const char *value) {
  static const struct {
    const char *name;
    enum place_solver solver;
  } known[] = {{"auto", PLACE_SOLVER_AUTO}, {"exact", PLACE_SOLVER_EXACT}, {"glpk", PLACE_SOLVER_GLPK},
               {"greedy", PLACE_SOLVER_GREEDY}, {"brute", PLACE_SOLVER_BRUTE}, {"ilp", PLACE_SOLVER_ILP}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(value, known[i].name)) return c->solver = known[i].solver, 0;
  return -1;
}

static int parse_model(struct config *c, const char *value) { return place_model_parse(value, strlen(value), &c->model); }

static int parse_forest(struct config *c, const char *value) { return c->forest_file = value, 0; }

static int parse_case(struct config *c, const char *value) {
  return file_name_is_valid(value) ? (c->case_folder = value, 0) : -1;
}

static int parse_store(struct config *c, const char *value) {
  bool on;
  if (!parse_switch(value, &on)) return c->store = on ? NULL : "off", 0;
  return is_file_name(value) ? (c->store = value, 0) : -1;
}

static int parse_verbose(struct config *c, const char *value) { return parse_switch(value, &c->verbose); }

static int parse_shape(struct config *c, const char *value) {
  c->keeps_shape = !strcmp(value, "keep");
  return c->keeps_shape || !strcmp(value, "free") ? 0 : -1;
}

static int parse_slices(struct config *c, const char *value) {
  bool on;
  if (!strcmp(value, "always")) return c->slices = SLICES_ALWAYS, 0;
  if (parse_switch(value, &on)) return -1;
  return c->slices = on ? SLICES_OF_LONG : SLICES_OFF, 0;
}

/* ---- the table ---- */

static const struct variable {
  const char *name, *values, *initial, *meaning;
  int (*parse)(struct config *, const char *value);
} variables[] = {
  {"PLACE", "`on` or `off`", "`on`", "`off`: every call goes straight to libomptarget; nothing is profiled, placed or reported.",
   parse_place},
  {"PLACE_REPORT", "`0`, `1`, or the name of a file, with a `/`, a `.`, `%p` or `%r` in it", "`0`",
   "`1` (also `on`, `yes`, `true`, `text`, `stderr`, `2`): a report on stderr when the program ends. A file name: the same as "
   "JSON, written there; `%p` in it is the process id, `%r` the rank of an MPI process, `%%` a percent sign.", parse_report},
  {"PLACE_FORCE", "`region:array=space[,...][;...]`", "none",
   "Launches the named regions with the named spaces from the first launch on, where that is legal. Region: function, "
   "`file:line`, line, kernel name or `*`. Array: its name, `argN` or `all`. Space: `global`, `readonly`, `constant`, "
   "`shared`, `texture`, `texture2d`. `array@route` instead: a version whose loads of the array go that way (`docs/hints.md`). "
   "Instead of an array: `version=agnostic`, `version=profile`, `version=base`, or a loop form of "
   "`include/place/loop.def` with the number of the version of that form: `version=straight`, `version=block1` and so on.",
   parse_force},
  {"PLACE_TRIALS", "a whole number from 0 to 8", "`3`",
   "Plans that are measured on real launches before one is chosen; beside them the versions that differ in their loops alone, "
   "such as the straight loop, and at most four block versions. `0`: what the model predicts to be best is used unmeasured, if it promises enough (`docs/models.md`).",
   parse_trials},
  {"PLACE_THRESHOLD", "a percentage, at least 0 and below 100", "`1`",
   "Gain over global memory that a plan must be predicted to have before it is tried, and measured to have before it is kept.",
   parse_threshold},
  {"PLACE_PATIENCE", "a number of milliseconds, at least 0", "`2`",
   "What a region's launches must have taken together, at most, before anything is spent on it: profiling, ranking and trials cost about "
   "as much; a region of few accesses, which cost less, waits for less. `0`: it is looked at when it is launched for the second time, its trial is bounded by no budget, and what was chosen is not watched (`docs/budget.md`): for tests.",
   parse_patience},
  {"PLACE_MACHINE", "the name of a file", "chosen by the device", "The MSL file that describes the device's memories.",
   parse_machine},
  {"PLACE_SOLVER", "`auto`, `exact`, `glpk`, `greedy`, `ilp` or `brute`", "`auto`",
   "How the best plan is searched for. `exact`: by place's own search. `glpk`: by GLPK, which is opened then (`libglpk.so.40`). "
   "`greedy`: by a short search that proves nothing. `auto`: exactly up to 12 arrays, with GLPK where the search takes too long and "
   "GLPK is installed, else greedily. `ilp`: the same at any size; `brute`: all plans (for tests).", parse_solver},
  {"PLACE_MODEL", "`place`, `porple`, `huang`, `rules`, `learned` or `bypass`", "`place`", "The cost model that ranks plans (`docs/models.md`).",
   parse_model},
  {"PLACE_FOREST", "the name of a file", "the one that is built in",
   "The text that `PLACE_MODEL=learned` decides by, as `benchmarks/place-train` writes it (`docs/models.md`).", parse_forest},
  {"PLACE_CASE", "the name of a folder, in which `%p` and `%r` may be", "none",
   "Stores there what models need to know of each region's first launch, and what forced plans took, for `place-models`.",
   parse_case},
  {"PLACE_STORE", "`off`, or the name of a file, with a `/` or a `.` in it", "`place/verdicts.sqlite` in `$XDG_CACHE_HOME` or `~/.cache`",
   "Where what was settled on is kept for the next run (`docs/store.md`). `off`: nowhere.", parse_store},
  {"PLACE_SHAPE", "`free` or `keep`", "`free`",
   "`keep`: only versions that are launched with as many teams and threads as the original, also where nothing in the program "
   "can tell (`docs/loops.md`).", parse_shape},
  {"PLACE_SLICES", "`on`, `off` or `always`", "`on`",
   "Whether versions are tried on slices of one long launch (`docs/slices.md`). `always`: of every launch that may be split, "
   "however short: for tests.", parse_slices},
  {"PLACE_VERBOSE", "`0` or `1`", "`0`", "`1`: a line on stderr for each decision, as it is made.", parse_verbose},
};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

/* The table's words without the marks that they have in Markdown. */
static void plain(const char *text, char *out, size_t size) {
  size_t n = 0;
  for (; *text && n + 1 < size; text++)
    if (*text != '`') out[n++] = *text;
  out[n] = 0;
}

static void say_ignored(struct config *config, const struct variable *v, const char *value) {
  char values[200], initial[100];
  plain(v->values, values, sizeof values);
  plain(v->initial, initial, sizeof initial);
  config_message(config, "%s=%.200s is ignored: %s takes %s (default: %s)", v->name, value, v->name, values, initial);
}

void config_read(struct config *config, const char *(*get)(const char *name)) {
  *config = (struct config){.trials = 3, .threshold = 0.01, .patience_ns = 2e6, .solver = PLACE_SOLVER_AUTO,
                            .model = PLACE_MODEL_PLACE};
  for (unsigned i = 0; i < VARIABLES && !config->off; i++) {
    const struct variable *v = &variables[i];
    const char *value = get(v->name);
    if (value && *value && v->parse(config, value)) say_ignored(config, v, value);
  }
}

/* ---- names that nothing reads ---- */

/* Read by place's own tools and tests: they may be set where a program runs. */
static const char *const elsewhere[] = {"PLACE_BUILD", "PLACE_CUDA_PATH", "PLACE_FUZZ_", "PLACE_JOBS", "PLACE_LLVM_", "PLACE_PACK_",
                                        "PLACE_PLUGIN", "PLACE_RUNTIME", "PLACE_SIMT_", "PLACE_TEST_", NULL};

static bool is_known(const char *name) {
  for (unsigned i = 0; i < VARIABLES; i++)
    if (!strcmp(name, variables[i].name)) return true;
  for (const char *const *e = elsewhere; *e; e++) {
    size_t length = strlen(*e);
    if (!strncmp(name, *e, length) && ((*e)[length - 1] == '_' || !name[length])) return true;
  }
  return false;
}

static void say_unknown(struct config *config, const char *name) {
  char all[400] = "";
  struct place_nearest nearest;
  struct place_text list = {all, sizeof all, 0};
  place_nearest_start(&nearest, name);
  for (unsigned i = 0; i < VARIABLES; i++) {
    place_nearest_offer(&nearest, variables[i].name);
    place_text_add(&list, "%s%s", i ? ", " : "", variables[i].name);
  }
  if (nearest.best) config_message(config, "%s has no effect: there is no such variable; did you mean %s?", name, nearest.best);
  else config_message(config, "%s has no effect: there is no such variable; there are %s", name, all);
}

void config_check_names(struct config *config, char *const *environment) {
  for (; !config->off && environment && *environment; environment++) {
    char name[100];
    size_t length = strcspn(*environment, "=");
    if (strncmp(*environment, "PLACE_", strlen("PLACE_")) || length >= sizeof name) continue;
    memcpy(name, *environment, length);
    name[length] = 0;
    if (!is_known(name)) say_unknown(config, name);
  }
}

size_t config_document(char *out, size_t size) {
  size_t at = (size_t)snprintf(out, size, "| variable | values | default | meaning |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < VARIABLES; i++) {
    const struct variable *v = &variables[i];
    at += (size_t)snprintf(at < size ? out + at : NULL, at < size ? size - at : 0, "| `%s` | %s | %s | %s |\n", v->name,
                           v->values, v->initial, v->meaning);
  }
  return at;
}

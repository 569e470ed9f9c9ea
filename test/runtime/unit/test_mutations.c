/* 10,000 mutated settings: nothing crashes, and each is taken or named in a message. */
#include "fake.h"

#include <stdio.h>
#include <strings.h>

#include "config.h"
#include "file_name.h"
#include "force.h"

static uint64_t state_of_random = 88172645463325252u;

static unsigned random_below(unsigned n) {
  state_of_random ^= state_of_random << 13, state_of_random ^= state_of_random >> 7, state_of_random ^= state_of_random << 17;
  return (unsigned)(state_of_random >> 11) % n;
}

static char random_letter(void) {
  static const char likely[] = "=:;,*.%/-+0123456789eE_ \t\n\"'\\$`";
  unsigned n = random_below(4);
  return n == 0 ? (char)(1 + random_below(255)) : n == 1 ? (char)('a' + random_below(26)) : likely[random_below(sizeof likely - 1)];
}

/* One to four letters changed, put in, left out or repeated. */
static void mutate(const char *from, char *out, size_t size) {
  snprintf(out, size, "%s", from);
  for (unsigned i = 0, times = 1 + random_below(4); i < times; i++) {
    size_t length = strlen(out), at = random_below((unsigned)length + 1);
    unsigned what = random_below(4);
    if (what == 0 && at < length) out[at] = random_letter();
    else if (what == 1 && at < length) memmove(out + at, out + at + 1, length - at);
    else if (what == 2 && length + 2 < size) memmove(out + at + 1, out + at, length - at + 1), out[at] = random_letter();
    else if (2 * length + 1 < size) memcpy(out + length, out, length), out[2 * length] = 0;
  }
}

static const char *const settings[][2] = {
  {"PLACE", "off"}, {"PLACE_REPORT", "report-%p.json"}, {"PLACE_REPORT", "stderr"}, {"PLACE_TRIALS", "3"}, {"PLACE_THRESHOLD", "2.5%"},
  {"PLACE_PATIENCE", "0.5"}, {"PLACE_MACHINE", "a/b.msl"}, {"PLACE_SOLVER", "greedy"}, {"PLACE_MODEL", "porple"}, {"PLACE_FOREST", "a/b.forest"}, {"PLACE_CASE", "cases%r"},
  {"PLACE_STORE", "./store.sqlite"}, {"PLACE_SHAPE", "keep"}, {"PLACE_VERBOSE", "on"}};

static const char *name, *value;
static const char *get(const char *asked) { return !strcmp(asked, name) ? value : NULL; }

/* What the setting changed, so that a value that is neither taken nor named would show; -1: nothing. */
static bool is_taken(const struct config *c) {
  struct config d;
  const char *kept = name;
  name = "";
  config_read(&d, get);
  name = kept;
  return c->off != d.off || c->report != d.report || c->trials != d.trials || c->threshold != d.threshold ||
         c->patience_ns != d.patience_ns || c->machine_file != d.machine_file || c->forest_file != d.forest_file || c->solver != d.solver || c->model != d.model ||
         c->case_folder != d.case_folder || c->store != d.store || c->keeps_shape != d.keeps_shape || c->verbose != d.verbose;
}

/* Values that say what holds anyway. */
static bool is_default(const char *text) {
  static const char *const words[] = {"on", "off", "0", "1", "yes", "no", "true", "false", "auto", "place", "free"};
  char *end;
  double number = strtod(text, &end);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcasecmp(text + (*text == '='), words[i])) return true;
  return end != text && (number == 1 || number == 2 || number == 3);
}

static void values(void **state) {
  (void)state;
  enum { TIMES = 8000 };
  unsigned named = 0, taken = 0;
  for (unsigned i = 0; i < TIMES; i++) {
    char text[600], file[200];
    unsigned n = random_below(sizeof settings / sizeof *settings);
    struct config c;
    mutate(settings[n][1], text, sizeof text);
    name = settings[n][0], value = text;
    config_read(&c, get);
    assert_true(c.message_count <= 1);
    if (c.message_count) named++, assert_non_null(strstr(c.messages[0], " is ignored: "));
    else if (is_taken(&c)) taken++;
    else if (*text && !is_default(text)) fail_msg("%s=%s is neither taken nor named", name, text);
    if (c.report == REPORT_JSON) file_name_expand(c.report_file, get, file, sizeof file);
    for (unsigned k = 0; k < c.message_count; k++) free(c.messages[k]);
  }
  assert_true(named > TIMES / 4 && taken > TIMES / 4);
}

static void names(void **state) {
  (void)state;
  for (unsigned i = 0; i < 1000; i++) {
    char text[300] = "PLACE_", *environment[] = {text, NULL};
    struct config c;
    mutate("REPORT=1", text + 6, sizeof text - 6);
    name = "", value = "";
    config_read(&c, get);
    config_check_names(&c, environment);
    bool known = !strncmp(text, "PLACE_REPORT=", 13) || !strcmp(text, "PLACE_REPORT");
    if (!known && strcspn(text, "=") < 100) assert_int_equal(c.message_count, 1);
    for (unsigned k = 0; k < c.message_count; k++) free(c.messages[k]);
  }
}

static struct place_array arrays[] = {
  {.arg = 0, .name = "a", .read = true, .placeable = 0, .candidates = 0xb},
  {.arg = 2, .name = "o", .written = true, .placeable = -1, .candidates = 1},
};
static struct place_region region = {.entry = "__omp_offloading_1_2_main_l14", .function = "main", .file = "/x/src/conv.c",
                                     .line = 14, .arrays = arrays, .array_count = 2, .placeable_count = 1};
static unsigned said;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  assert_non_null(format);
  said++;
}

/* Either an error with a message, or something that is forced or named. */
static void forces(void **state) {
  (void)state;
  static const char *const from[] = {"main:a=shared", "conv.c:14:a=readonly,o=global;*:all=shared", "*:version=block3", "14:arg0=constant"};
  const struct place_region *const all[] = {&region};
  unsigned parsed = 0;
  for (unsigned i = 0; i < 4000; i++) {
    char text[400];
    struct place_diag diag = {""};
    struct force_choice choice;
    mutate(from[i % 4], text, sizeof text);
    struct force *force = force_parse(text, &diag);
    assert_int_equal(force == NULL, *diag.text != 0);
    if (!force) continue;
    parsed++, said = 0;
    int rc = force_apply(force, &region, &choice, &diag);
    force_check_names(force, all, 1, say);
    if ((!choice.any || rc) && !said) fail_msg("PLACE_FORCE=%s does nothing, and nothing is said: %s", text, diag.text);
    force_free(force);
  }
  printf("%u of 4000 were well-formed\n", parsed);
  assert_true(parsed > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(names), cmocka_unit_test(forces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

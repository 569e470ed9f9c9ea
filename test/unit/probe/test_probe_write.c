/* The machine file that a log makes. */
#include "support.h"

#include <math.h>

#include "../../../msl/internal.h"
#include "../../../msl/probe/stats.h"
#include "../../../msl/probe/write.h"

static char *written(const struct probe_log *log) {
  char error[PROBE_ERROR_BYTES] = "";
  char *text = probe_write(log, error);
  if (!text)
    fail_msg("%s", error);
  return text;
}

static struct place_machine *read_text(const char *text) {
  struct msl_diagnostics diagnostics;
  struct place_machine *machine = msl_read(text, strlen(text), "written", &diagnostics);
  if (!machine)
    fail_msg("line %u: %s", diagnostics.items[0].line, diagnostics.items[0].message);
  return machine;
}

static struct place_machine *machine_of(int which) {
  struct probe_log log = {0};
  read_stored(&log, which);
  char *text = written(&log);
  struct place_machine *machine = read_text(text);
  free(text);
  probe_log_free(&log);
  return machine;
}

/* Without its comments the file is what the printer prints. */
static void canonical(void **state) {
  (void)state;
  struct probe_log log = {0};
  read_stored(&log, 0);
  char *text = written(&log), *to = text;
  struct place_machine *machine = read_text(text);
  char *printed = msl_print(machine);
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n") + 1;
    assert_true(strncmp(line, "//", 2) != 0 || length <= 129);
    if (strncmp(line, "//", 2) != 0) {
      memmove(to, line, length);
      to += length;
    }
    line += length;
  }
  *to = 0;
  assert_string_equal(text, printed);
  msl_free(machine);
  free(printed);
  free(text);
  probe_log_free(&log);
}

/* Whatever a log lacks is left open: the file stays valid, without any one quantity and without all of them. */
static void incomplete(void **state) {
  (void)state;
  struct probe_log all = {0}, empty = {0};
  read_stored(&all, 1);
  char last[PROBE_NAME_BYTES] = "";
  for (size_t i = 0; i < all.point_count; i++) {
    if (!strcmp(last, all.points[i].quantity))
      continue;
    snprintf(last, sizeof last, "%s", all.points[i].quantity);
    struct probe_log log = {.rounds = all.rounds, .facts = all.facts, .fact_count = all.fact_count};
    for (size_t k = 0; k < all.point_count; k++)
      if (strcmp(all.points[k].quantity, last) != 0)
        probe_log_add(&log, all.points[k].quantity, all.points[k].round, all.points[k].x, all.points[k].samples,
                      all.points[k].count);
    char *text = written(&log);
    msl_free(read_text(text));
    free(text);
    log.facts = NULL;
    probe_log_free(&log);
  }
  probe_log_fact(&empty, "sms", "80");
  char *text = written(&empty);
  struct place_machine *machine = read_text(text);
  assert_int_equal(machine->sm_count, 80);
  assert_int_equal(msl_memory_by_name(machine, "L1")->read_latency.state, MSL_UNKNOWN);
  msl_free(machine);
  free(text);
  probe_log_free(&empty);
  probe_log_free(&all);
}

/* A quantity whose rounds disagree by more than the tolerance is marked, one that does not is not. */
static void uncertain(void **state) {
  (void)state;
  for (int off = 0; off < 2; off++) {
    struct probe_log log = {0};
    read_stored(&log, 1);
    for (size_t i = 0; i < log.point_count; i++)
      if (!strcmp(log.points[i].quantity, "chase.shared") && log.points[i].round == 1)
        for (unsigned k = 0; k < log.points[i].count; k++)
          log.points[i].samples[k] *= off ? 1.11 : 1.09;
    char *text = written(&log);
    struct place_machine *machine = read_text(text);
    assert_int_equal(msl_memory_by_name(machine, "sharedMem")->read_latency.unsure, off);
    assert_false(msl_memory_by_name(machine, "L1")->read_latency.unsure);
    msl_free(machine);
    free(text);
    probe_log_free(&log);
  }
}

/* ---- two runs ---------------------------------------------------------------------------------------------------- */

static unsigned compared;

static void close_to(const char *owner, const char *key, double a, double b, double tolerance, bool marked) {
  compared++;
  if (fabs(a - b) > tolerance * fmin(fabs(a), fabs(b)) && !marked)
    fail_msg("%s.%s: %g in one run, %g in the other, not marked", owner, key, a, b);
}

static void compare_curves(const char *owner, const char *key, const struct msl_curve *a, const struct msl_curve *b) {
  assert_int_equal(a->state, b->state);
  for (unsigned i = 0; a->state == MSL_GIVEN && i < a->count; i++)
    close_to(owner, key, a->points[i].cost_ns, msl_curve_at_ns(b, a->points[i].x), PROBE_THROUGHPUT_TOLERANCE,
             a->points[i].unsure);
}

static void compare_times(const char *owner, const char *key, const struct msl_time *a, const struct msl_time *b, bool marked) {
  assert_int_equal(a->state, b->state);
  bool latency = !strcmp(key, "latency") || !strcmp(key, "region") || !strcmp(key, "fill");
  if (a->state == MSL_GIVEN)
    close_to(owner, key, a->value, b->value, latency ? PROBE_LATENCY_TOLERANCE : PROBE_THROUGHPUT_TOLERANCE, marked);
}

/* a and b are of one run each: what is not marked in a agrees with b. */
static void compare_field(const char *owner, const struct msl_field *field, const void *a, const void *b) {
  const void *left = msl_at(a, field->offset), *right = msl_at(b, field->offset);
  switch (field->kind) {
  case MSL_KIND_TIME:
    compare_times(owner, field->key, left, right, ((const struct msl_time *)left)->unsure);
    break;
  case MSL_KIND_CURVE_BYTES:
  case MSL_KIND_CURVE_COUNT:
    compare_curves(owner, field->key, left, right);
    break;
  case MSL_KIND_FACTOR:
  case MSL_KIND_PER_CLK:
  case MSL_KIND_PER_SECOND:
  case MSL_KIND_HERTZ: {
    const struct msl_real *x = left, *y = right;
    assert_int_equal(x->state, y->state);
    if (x->state == MSL_GIVEN)
      close_to(owner, field->key, x->value, y->value, PROBE_THROUGHPUT_TOLERANCE, x->unsure);
    break;
  }
  case MSL_KIND_COUNT:
  case MSL_KIND_BYTES: {
    const struct msl_count *x = left, *y = right;
    assert_int_equal(x->state, y->state);
    if (x->state == MSL_GIVEN)
      close_to(owner, field->key, (double)x->value, (double)y->value, 0, x->unsure);
    break;
  }
  default:
    break;
  }
}

/* The stored logs are of three runs of the program, two one after the other and one later, on a machine started anew. */
static void repeatable(void **state) {
  (void)state;
  struct place_machine *runs[3];
  for (int i = 0; i < 3; i++)
    runs[i] = machine_of(i + 1);
  for (int i = 0; i < 9; i++) {
    const struct place_machine *a = runs[i / 3], *b = runs[i % 3];
    assert_int_equal(a->memory_count, b->memory_count);
    for (unsigned f = 0; f < msl_processor_field_count; f++)
      compare_field("processor", &msl_processor_fields[f], a, b);
    for (unsigned m = 0; m < a->memory_count; m++)
      for (unsigned f = 0; f < msl_memory_field_count; f++)
        compare_field(a->memories[m].name, &msl_memory_fields[f], &a->memories[m], &b->memories[m]);
  }
  assert_true(compared > 9 * 150);
  for (int i = 0; i < 3; i++)
    msl_free(runs[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(canonical), cmocka_unit_test(incomplete), cmocka_unit_test(uncertain),
                                     cmocka_unit_test(repeatable)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

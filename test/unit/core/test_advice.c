/* Advice on duplication: which arrays come into question, and that what is predicted for a copy is what the model says of a region
 * that reads from an array of its own. */
#include "support.h"

#include <math.h>

#include "place/advice.h"
#include "session.h"

static struct place_machine *machine;

/* %s: arrays and accesses, and the spaces of a version. */
#define REGION                                                                                                                    \
  "place-table 2\nregion mark_l1\nat 1 mark mark.c\nkind spmd\nlaunch 128 open - -\n"                                             \
  "loop 0 -1 udiv64(arg0 - 128*team + 128*teams - 1, 128*teams)\nloop 1 0 64\n%s"                                               \
  "version mark_l1_base role=base loop=original space=%s\nend 0\n"

#define READ_OWN "access 0 0 read 4 0 0 3 -1 -1 4*(tid + 128*team + 128*teams*L0)\n"
#define WRITE_OWN "access 1 0 write 4 0 0 4 -1 -1 4*(tid + 128*team + 128*teams*L0)\n"

static const char *const in_place = "array 0 0 mark 4 rw -1 global - written\n" READ_OWN WRITE_OWN;
static const char *const beside = "array 0 0 mark 4 rw -1 global - written\n"
                                  "access 0 0 read 4 0 0 3 -1 -1 4*(tid + 128*team + 128*teams*L0) + 4\n" WRITE_OWN;
static const char *const anywhere = "array 0 0 mark 4 rw -1 global - written\n"
                                    "access 0 0 read 4 1 0 7 -1 -1 4*zext11(any)\naccess 1 0 write 4 0 1 9 -1 -1 4*zext11(any)\n";
static const char *const copied = "array 0 0 mark 4 w -1 global - written\narray 1 1 copy 4 r 0 global,readonly,constant,shared - -\n"
                                  "access 0 1 read 4 1 0 7 -1 -1 4*zext11(any)\naccess 1 0 write 4 0 1 9 -1 -1 4*zext11(any)\n";
static const char *const atomic = "array 0 0 mark 4 a -1 global - written\naccess 0 0 atomic 4 1 0 7 -1 -1 4*zext11(any)\n";
static const char *const read_and_atomic = "array 0 0 mark 4 ra -1 global - written\n"
                                           "access 0 0 read 4 1 0 7 -1 -1 4*zext11(any)\naccess 1 0 atomic 4 0 1 9 -1 -1 4*zext11(any)\n";
static const char *const only_read = "array 0 0 mark 4 r 0 global - -\naccess 0 0 read 4 1 0 7 -1 -1 4*zext11(any)\n";
/* own elements through one loop, others through another: the first such read is told */
static const char *const both = "array 0 0 mark 4 rw -1 global - written\n" READ_OWN WRITE_OWN
                                "access 2 0 read 4 1 0 12 -1 -1 4*zext11(any)\n";

static void open_table(const char *arrays, const char *spaces, struct place_table *table) {
  char text[4096];
  struct place_diag diag = {""};
  size_t length = (size_t)snprintf(text, sizeof text, REGION, arrays, spaces);
  seal(text, &length);
  if (place_table_read(text, length, table, &diag)) fail_msg("%s:\n%s", diag.text, text);
}

static bool is_due(const char *arrays, const char *spaces) {
  struct place_table table;
  open_table(arrays, spaces, &table);
  bool due = place_advice_is_due(&table, &table.regions[0], NULL);
  place_table_free(&table);
  return due;
}

static void candidates(void **state) {
  (void)state;
  assert_true(is_due(beside, "-"));
  assert_true(is_due(anywhere, "-"));
  assert_true(is_due(both, "-"));
  assert_true(is_due(read_and_atomic, "-"));
  assert_false(is_due(in_place, "-"));
  assert_false(is_due(atomic, "-"));
  assert_false(is_due(only_read, "g"));
  assert_false(is_due(copied, "-,g"));
}

static const place_space_set allowed[] = {1, 15};
static const struct place_extent extents[] = {{0, 8192, true}, {0, 8192, true}};

static struct place_question ask(const struct place_table *table, const struct place_launch *launch) {
  return (struct place_question){table, &table->regions[0], launch, {NULL}, machine, PLACE_MODEL_PLACE, NULL};
}

static const uint64_t many[] = {131072}, few[] = {1024};
static const bool known[] = {true};
static const struct place_launch launch = {.arg = many, .arg_known = known, .args = 1, .extent = extents, .allowed = allowed, .trip_count = 131072, .threads = 128};

static int advise(const char *arrays, const struct place_launch *l, double threshold, struct place_advice *out) {
  struct place_table table;
  struct place_diag diag = {""};
  open_table(arrays, "-", &table);
  const struct place_question question = ask(&table, l);
  int count = place_advise(&question, NULL, threshold, out, &diag);
  if (count < 0) fail_msg("%s", diag.text);
  place_table_free(&table);
  return count;
}

static double best_cost(const char *arrays, const char *spaces, enum place_space *space) {
  struct place_table table;
  struct solve_result best;
  open_table(arrays, spaces, &table);
  const struct place_question question = ask(&table, &launch);
  struct session *s = session_open(&question, NULL);
  assert_non_null(s);
  assert_int_equal(session_solve(s, PLACE_SOLVER_BRUTE, &best, NULL), 0);
  double cost = session_cost(s, best.space, NULL);
  if (space) *space = (enum place_space)best.space[0];
  session_close(s);
  place_table_free(&table);
  return cost;
}

static void predictions(void **state) {
  (void)state;
  struct place_advice a[PLACE_MAX_ADVICE];
  enum place_space space;
  assert_int_equal(advise(anywhere, &launch, 0.01, a), 1);
  double with = best_cost(copied, "-,g", &space), now = best_cost(anywhere, "-", NULL);
  assert_true(a[0].then_ns == with && a[0].now_ns == now && a[0].space == space && a[0].array == 0);
  assert_true(a[0].read_line == 7 && a[0].written_line == 9);
  double copy = 2 * 8192.0 / msl_memory_by_name(machine, "globalMem")->read_gbps_per_die.value + msl_time_ns(machine, &machine->launch_time);
  assert_true(fabs(a[0].copy_ns - copy) < 1e-9 * copy);
  double gain = 1 - (with + copy) / now;
  assert_true(gain > 0.05);
  assert_int_equal(advise(anywhere, &launch, gain + 0.001, a), 0);
  assert_int_equal(advise(anywhere, &launch, gain - 0.001, a), 1);
  assert_int_equal(advise(both, &launch, 0.01, a), 1);
  assert_true(a[0].read_line == 12 && a[0].written_line == 4);
}

/* The same memory by two names: the one that is read is placed as if it were a copy. */
static void overlapping_arrays(void **state) {
  (void)state;
  static const place_space_set nowhere[] = {1, 1};
  static const bool overlaps[] = {false, true};
  struct place_table table;
  struct place_advice a[PLACE_MAX_ADVICE];
  struct place_launch l = launch;
  l.allowed = nowhere;
  open_table(copied, "-,g", &table);
  const struct place_question question = ask(&table, &l);
  assert_false(place_advice_is_due(&table, &table.regions[0], NULL));
  assert_true(place_advice_is_due(&table, &table.regions[0], overlaps));
  assert_int_equal(place_advise(&question, NULL, 0.01, a, NULL), 0);
  assert_int_equal(place_advise(&question, overlaps, 0.01, a, NULL), 1);
  assert_true(a[0].array == 1 && a[0].then_ns == best_cost(copied, "-,g", NULL) && a[0].now_ns > a[0].then_ns);
  assert_true(a[0].read_line == 7 && a[0].written_line == 0);
  place_table_free(&table);
}

/* Files of published figures know no empty kernel, and some no bandwidth. */
static void unknown_figures(void **state) {
  (void)state;
  struct place_memory *memory = (struct place_memory *)msl_memory_by_name(machine, "globalMem");
  struct msl_time launch_before = machine->launch_time;
  struct msl_real rate_before = memory->read_gbps_per_die;
  struct place_advice with[PLACE_MAX_ADVICE], without[PLACE_MAX_ADVICE];
  assert_int_equal(advise(anywhere, &launch, -10, with), 1);
  machine->launch_time.state = MSL_UNKNOWN;
  assert_int_equal(advise(anywhere, &launch, -10, without), 1);
  double copying = with[0].copy_ns - msl_time_ns(machine, &launch_before);
  assert_true(fabs(without[0].copy_ns - (2000 + copying)) < 1e-6);
  memory->read_gbps_per_die.state = MSL_UNKNOWN;
  assert_int_equal(advise(anywhere, &launch, -10, without), 1);
  assert_true(isfinite(without[0].copy_ns) && without[0].copy_ns > 2000);
  machine->launch_time = launch_before;
  memory->read_gbps_per_die = rate_before;
}

static void nothing_to_gain(void **state) {
  (void)state;
  struct place_advice a[PLACE_MAX_ADVICE];
  struct place_launch other = launch;
  assert_int_equal(advise(in_place, &launch, 0, a), 0);
  other.trip_count = few[0], other.arg = few; /* less than the copy takes */
  assert_int_equal(advise(anywhere, &other, 0.01, a), 0);
  static const struct place_extent unknown[] = {{0, 0, false}};
  other = launch, other.extent = unknown;
  assert_int_equal(advise(anywhere, &other, 0.01, a), 0);
}

static int open_machine(void **state) {
  (void)state;
  static struct msl_diagnostics why;
  machine = msl_read_file(MACHINES "/h200.msl", &why);
  return machine ? 0 : -1;
}

static int close_machine(void **state) {
  (void)state;
  msl_free(machine);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(candidates), cmocka_unit_test(predictions), cmocka_unit_test(overlapping_arrays), cmocka_unit_test(unknown_figures),
                                    cmocka_unit_test(nothing_to_gain)};
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}

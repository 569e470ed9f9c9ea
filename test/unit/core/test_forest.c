/* Forests: their text, what they say of a row, what is refused; the learned selector: its plans, its limits, and how long it takes.
 * Timings are the least of several runs, of processor time. */
#define _POSIX_C_SOURCE 200809L
#include "launches.h"

#include <dirent.h>
#include <math.h>
#include <time.h>

#include "forest.h"
#include "place/case.h"
#include "random_problem.h"
#include "session.h"
#include "stored_case.h"

static struct place_machine *machine;

/* gld_transactions up to 2: shared; beyond: by the second tree constant, where there are many loads. */
static const char *const two_trees =
  "place-forest 1\n# a remark\nspaces global constant shared\ntrees 2\n"
  "tree 3\nsplit gld_transactions 2 1 2\nleaf 0 0.5 -0.5\nleaf 0 -0.25 0.25\n"
  "tree 5\nsplit gld_transactions 2 3 1\nsplit loads_executed 4 2 4\nleaf 0 1 1\nleaf 0 -0.5 0.5\nleaf 0 -0.75 0\n";

static char *sealed(const char *text, size_t *length) {
  char *out = malloc(strlen(text) + 64);
  *length = (size_t)sprintf(out, "%s", text);
  *length += (size_t)sprintf(out + *length, "end %016llx\n", (unsigned long long)place_fnv1a(out, *length));
  return out;
}

static struct place_forest *read_sealed(const char *text, struct place_diag *diag) {
  size_t length;
  char *all = sealed(text, &length);
  struct place_forest *forest = place_forest_read(all, length, diag);
  free(all);
  return forest;
}

static void check_value(const struct place_forest *forest, double transactions, double loads, const double wanted[PLACE_SPACE_COUNT]) {
  double row[FEATURE_COUNT] = {0}, value[PLACE_SPACE_COUNT];
  row[FEATURE_gld_transactions] = transactions;
  row[FEATURE_loads_executed] = loads;
  forest_value(forest, row, value);
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) assert_true(value[s] == wanted[s]);
}

static void values(void **state) {
  (void)state;
  struct place_diag diag = {""};
  struct place_forest *forest = read_sealed(two_trees, &diag);
  if (!forest) fail_msg("%s", diag.text);
  check_value(forest, 2, 9, (double[PLACE_SPACE_COUNT]){[PLACE_CONSTANT] = 0, [PLACE_SHARED] = 0}); /* 0.5 - 0.5, -0.5 + 0.5 */
  check_value(forest, 3, 4, (double[PLACE_SPACE_COUNT]){[PLACE_CONSTANT] = 0.375, [PLACE_SHARED] = 0.625});
  check_value(forest, 3, 5, (double[PLACE_SPACE_COUNT]){[PLACE_CONSTANT] = -0.5, [PLACE_SHARED] = 0.125});
  place_forest_free(forest);
}

/* ---- what is refused ---- */

static void check_refused(const char *text, const char *what) {
  struct place_diag diag = {""};
  struct place_forest *forest = read_sealed(text, &diag);
  if (forest || !strstr(diag.text, what)) fail_msg("'%s' should say '%s', not '%s'", text, what, diag.text);
  assert_memory_equal(diag.text, "line ", 5);
  assert_non_null(strstr(diag.text, "; place-train --out FILE writes it anew"));
}

#define HEAD "place-forest 1\nspaces global shared\ntrees 1\n"

static void wrong_texts(void **state) {
  (void)state;
  check_refused("place-forest 2\nspaces global\ntrees 1\ntree 1\nleaf 0\n", "line 1: it is of form '2'");
  check_refused("place-table 1\n", "line 1: 'place-forest' and 1 word are missing");
  check_refused("place-forest 1\nspaces global attic\n", "line 2: there is no space 'attic'");
  check_refused("place-forest 1\nspaces global\ntrees 0\n", "line 3: '0' is not from 1 to 256");
  check_refused(HEAD "tree 1.5\n", "line 4: '1.5' is not from 1 to 4096");
  check_refused(HEAD "tree 1\nleaf 0\n", "line 5: a leaf has 2 values");
  check_refused(HEAD "tree 1\nleaf 0 nan\n", "line 5: 'nan' is no number");
  check_refused(HEAD "tree 1\nbranch 0 1\n", "line 5: neither a split nor a leaf");
  check_refused(HEAD "tree 3\nsplit luck 2 1 2\n", "line 5: there is no feature 'luck'");
  check_refused(HEAD "tree 3\nsplit occupancy 2 0 2\n", "line 5: '0' is not from 1 to 2");
  check_refused(HEAD "tree 3\nsplit occupancy 2 1 3\n", "line 5: '3' is not from 1 to 2");
  check_refused(HEAD "tree 1\nsplit occupancy 2 1 2\n", "line 5: the tree's last node is no leaf");
  check_refused(HEAD "tree 3\nsplit occupancy 2 1 2\nleaf 0 1\nsplit occupancy 1 2 2\n", "line 7: the tree's last node is no leaf");
  check_refused(HEAD "tree 1\nleaf 0 1\nleaf 0 1\n", "line 6: 'end' and 1 word are missing");
}

/* Whichever bit of a text is another, and wherever it ends, it is refused. */
static void damaged_texts(void **state) {
  (void)state;
  size_t length;
  char *text = sealed(two_trees, &length);
  for (size_t i = 0; i < length; i++)
    for (unsigned bit = 0; bit < 8; bit++) {
      struct place_diag diag = {""};
      text[i] ^= (char)(1 << bit);
      if (place_forest_read(text, length, &diag)) fail_msg("byte %zu, bit %u: not seen", i, bit);
      assert_non_null(strstr(diag.text, "line "));
      text[i] ^= (char)(1 << bit);
    }
  for (size_t n = 0; n < length; n++) assert_null(place_forest_read(text, n, NULL));
  free(text);
}

/* ---- deciding ---- */

static enum place_space best_of(const struct place_case *c, unsigned placeable, double *cost) {
  const struct place_question question = place_case_question(c, machine, PLACE_MODEL_LEARNED);
  struct place_diag diag = {""};
  struct session *s = session_open(&question, &diag);
  struct solve_result best;
  if (!s) fail_msg("%s", diag.text);
  assert_int_equal(session_solve(s, PLACE_SOLVER_AUTO, &best, &diag), 0);
  *cost = session_cost(s, best.space, NULL);
  session_close(s);
  return (enum place_space)best.space[placeable];
}

/* conv1d's taps: one line a load. Where the trees want an array in shared memory that has no room there, it stays. */
static void plans(void **state) {
  (void)state;
  struct place_case c;
  double cost;
  open_case(CASES_FOLDER, "conv1d-64", &c);
  struct place_forest *shared = read_sealed(HEAD "tree 3\nsplit gld_transactions 1.5 1 2\nleaf 0 -0.6931471805599453\nleaf 0 1\n", NULL);
  struct place_forest *constant = read_sealed("place-forest 1\nspaces global constant\ntrees 1\ntree 1\nleaf 0 -0.5\n", NULL);
  assert_true(shared && constant);
  c.forest = shared;
  assert_int_equal(best_of(&c, 1, &cost), PLACE_SHARED);
  assert_true(fabs(cost - 0.5) < 1e-12);
  assert_int_equal(best_of(&c, 0, &cost), PLACE_GLOBAL);
  c.forest = constant; /* the signal of 64 MB may not be there */
  assert_int_equal(best_of(&c, 1, &cost), PLACE_CONSTANT);
  assert_int_equal(best_of(&c, 0, &cost), PLACE_GLOBAL);
  assert_true(fabs(cost - exp(-0.5)) < 1e-12);
  place_case_free(&c);
  open_case(CASES_FOLDER, "md5hash", &c);
  c.forest = NULL;
  assert_true(best_of(&c, 0, &cost) < PLACE_SPACE_COUNT && cost <= 1 && cost > 0);
  place_forest_free(shared);
  place_forest_free(constant);
  place_case_free(&c);
}

static double global_cost(const struct place_case *c, enum place_model model, double *least) {
  struct place_plan plans[16];
  struct place_ranking ranking = {.plans = plans, .capacity = 16};
  const struct place_question question = place_case_question(c, machine, model);
  double cost = NAN;
  assert_true(place_plan_rank(&question, PLACE_SOLVER_AUTO, &ranking, NULL) > 1);
  *least = plans[0].cost_ns;
  for (int i = 0; i < ranking.count; i++) {
    bool global = true;
    for (unsigned p = 0; p < plans[i].placeable_count; p++) global &= plans[i].array[p].space == PLACE_GLOBAL;
    if (global) cost = plans[i].cost_ns;
  }
  return cost;
}

/* A ranking has nanoseconds: what `place` predicts of everything in global memory, times the ratios. */
static void ranked_costs(void **state) {
  (void)state;
  struct place_case c;
  double least, least_of_place;
  open_case(CASES_FOLDER, "conv1d-64", &c);
  struct place_forest *halved = read_sealed(HEAD "tree 3\nsplit gld_transactions 1.5 1 2\nleaf 0 -0.6931471805599453\nleaf 0 1\n", NULL);
  c.forest = halved;
  double learned = global_cost(&c, PLACE_MODEL_LEARNED, &least), place = global_cost(&c, PLACE_MODEL_PLACE, &least_of_place);
  assert_true(place > 1000 && learned == place && fabs(least / learned - 0.5) < 1e-9);
  place_forest_free(halved);
  place_case_free(&c);
}

static void separate_problems(void **state) {
  (void)state;
  unsigned separate = 0, overfull = 0;
  for (int i = 0; i < 2000; i++) {
    struct solve_problem p;
    struct solve_result quick, brute;
    random_problem_of(&p, 1 + (unsigned)random_below(5), 4);
    bool mixed = solve_separate(&p, &quick);
    if (mixed) { /* by chance */
      assert_int_equal(solve_brute(&p, &brute, NULL), 0);
      assert_true(quick.cost_ns == brute.cost_ns);
    }
    solve_problem_free(&p);
    p.paths = 1;
    for (unsigned s = 0; s < p.spaces; s++)
      for (unsigned c = 0; c < p.space[s].class_count; c++) {
        struct solve_class *class = &p.space[s].classes[c];
        class->fixed_ns = class->ns_per_byte = 0;
        for (unsigned k = 0; k < SOLVE_MAX_SPACES; k++) class->scale[k] = 1;
        for (unsigned k = 0; k < SOLVE_MAX_PATHS; k++) class->path_scale[k] = 1;
      }
    if (solve_brute(&p, &brute, NULL)) continue;
    if (!solve_separate(&p, &quick)) {
      overfull++;
      continue;
    }
    separate++;
    assert_true(fabs(quick.cost_ns - brute.cost_ns) <= 1e-9 * brute.cost_ns);
  }
  if (separate < 500 || overfull < 50) fail_msg("%u separate, %u overfull", separate, overfull);
}

/* ---- time to decide ---- */

enum { MOST_CASES = 200, TIMES = 10, TIMES_OF_LEARNED = 200 };
#ifdef __SANITIZE_ADDRESS__
static const double LEARNED_US = INFINITY;
#else
static const double LEARNED_US = 20; /* at most */
#endif

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* From the analysed launch, which all models need, to the plan: the problem stated, where the model is a sum, and solved. */
static double decide_us(const struct session *s, int times) {
  double least = INFINITY;
  for (int i = 0; i < times; i++) {
    static struct solve_problem problem;
    struct solve_result best;
    struct session again = *s;
    double from = now_us();
    if (s->model->problem) {
      assert_int_equal(s->model->problem(&s->in, false, &problem), 0);
      again.problem = problem;
    }
    assert_int_equal(session_solve(&again, PLACE_SOLVER_AUTO, &best, NULL), 0);
    least = fmin(least, now_us() - from);
    if (s->model->problem) solve_problem_free(&problem);
  }
  return least;
}

/* As above. What else the machine does makes it longer (less cache, half a core): what takes longer than it may is timed again later. */
static double decide_in_peace_us(const struct session *s) {
  double least = decide_us(s, TIMES_OF_LEARNED);
  for (int again = 0; again < 40 && least >= LEARNED_US; again++) {
    nanosleep(&(struct timespec){.tv_nsec = 25000000}, NULL);
    least = fmin(least, decide_us(s, TIMES_OF_LEARNED));
  }
  return least;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* us: [PLACE_MODEL_COUNT][MOST_CASES]; returns the number of cases. */
static size_t decide_all(double (*us)[MOST_CASES]) {
  DIR *folder = opendir(CASES_FOLDER);
  size_t count = 0;
  assert_non_null(folder);
  for (struct dirent *e; (e = readdir(folder)) && count < MOST_CASES;) {
    struct place_case c;
    char *dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".case")) continue;
    *dot = 0;
    open_case(CASES_FOLDER, e->d_name, &c);
    for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
      const struct place_question question = place_case_question(&c, machine, (enum place_model)m);
      struct session *s = session_open(&question, NULL);
      assert_non_null(s);
      us[m][count] = m == PLACE_MODEL_LEARNED ? decide_in_peace_us(s) : decide_us(s, TIMES);
      session_close(s);
    }
    place_case_free(&c);
    count++;
  }
  closedir(folder);
  return count;
}

static void time_to_decide(void **state) {
  (void)state;
  static double us[PLACE_MODEL_COUNT][MOST_CASES];
  size_t count = decide_all(us);
  assert_true(count > 50);
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
    qsort(us[m], count, sizeof *us[m], ascending);
    print_message("%-8s decides in %.1f us in the median of %zu launches, in %.1f us at most\n", place_model_name((enum place_model)m),
                  us[m][count / 2], count, us[m][count - 1]);
  }
  assert_true(us[PLACE_MODEL_LEARNED][count - 1] < LEARNED_US);
}

static int open_machine(void **state) {
  (void)state;
  machine = h200();
  return 0;
}

static int close_machine(void **state) {
  (void)state;
  msl_free(machine);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(values), cmocka_unit_test(wrong_texts), cmocka_unit_test(damaged_texts),
    cmocka_unit_test(plans), cmocka_unit_test(ranked_costs), cmocka_unit_test(separate_problems), cmocka_unit_test(time_to_decide),
  };
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}

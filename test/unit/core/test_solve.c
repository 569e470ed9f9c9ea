/* The solvers: the exact one, by search and by GLPK, against all plans, the greedy one's loss. */
#include "support.h"

#include <math.h>

#include "random_problem.h"
#include "solve_sums.h"

/* What greedy loses: over the optimum, and as a part of the cost with everything in space 0. */
enum { MOST_LOSSES = 2000 };
static struct losses {
  double over_optimum[MOST_LOSSES], of_global[MOST_LOSSES];
  unsigned count, exact;
} greedy_loss, paper_loss;

static void note_loss(struct losses *l, const struct solve_problem *p, double cost, double optimum) {
  uint8_t global[SOLVE_MAX_ARRAYS] = {0};
  double base = solve_cost(p, global);
  assert_true(cost >= optimum * (1 - 1e-12) && l->count < MOST_LOSSES);
  l->over_optimum[l->count] = optimum > 0 ? cost / optimum - 1 : 0;
  l->of_global[l->count] = base > 0 && isfinite(base) ? (cost - optimum) / base : 0;
  l->exact += l->over_optimum[l->count++] < 1e-9;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_losses(const char *name, struct losses *l) {
  double mean = 0, of_global = 0;
  for (unsigned i = 0; i < l->count; i++) mean += l->over_optimum[i] / l->count, of_global += l->of_global[i] / l->count;
  qsort(l->over_optimum, l->count, sizeof(double), ascending);
  qsort(l->of_global, l->count, sizeof(double), ascending);
  printf("%s: optimal in %u of %u; over the optimum: median %.2f%%, mean %.2f%%, worst %.0f%%; of the cost with everything in "
         "space 0: mean %.2f%%, 99th of 100 %.1f%%, worst %.1f%%\n", name, l->exact, l->count,
         100 * l->over_optimum[l->count / 2], 100 * mean, 100 * l->over_optimum[l->count - 1],
         100 * of_global, 100 * l->of_global[l->count * 99 / 100],
         100 * l->of_global[l->count - 1]);
}

static void check(const struct solve_problem *p) {
  struct solve_result brute, ilp, greedy;
  struct place_diag diag = {""};
  assert_int_equal(solve_brute(p, &brute, &diag), 0);
  if (solve_exact(p, &ilp, &diag)) fail_msg("ILP: %s", diag.text);
  assert_true(solve_cost(p, ilp.space) == ilp.cost_ns);
  for (unsigned a = 0; a < p->arrays; a++) assert_true(p->allowed[a] >> ilp.space[a] & 1);
  if (fabs(ilp.cost_ns - brute.cost_ns) > 1e-6 * (1 + brute.cost_ns))
    fail_msg("%u arrays, %u spaces: ILP %.9g, all plans %.9g", p->arrays, p->spaces, ilp.cost_ns, brute.cost_ns);
  for (unsigned nodes = 0; nodes <= 5; nodes += 5) { /* by GLPK alone; by GLPK where five nodes are not enough */
    if (solve_exact_with(p, &(struct solve_effort){nodes, UINT32_MAX, true}, &ilp, &diag)) fail_msg("GLPK: %s", diag.text);
    assert_true(solve_cost(p, ilp.space) == ilp.cost_ns && fabs(ilp.cost_ns - brute.cost_ns) <= 1e-6 * (1 + brute.cost_ns));
    assert_false(ilp.unproven);
  }
  if (solve_exact_with(p, &(struct solve_effort){1 << 22, 1 << 22, false}, &ilp, &diag)) fail_msg("search: %s", diag.text);
  assert_true(!ilp.unproven && fabs(ilp.cost_ns - brute.cost_ns) <= 1e-6 * (1 + brute.cost_ns));
  assert_int_equal(solve_greedy(p, &greedy, &diag), 0);
  for (unsigned a = 0; a < p->arrays; a++) assert_true(p->allowed[a] >> greedy.space[a] & 1);
  note_loss(&greedy_loss, p, greedy.cost_ns, brute.cost_ns);
  if (solve_procedure1(p, &greedy, &diag) == 0) note_loss(&paper_loss, p, greedy.cost_ns, brute.cost_ns);
}

static void ilp_is_exact(void **state) {
  (void)state;
  struct solve_problem *p = malloc(sizeof *p);
  for (int i = 0; i < 1000; i++) random_problem(p, 8, 4), check(p), solve_problem_free(p);
  print_losses("greedy", &greedy_loss);
  print_losses("Procedure 1 alone", &paper_loss);
  assert_true(greedy_loss.exact * 10 >= greedy_loss.count * 9 && greedy_loss.exact >= paper_loss.exact);
  for (int i = 0; i < 150; i++) { /* the solvers do not know the spaces */
    random_problem(p, i % 10 ? 7 : 8, 5);
    check(p);
    solve_problem_free(p);
  }
  free(p);
}

/* A capacity that only one of two arrays fits into: the one that gains more gets it. */
static void capacity(void **state) {
  (void)state;
  struct solve_problem p = {.arrays = 2, .spaces = 2, .paths = 1, .constant_space = -1, .allowed = {3, 3}};
  struct solve_result r;
  p.cost_ns[0][0][0] = 100, p.cost_ns[0][1][0] = 50, p.bytes[0][1] = 600;
  p.cost_ns[1][0][0] = 100, p.cost_ns[1][1][0] = 20, p.bytes[1][1] = 600;
  p.space[1] = (struct solve_space){.class_count = 1, .classes = {{.max_bytes = 1000, .scale = {1, 1}, .path_scale = {1}}}};
  assert_int_equal(solve_exact(&p, &r, NULL), 0);
  assert_int_equal(r.space[0], 0);
  assert_int_equal(r.space[1], 1);
  assert_true(r.cost_ns == 120);
  assert_true(isinf(solve_cost(&p, (uint8_t[SOLVE_MAX_ARRAYS]){1, 1})));
}

/* Staging both costs occupancy: worth it for neither alone decides, only the total. */
static void occupancy(void **state) {
  (void)state;
  struct solve_problem p = {.arrays = 2, .spaces = 2, .paths = 1, .constant_space = -1, .allowed = {3, 3}};
  struct solve_result r;
  for (int a = 0; a < 2; a++) p.cost_ns[a][0][0] = 100, p.cost_ns[a][1][0] = 60, p.bytes[a][1] = 500;
  p.space[1] = (struct solve_space){.class_count = 2, .classes = {{.max_bytes = 500, .scale = {1, 1}, .path_scale = {1}},
                                                                  {.max_bytes = 1000, .scale = {1, 1}, .path_scale = {2}}}};
  assert_int_equal(solve_exact(&p, &r, NULL), 0);
  assert_int_equal(r.space[0] + r.space[1], 1);
  assert_true(r.cost_ns == 160);
}

static void refusals(void **state) {
  (void)state;
  struct solve_problem p = {.arrays = 1, .spaces = 2, .paths = 1, .constant_space = -1, .allowed = {1}};
  struct solve_result r;
  struct place_diag diag = {""};
  p.bytes[0][0] = 10;
  p.space[0] = (struct solve_space){.class_count = 1, .classes = {{.max_bytes = 5, .scale = {1, 1}, .path_scale = {1}}}};
  assert_int_equal(solve_brute(&p, &r, &diag), -1);
  assert_string_equal(diag.text, "no plan is feasible");
  assert_int_equal(solve_exact(&p, &r, &diag), -1);
  assert_int_equal(solve_greedy(&p, &r, &diag), -1);
  p = (struct solve_problem){.arrays = 64, .spaces = 8, .paths = 1, .constant_space = -1};
  for (int a = 0; a < 64; a++) p.allowed[a] = 0xff;
  assert_int_equal(solve_brute(&p, &r, &diag), -1);
  p.arrays = 0;
  assert_int_equal(solve_brute(&p, &r, &diag), 0);
  assert_int_equal(solve_exact(&p, &r, &diag), 0);
  assert_true(r.cost_ns == 0);
}

static void twelve_arrays(void **state) {
  (void)state; /* the most that AUTO searches exactly */
  struct solve_problem *p = malloc(sizeof *p);
  struct solve_result r, greedy;
  for (int i = 0; i < 20; i++) {
    random_problem(p, 8, 4);
    solve_problem_free(p);
    unsigned from = p->arrays;
    for (unsigned a = from; a < 12; a++) {
      p->allowed[a] = p->allowed[a % from];
      for (unsigned s = 0; s < 4; s++) {
        p->bytes[a][s] = p->bytes[a % from][s] + a;
        for (unsigned k = 0; k < p->paths; k++) p->cost_ns[a][s][k] = p->cost_ns[a % from][s][k] + a;
      }
    }
    p->arrays = 12;
    assert_int_equal(solve_exact(p, &r, NULL), 0);
    assert_int_equal(solve_greedy(p, &greedy, NULL), 0);
    assert_true(r.cost_ns <= greedy.cost_ns * (1 + 1e-6));
  }
  free(p);
}

/* Classes that hold few numbers of bytes, which hardly any subset of the arrays makes. */
static void make_narrow(struct solve_problem *p) {
  for (unsigned s = 1; s < p->spaces; s++) {
    struct solve_space *space = &p->space[s];
    if (!space->class_count) continue;
    space->class_count = 3;
    space->classes[1] = space->classes[2] = space->classes[0];
    space->classes[1].max_bytes += 1 + random_below(40);
    space->classes[2].max_bytes = space->classes[1].max_bytes + 4000 + random_below(4000);
    space->classes[1].fixed_ns = 0, space->classes[1].ns_per_byte = 0;
    for (unsigned k = 0; k < SOLVE_MAX_PATHS; k++) space->classes[1].path_scale[k] = 0.3;
  }
}

/* Searched for longer than all plans can be tried, so against GLPK alone. */
static void narrow_classes(void **state) {
  (void)state;
  struct solve_problem *p = malloc(sizeof *p);
  struct solve_result r, by_glpk;
  for (int i = 0; i < 40; i++) {
    random_problem_of(p, 12, 5);
    make_narrow(p);
    assert_int_equal(solve_exact_with(p, &(struct solve_effort){1 << 22, UINT32_MAX, false}, &r, NULL), 0);
    assert_int_equal(solve_exact_with(p, &(struct solve_effort){0, 0, true}, &by_glpk, NULL), 0);
    assert_true(!r.unproven && !by_glpk.unproven);
    if (fabs(r.cost_ns - by_glpk.cost_ns) > 1e-6 * (1 + r.cost_ns))
      fail_msg("problem %d: search %.9g, GLPK %.9g", i, r.cost_ns, by_glpk.cost_ns);
    solve_problem_free(p);
  }
  free(p);
}

static bool reaches(const uint64_t *bytes, const bool *in, const bool *out, unsigned arrays, uint64_t least, uint64_t most) {
  for (unsigned subset = 0; subset < 1u << arrays; subset++) {
    uint64_t total = 0;
    bool may = true;
    for (unsigned a = 0; a < arrays; a++) {
      total += subset >> a & 1 ? bytes[a] : 0;
      may &= subset >> a & 1 ? in[a] : out[a];
    }
    if (may && total >= least && total <= most) return true;
  }
  return false;
}

static void sums_are_those_of_subsets(void **state) {
  (void)state;
  struct sums sums;
  for (int i = 0; i < 200; i++) {
    uint64_t bytes[SUMS_MOST], largest = i % 2 ? 20 : 4000;
    bool in[SUMS_MOST], out[SUMS_MOST];
    sums_start(&sums);
    for (unsigned a = 0; a < SUMS_MOST; a++) {
      bytes[a] = random_below(largest);
      in[a] = random_below(4), out[a] = !in[a] || random_below(4);
      sums_add(&sums, bytes[a], in[a], out[a]);
    }
    for (int window = 0; window < 40; window++) {
      unsigned arrays = (unsigned)random_below(SUMS_MOST + 1);
      uint64_t least = random_below(largest * SUMS_MOST / 2), most = least + random_below(largest / 10);
      assert_int_equal(sums_reach(&sums, arrays, least, most), reaches(bytes, in, out, arrays, least, most));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ilp_is_exact), cmocka_unit_test(capacity), cmocka_unit_test(occupancy),
                                     cmocka_unit_test(refusals), cmocka_unit_test(twelve_arrays),
                                     cmocka_unit_test(narrow_classes), cmocka_unit_test(sums_are_those_of_subsets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Where GLPK is not installed (dlopen finds no library here): the exact search serves as far as its bound; beyond that the best plan
 * that it and the greedy search met, which is said. */
#include "support.h"

#include <math.h>

#include "random_problem.h"
#include "session.h"

void *__wrap_dlopen(const char *name, int flags);
static unsigned asked;

void *__wrap_dlopen(const char *name, int flags) {
  (void)flags;
  assert_string_equal(name, "libglpk.so.40");
  asked++;
  return NULL;
}

static void within_its_bound(void **state) {
  (void)state;
  struct solve_problem *p = malloc(sizeof *p);
  for (int i = 0; i < 200; i++) {
    struct solve_result exact, brute;
    random_problem(p, 7, 4);
    assert_int_equal(solve_exact(p, &exact, NULL), 0);
    assert_int_equal(solve_brute(p, &brute, NULL), 0);
    assert_true(!exact.unproven && fabs(exact.cost_ns - brute.cost_ns) <= 1e-6 * (1 + brute.cost_ns));
    solve_problem_free(p);
  }
  assert_int_equal(asked, 0); /* and GLPK is not asked for */
  free(p);
}

static void beyond_its_bound(void **state) {
  (void)state;
  static const struct solve_effort effort[] = {{3, UINT32_MAX, true}, {0, 0, true}, {1 << 16, 3, false}};
  struct solve_problem *p = malloc(sizeof *p);
  unsigned unproven = 0;
  for (int i = 0; i < 300; i++) {
    struct solve_result r, greedy, brute;
    random_problem_of(p, 7, 4);
    assert_int_equal(solve_brute(p, &brute, NULL), 0);
    assert_int_equal(solve_greedy(p, &greedy, NULL), 0);
    assert_int_equal(solve_exact_with(p, &effort[i % 3], &r, NULL), 0);
    assert_true(r.cost_ns <= greedy.cost_ns && r.cost_ns >= brute.cost_ns * (1 - 1e-9) && solve_cost(p, r.space) == r.cost_ns);
    if (!r.unproven) assert_true(fabs(r.cost_ns - brute.cost_ns) <= 1e-6 * (1 + brute.cost_ns));
    unproven += r.unproven;
    assert_int_equal(session_unproven(&r, PLACE_SOLVER_AUTO) != NULL, r.unproven);
    solve_problem_free(p);
  }
  assert_true(unproven > 10);
  assert_int_equal(asked, 1); /* once, whatever it finds */
  assert_false(solve_has_glpk());
  struct solve_result r = {.unproven = true};
  assert_non_null(strstr(session_unproven(&r, PLACE_SOLVER_AUTO), "libglpk.so.40) is not installed"));
  assert_non_null(strstr(session_unproven(&r, PLACE_SOLVER_EXACT), "was given up"));
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(within_its_bound), cmocka_unit_test(beyond_its_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

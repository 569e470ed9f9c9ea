/* What is covered, and what is charged. */
#include "fake.h"

#include "budget.h"
#include "yardstick.h"

enum { MS = 1000000 };

static void what_is_covered(void **state) {
  (void)state;
  static const struct {
    double grant_ms, ran_ms, spent_ms, expense_ms;
    bool covered;
  } cases[] = {
    {2, 0, 0, 2, true},      {2, 0, 0, 2.01, false},   {2, 0, 2, 0.01, false},   {2, 100, 2, 2, true},
    {2, 100, 2, 2.1, false}, {0, 1000, 0, 20, true},   {0, 1000, 25, 0, false},  {2, 1950, 0, 78, false},
    {2, 3900, 0, 78, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct budget b = budget_with(cases[i].grant_ms * MS);
    budget_ran(&b, cases[i].ran_ms * MS);
    budget_charge(&b, cases[i].spent_ms * MS);
    if (budget_covers(&b, cases[i].expense_ms * MS) != cases[i].covered) fail_msg("case %zu", i);
  }
}

/* What was gained pays back what was spent, but does not make more of it than there was. */
static void refunds(void **state) {
  (void)state;
  struct budget b = budget_with(2 * MS);
  budget_charge(&b, 1.5 * MS);
  budget_charge(&b, -1 * MS);
  assert_true(budget_left(&b) == 1.5 * MS);
  budget_charge(&b, -100 * MS);
  assert_true(budget_left(&b) == 2 * MS && b.spent_ns == 0 && b.most_spent_ns == 1.5 * MS);
  budget_ran(&b, -5 * MS);
  assert_true(b.ran_ns == 0);
}

/* A tenth of what launches of versions saved may be staked, too; what they lost takes nothing away. */
static void staked(void **state) {
  (void)state;
  struct budget b = budget_with(2 * MS);
  budget_gained(&b, 70 * MS);
  budget_gained(&b, -1 * MS);
  assert_true(b.gained_ns == 70 * MS && budget_covers(&b, 9 * MS) && !budget_covers(&b, 9.01 * MS));
  budget_charge(&b, 8 * MS);
  assert_true(budget_covers(&b, 0.99 * MS) && !budget_covers(&b, 1.01 * MS));
}

/* A region of few accesses is looked at earlier, none later than PLACE_PATIENCE says, and all at once without it. */
static void patience(void **state) {
  (void)state;
  double before = 0;
  for (size_t accesses = 0; accesses < 100; accesses++) {
    double ns = budget_patience(2 * MS, accesses);
    assert_true(ns >= before && ns >= 0.6 * MS && ns <= 2 * MS);
    before = ns;
  }
  assert_true(before == 2 * MS && budget_patience(0, 3) == 0);
}

static void like_with_like(void **state) {
  (void)state;
  struct yardstick y = {.count = 0};
  assert_true(yardstick_ns(NULL, 1, 1) == 0 && yardstick_ns(&y, 1, 1) == 0);
  yardstick_record(&y, 1, 100, 5000);
  yardstick_record(&y, 2, 100, 5000);
  yardstick_record(&y, 1, 100, 7000);
  assert_true(yardstick_ns(&y, 1, 100) == 7000 && yardstick_ns(&y, 2, 100) == 5000);
  assert_true(yardstick_ns(&y, 3, 100) == 5500 && yardstick_ns(&y, 3, 200) == 11000); /* not seen: by its work */
  assert_true(yardstick_ns(&y, 3, 0) == 5500);
  yardstick_record(&y, 4, 100, 0); /* the timer could not be read */
  assert_true(yardstick_ns(&y, 3, 100) == 5500);
  for (uint64_t i = 10; i < 10 + YARDSTICK_KINDS; i++) yardstick_record(&y, i, 100, 1000 + (double)i);
  assert_true(yardstick_ns(&y, 10 + YARDSTICK_KINDS - 1, 100) == 1000 + 10 + YARDSTICK_KINDS - 1);
  assert_true(yardstick_ns(&y, 1, 100) < 2000); /* crowded out */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_covered), cmocka_unit_test(refunds), cmocka_unit_test(staked), cmocka_unit_test(patience), cmocka_unit_test(like_with_like)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

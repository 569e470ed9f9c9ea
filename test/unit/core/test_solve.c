/* The solvers: the ILP against all plans, the greedy one's loss. */
#include "support.h"

#include <math.h>

#include "solve.h"

static double random_real(double most) {
  return (double)random_below(1000000) / 1e6 * most;
}

static void random_classes(struct solve_problem *p, unsigned s, unsigned mean_bytes) {
  struct solve_space *space = &p->space[s];
  uint64_t bytes = 0;
  space->class_count = 1 + (unsigned)random_below(6);
  for (unsigned c = 0; c < space->class_count; c++) {
    struct solve_class *class = &space->classes[c];
    class->max_bytes = c == 0 && random_below(2) ? 0 : bytes + 1 + random_below(mean_bytes);
    bytes = class->max_bytes;
    for (unsigned other = 0; other < p->spaces; other++) class->scale[other] = random_below(2) ? 1 : 0.5 + random_real(3);
    for (unsigned k = 0; k < p->paths; k++) class->path_scale[k] = random_below(2) ? 1 : 0.5 + random_real(3);
    class->fixed_ns = random_below(2) ? 0 : random_real(50);
    class->ns_per_byte = random_below(2) ? 0 : random_real(0.02);
  }
}

static void random_problem(struct solve_problem *p, unsigned most_arrays, unsigned spaces) {
  memset(p, 0, sizeof *p);
  p->arrays = 1 + (unsigned)random_below(most_arrays);
  p->spaces = spaces;
  p->paths = 1 + (unsigned)random_below(3);
  p->constant_space = random_below(4) ? 2 : -1;
  p->overlap_loss = random_below(2) ? 0 : random_below(2) ? 0.1 : random_real(1);
  for (unsigned a = 0; a < p->arrays; a++) {
    p->allowed[a] = 1 | (unsigned)random_below(1u << spaces);
    uint64_t bytes = 1 + random_below(4000);
    for (unsigned s = 0; s < spaces; s++) {
      p->bytes[a][s] = bytes;
      for (unsigned k = 0; k < p->paths; k++) p->cost_ns[a][s][k] = random_below(2) ? 0 : random_real(1000);
    }
  }
  for (unsigned k = 0; k < p->paths; k++) p->base_ns[k] = random_below(2) ? 0 : random_real(2000);
  for (unsigned s = 1; s < spaces; s++)
    if (random_below(2)) random_classes(p, s, 4000);
}

static struct {
  double sum, most;
  unsigned count, exact;
} greedy_loss;

static void check(const struct solve_problem *p) {
  struct solve_result brute, ilp, greedy;
  struct place_diag diag = {""};
  assert_int_equal(solve_brute(p, &brute, &diag), 0);
  if (solve_ilp(p, &ilp, &diag)) fail_msg("ILP: %s", diag.text);
  assert_true(solve_cost(p, ilp.space) == ilp.cost_ns);
  for (unsigned a = 0; a < p->arrays; a++) assert_true(p->allowed[a] >> ilp.space[a] & 1);
  if (fabs(ilp.cost_ns - brute.cost_ns) > 1e-6 * (1 + brute.cost_ns))
    fail_msg("%u arrays, %u spaces: ILP %.9g, all plans %.9g", p->arrays, p->spaces, ilp.cost_ns, brute.cost_ns);
  assert_int_equal(solve_greedy(p, &greedy, &diag), 0);
  for (unsigned a = 0; a < p->arrays; a++) assert_true(p->allowed[a] >> greedy.space[a] & 1);
  assert_true(greedy.cost_ns >= brute.cost_ns * (1 - 1e-12));
  double loss = brute.cost_ns > 0 ? greedy.cost_ns / brute.cost_ns - 1 : 0;
  greedy_loss.sum += loss;
  greedy_loss.most = fmax(greedy_loss.most, loss);
  greedy_loss.exact += loss < 1e-9;
  greedy_loss.count++;
}

static void ilp_is_exact(void **state) {
  (void)state;
  struct solve_problem *p = malloc(sizeof *p);
  for (int i = 0; i < 1000; i++) random_problem(p, 8, 4), check(p);
  for (int i = 0; i < 150; i++) random_problem(p, i % 10 ? 7 : 8, 5), check(p); /* the solvers do not know the spaces */
  printf("greedy: optimal in %u of %u instances, mean loss %.1f%%, worst %.0f%%\n", greedy_loss.exact, greedy_loss.count,
         100 * greedy_loss.sum / greedy_loss.count, 100 * greedy_loss.most);
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
  assert_int_equal(solve_ilp(&p, &r, NULL), 0);
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
  assert_int_equal(solve_ilp(&p, &r, NULL), 0);
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
  assert_int_equal(solve_ilp(&p, &r, &diag), -1);
  assert_int_equal(solve_greedy(&p, &r, &diag), -1);
  p = (struct solve_problem){.arrays = 16, .spaces = 8, .paths = 1, .constant_space = -1};
  for (int a = 0; a < 16; a++) p.allowed[a] = 0xff;
  assert_int_equal(solve_brute(&p, &r, &diag), -1);
  p.arrays = 0;
  assert_int_equal(solve_brute(&p, &r, &diag), 0);
  assert_int_equal(solve_ilp(&p, &r, &diag), 0);
  assert_true(r.cost_ns == 0);
}

static void twelve_arrays(void **state) {
  (void)state; /* the most that AUTO gives to the ILP */
  struct solve_problem *p = malloc(sizeof *p);
  struct solve_result r, greedy;
  for (int i = 0; i < 20; i++) {
    random_problem(p, 8, 4);
    unsigned from = p->arrays;
    for (unsigned a = from; a < 12; a++) {
      p->allowed[a] = p->allowed[a % from];
      for (unsigned s = 0; s < 4; s++) {
        p->bytes[a][s] = p->bytes[a % from][s] + a;
        for (unsigned k = 0; k < p->paths; k++) p->cost_ns[a][s][k] = p->cost_ns[a % from][s][k] + a;
      }
    }
    p->arrays = 12;
    assert_int_equal(solve_ilp(p, &r, NULL), 0);
    assert_int_equal(solve_greedy(p, &greedy, NULL), 0);
    assert_true(r.cost_ns <= greedy.cost_ns * (1 + 1e-6));
  }
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ilp_is_exact), cmocka_unit_test(capacity), cmocka_unit_test(occupancy),
                                     cmocka_unit_test(refusals), cmocka_unit_test(twelve_arrays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

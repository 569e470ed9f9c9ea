/* Looking up: curves, times, occupancy, paths, defaults, diff and drawing. */
#include "support.h"

static void assert_near(double got, double expected) {
  assert_true(got > expected - 1e-9 && got < expected + 1e-9);
}

/* Between the points of a curve interpolation, outside them the nearest; every curve in its own field. */
static void test_curves(void **state) {
  (void)state;
  struct place_machine *m = read_good(
      PROCESSOR
      "c 1 Y R na 64K ? na ? <> <> die ? ? workingSet = <<256B 0.29ns> <384B 1.5ns> <1K 5ns> <16K 6.3ns>>"
      " distinct = <<1 2ns> <32 36ns>> workingSet4 = <<1K 4ns>> workingSet8 = <<1K ~8ns>> workingSet16 = <<1K 16ns> <2K ~18ns>>"
      " uniformSet4 = <<64B 0.4ns>> uniformSet8 = <<64B 0.8ns>> lookUp = <<1K 1ns> <3K 2ns>> staging = <<2K 300ns>>;");
  const struct place_memory *c = &m->memories[0];
  assert_near(msl_curve_at_ns(&c->working_set, 64), 0.29);
  assert_near(msl_curve_at_ns(&c->working_set, 256), 0.29);
  assert_near(msl_curve_at_ns(&c->working_set, 320), (0.29 + 1.5) / 2);
  assert_near(msl_curve_at_ns(&c->working_set, 1024), 5.0);
  assert_near(msl_curve_at_ns(&c->working_set, 49152), 6.3);
  assert_near(msl_curve_at_ns(&c->distinct, 32), 36);
  assert_near(msl_curve_at_ns(&c->working_set_4, 5), 4);
  assert_near(msl_curve_at_ns(&c->working_set_8, 5), 8);
  assert_true(c->working_set_8.points[0].unsure && !c->working_set_16.points[0].unsure);
  assert_near(msl_curve_at_ns(&c->working_set_16, 1536), 17);
  assert_near(msl_curve_at_ns(&c->uniform_set_4, 1), 0.4);
  assert_near(msl_curve_at_ns(&c->uniform_set_8, 1), 0.8);
  assert_near(msl_curve_at_ns(&c->look_up, 2048), 1.5);
  assert_near(msl_curve_at_ns(&c->staging, 1), 300);
  assert_true(msl_curve_at_ns(&c->transactions, 1) != msl_curve_at_ns(&c->transactions, 1)); /* NaN */
  assert_identity(m);
  msl_free(m);
}

static void test_h200(void **state) {
  (void)state;
  struct place_machine *m = read_machine_file("h200");
  const struct place_memory *constant = msl_memory_by_name(m, "constantMem"), *shared = msl_memory_by_name(m, "sharedMem");
  assert_int_equal(m->sm_count, 132);
  assert_int_equal(msl_capacity_bytes(shared), 227 << 10);
  assert_int_equal(msl_capacity_bytes(constant), 48 << 10);
  assert_int_equal(constant->upper.count, 3);
  assert_string_equal(m->memories[constant->upper.memory[1]].name, "cL1_5");
  assert_int_not_equal(constant->path, shared->path);
  assert_int_equal(msl_memory_by_name(m, "readOnly")->path, shared->path);
  assert_near(msl_time_clk(m, &m->launch_time), 1.7e-6 * m->clock_hz.value);
  /* the cliff is the uniform datapath's */
  assert_true(msl_curve_at_ns(&constant->uniform_set_4, 1024) > 10 * msl_curve_at_ns(&constant->uniform_set_4, 256));
  assert_true(msl_curve_at_ns(&constant->working_set, 1024) <= msl_curve_at_ns(&constant->working_set, 256));
  assert_true(msl_curve_at_ns(&constant->working_set_8, 1024) < 1.1 * msl_curve_at_ns(&constant->working_set_8, 256));
  msl_free(m);
}

static void test_occupancy(void **state) {
  (void)state;
  struct place_machine *m = read_machine_file("h200");
  assert_int_equal(msl_teams_per_sm(m, 128, 32, 0), 16);       /* threads */
  assert_int_equal(msl_teams_per_sm(m, 32, 32, 0), 32);        /* team slots */
  assert_int_equal(msl_teams_per_sm(m, 128, 80, 0), 6);        /* registers: 65536 / (4 * 2560) */
  assert_int_equal(msl_teams_per_sm(m, 128, 32, 48 << 10), 4); /* shared: 228 / 49 */
  assert_int_equal(msl_teams_per_sm(m, 128, 32, 13 << 10), 16);
  assert_int_equal(msl_teams_per_sm(m, 128, 32, (48 << 10) + 1), 0);
  assert_int_equal(msl_teams_per_sm(m, 2048, 32, 0), 0);
  assert_int_equal(msl_teams_per_sm(m, 128, 256, 0), 0);
  assert_int_equal(msl_teams_per_sm(m, 0, 32, 0), 0);
  msl_free(m);
}

/* Paper 000, 3.1.2: paths and concurrency factors where a file does not say. */
static void test_defaults(void **state) {
  (void)state;
  struct place_machine *m = read_machine_file("m2075");
  const struct place_memory *global = msl_memory_by_name(m, "globalMem"), *cache = msl_memory_by_name(m, "cL1");
  assert_int_equal(m->path_count, 3);
  assert_string_equal(m->path_names[global->path], "global");
  assert_string_equal(m->path_names[cache->path], "constant");
  assert_string_equal(m->path_names[msl_memory_by_name(m, "tL1")->path], "texture");
  assert_int_equal(msl_memory_by_name(m, "sharedMem")->path, global->path);
  assert_near(msl_concurrency(global, MSL_MEMORY_BOUND), 0.1);
  assert_near(msl_concurrency(global, MSL_COMPUTE_BOUND), 0.5);
  assert_near(msl_concurrency(cache, MSL_MEMORY_BOUND), 1);
  assert_near(msl_concurrency(msl_memory_by_name(m, "sharedMem"), MSL_MEMORY_BOUND), 0.2);
  assert_null(msl_memory_by_name(m, "readOnly"));
  assert_null(msl_memory_by_id(m, 99));
  msl_free(m);
}

static void test_diff(void **state) {
  (void)state;
  struct place_machine *a =
      read_good(PROCESSOR "m 1 Y R na 4K ? ? 8clk <> <> sm ? ? line = 64B; x 2 Y R na ? ? ? ? <> <> sm ? ?;");
  struct place_machine *b = read_good("Mem spec of B:\n" PROCESSOR "m 1 N R na 4K ? ? <8clk 9clk> <> <> sm ? ?;");
  unsigned differences = 0;
  char *text = msl_diff(a, b, &differences);
  assert_string_equal(text, "machine: - | B\nm.swmng: Y | N\nm.latency: 8clk | <8clk 9clk>\nm.line: 64B | -\nx: present | -\n");
  assert_int_equal(differences, 5);
  free(text);
  msl_free(a);
  msl_free(b);
}

static void test_draw(void **state) {
  (void)state;
  for (unsigned i = 0; i < MACHINE_FILES; i++) {
    struct place_machine *m = read_machine_file(machine_files[i]);
    char *text = msl_draw_text(m), *svg = msl_draw_svg(m);
    for (unsigned k = 0; k < m->memory_count; k++) {
      assert_non_null(strstr(text, m->memories[k].name));
      assert_non_null(strstr(svg, m->memories[k].name));
    }
    assert_memory_equal(svg, "<svg xmlns=", 11);
    assert_non_null(strstr(svg, "</svg>\n"));
    free(text);
    free(svg);
    msl_free(m);
  }
  struct place_machine *m = read_good("Mem spec of <A & B>:\n" PROCESSOR);
  char *svg = msl_draw_svg(m);
  assert_non_null(strstr(svg, "&lt;A &amp; B&gt;, 2 SMs"));
  free(svg);
  msl_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_curves),   cmocka_unit_test(test_h200), cmocka_unit_test(test_occupancy),
      cmocka_unit_test(test_defaults), cmocka_unit_test(test_diff), cmocka_unit_test(test_draw),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

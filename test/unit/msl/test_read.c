/* Reading: paper 000's example, every field, every state, and the machines that come with the project. */
#include "support.h"

/* Figure 4 as printed, repaired where the PDF's text is damaged (see msl/machines/m2075.msl). */
static const char figure4[] =
    "Mem spec of Tesla M2075:\n\n"
    "die =1 tpc; tpc = 16 sm; sm = 32 core;\n"
    "globalMem 8 Y rw na 5375M 128B ? 600clk <L2 L1> <> die <0.1 0.5> warp{⌊address1/blockSize⌋!= ⌊address2/blockSize⌋};\n"
    "L1 9 N rw na 16K 128B ? 80clk <>  <L2 globalMem> sm ? warp{⌊address1/blockSize⌋!= ⌊address2/blockSize⌋};\n"
    "L2 7 N rw na 768K 32B ? 390clk om om die ? warp{⌊address1/blockSize⌋!= ⌊address2/blockSize⌋};\n"
    "constantMem 1 Y r na 64K ? ? 360clk <cL2 cL1> <> die ? warp{address1!= address2};\n"
    "cL1 3 N r na 4K 64B ? 48clk <>  <cL2 constantMem> sm ? warp{⌊address1/blockSize⌋!= ⌊address2/blockSize⌋};\n"
    "cL2 2 N r na 32K 256B ? 140clk <cL1>  <constantMem> die ? warp{⌊address1/blockSize⌋!= ⌊address2/blockSize⌋};\n"
    "sharedMem 4 Y rw na 48K ? 32 48clk <>  <> sm ? block{word1!=word2 && word1%banks ==word2%banks};\n";

static void test_figure4(void **state) {
  (void)state;
  struct place_machine *m = read_good(figure4);
  assert_string_equal(m->name, "Tesla M2075");
  assert_int_equal(m->sm_count, 16);
  assert_int_equal(m->cores_per_sm.value, 32);
  assert_int_equal(m->memory_count, 7);
  const struct place_memory *global = msl_memory_by_name(m, "globalMem"), *l2 = msl_memory_by_id(m, 7);
  assert_true(global->size.dim[0] == 5375ull << 20);
  assert_int_equal(global->block_size.dim[0], 128);
  assert_int_equal(global->banks.state, MSL_UNKNOWN);
  assert_int_equal(global->dim.state, MSL_NA);
  assert_true(msl_read_latency_clk(m, global) == 600 && msl_write_latency_clk(m, global) == 600);
  assert_true(global->concurrency_memory_bound.value == 0.1 && global->concurrency_compute_bound.value == 0.5);
  assert_int_equal(global->upper.count, 2);
  assert_string_equal(m->memories[global->upper.memory[0]].name, "L2");
  assert_string_equal(m->memories[global->upper.memory[1]].name, "L1");
  assert_int_equal(l2->upper.state, MSL_OM);
  assert_int_equal(l2->upper.count, 1);
  assert_string_equal(m->memories[l2->upper.memory[0]].name, "L1");
  assert_int_equal(l2->lower.count, 1);
  assert_string_equal(m->memories[l2->lower.memory[0]].name, "globalMem");
  assert_int_equal(msl_memory_by_name(m, "constantMem")->access.value, MSL_READ);
  assert_int_equal(msl_memory_by_name(m, "sharedMem")->serial_scope.value, MSL_BLOCK);
  assert_int_equal(msl_memory_by_name(m, "L1")->software_managed.value, 0);
  assert_identity(m);
  msl_free(m);
}

static void test_extensions(void **state) {
  (void)state;
  struct place_machine *m = read_good(
      "// a comment\ndie = 1 tpc; tpc = 2 sm; sm = 32 core; arch = sm_90; clock = ~1.98GHz; warp = 32 thread;\n"
      "block = 1024 thread; sm = 2048 thread; sm = 64 warp; sm = 32 block; sm = 64K shared; sm = 65536 register;\n"
      "block = ? register; thread = na register; launch = 1.7us; region = 14us; registerUnit = 256;\n"
      "m 1 Y RW 2 <64E 32E> <8E 4E> na <30clk 40ns> <> <> tpc <~0.25 0.5> grid{index1 != index2}\n"
      "  path = fast line = 128B sector = 32B word = 8B usable = ~1K throughput = <128B/clk ~64B/clk>\n"
      "  bandwidth = 4280.5GB/s transactionTime = 0.28ns fill = 1ms workingSet = <<256B 0.29ns> <16K ~6.3ns>>\n"
      "  distinct = ? transactions = <<1 0.5ns> <3.5 3.1ns>>; // and another\n");
  const struct place_memory *memory = &m->memories[0];
  assert_int_equal(m->arch.value, 90);
  assert_true(m->clock_hz.value == 1.98e9 && m->clock_hz.unsure);
  assert_int_equal(m->shared_bytes_per_sm.value, 65536);
  assert_int_equal(m->registers_per_team.state, MSL_UNKNOWN);
  assert_int_equal(m->registers_per_thread.state, MSL_NA);
  assert_int_equal(m->shared_unit_bytes.state, MSL_ABSENT);
  assert_true(msl_time_ns(m, &m->launch_time) == 1700);
  assert_int_equal(memory->dim.value, 2);
  assert_int_equal(memory->size.dims, 2);
  assert_int_equal(memory->size.unit, MSL_ELEMENTS);
  assert_int_equal(msl_extent_bytes(&memory->size, 8), 64 * 32 * 8);
  assert_true(msl_read_latency_clk(m, memory) == 30);
  assert_true(msl_write_latency_clk(m, memory) > 79.19 && msl_write_latency_clk(m, memory) < 79.21);
  assert_int_equal(memory->share_scope.value, MSL_TPC);
  assert_true(memory->concurrency_memory_bound.unsure && !memory->concurrency_compute_bound.unsure);
  assert_string_equal(m->path_names[memory->path], "fast");
  assert_int_equal(memory->word_bytes.value, 8);
  assert_true(memory->read_bytes_per_clk.value == 128 && memory->write_bytes_per_clk.value == 64);
  assert_true(memory->read_gbps_per_die.value == 4280.5 && memory->write_gbps_per_die.value == 4280.5);
  assert_true(memory->working_set.points[1].x == 16384 && memory->working_set.points[1].unsure);
  assert_int_equal(memory->distinct.state, MSL_UNKNOWN);
  assert_true(memory->transactions.points[1].x == 3.5);
  assert_identity(m);
  msl_free(m);
}

/* ? and om can be used in all fields (paper 000, Figure 2), na too. */
static void test_open_fields(void **state) {
  (void)state;
  static const char *const words[] = {"?", "na", "om"};
  for (unsigned i = 0; i < 3; i++) {
    char text[512];
    const char *w = words[i];
    snprintf(text, sizeof text, "die = %s tpc; tpc = %s sm; sm = %s core; clock = %s;\nm 1 %s %s %s %s %s %s %s %s %s %s %s %s;\n",
             w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w);
    struct place_machine *m = read_good(text);
    assert_int_equal(m->sm_count, 0);
    assert_int_equal(m->warp_size, 32);
    assert_null(m->memories[0].serial);
    assert_int_equal(msl_capacity_bytes(&m->memories[0]), 0);
    assert_true(msl_read_latency_clk(m, &m->memories[0]) != msl_read_latency_clk(m, &m->memories[0])); /* NaN */
    assert_identity(m);
    msl_free(m);
  }
}

static void test_levels_by_id(void **state) {
  (void)state;
  struct place_machine *m = read_good(PROCESSOR "a 1 Y R na ? ? ? ? <> <2 3> sm ? ?; b 2 Y R na ? ? ? ? om om sm ? ?;"
                                                "c 3 Y R na ? ? ? ? <b 1> <> die ? ?;");
  assert_int_equal(m->memories[1].upper.count, 1);
  assert_int_equal(m->memories[1].upper.memory[0], 0);
  assert_int_equal(m->memories[1].lower.memory[0], 2);
  assert_identity(m);
  msl_free(m);
}

/* Whatever the literal, it prints as a literal of the same value. */
static void test_numbers(void **state) {
  (void)state;
  static const char *const times[] = {"1ns",    "0.1ns",      "0.29ns",           "6.3us",           "123456789012345clk",
                                      "1.5sec", "0.000001ms", "0.000000000000001ns", "0.3ns",        "2.675ns",
                                      "99999.9999999999clk", "1000000clk", "0.999999999999999ns", "100.10ns"};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    char text[256];
    struct msl_diagnostics diagnostics;
    snprintf(text, sizeof text, PROCESSOR "m 1 Y R na ? ? ? %s <> <> sm ? ?;", times[i]);
    struct place_machine *m = msl_read(text, strlen(text), "test", &diagnostics);
    if (!m) { /* 123456789012345 is beyond the range of a time, not beyond the digits */
      assert_non_null(strstr(diagnostics.items[0].message, "out of range"));
      continue;
    }
    assert_true(m->memories[0].read_latency.value == strtod(times[i], NULL));
    assert_identity(m);
    msl_free(m);
  }
}

static void test_random_numbers(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned i = 0; i < 2000; i++) {
    char text[256], number[40];
    uint64_t digits = next_random(&seed) % 1000000000000000u;
    int places = (int)(next_random(&seed) % 13) + 3;
    snprintf(number, sizeof number, "%0*llu", places + 1, (unsigned long long)digits);
    size_t whole = strlen(number) - (size_t)places;
    snprintf(text, sizeof text, PROCESSOR "m 1 Y R na ? ? ? %.*s.%sns <> <> sm ? ?;", (int)whole, number, number + whole);
    if (!digits)
      continue;
    struct place_machine *m = read_good(text);
    assert_identity(m);
    msl_free(m);
  }
}

static void test_machines(void **state) {
  (void)state;
  for (unsigned i = 0; i < MACHINE_FILES; i++) {
    struct place_machine *m = read_machine_file(machine_files[i]);
    assert_non_null(msl_memory_by_name(m, "globalMem"));
    assert_non_null(msl_memory_by_name(m, "constantMem"));
    assert_non_null(msl_memory_by_name(m, "sharedMem"));
    assert_non_null(msl_memory_by_name(m, "textureMem"));
    assert_true(m->sm_count > 0);
    assert_identity(m);
    msl_free(m);
  }
}

static void test_many_errors(void **state) {
  (void)state;
  char text[4096] = PROCESSOR;
  for (unsigned i = 0; i < 40; i++)
    strcat(text, "m 1 J;\n");
  struct msl_diagnostics diagnostics;
  assert_null(msl_read(text, strlen(text), "test", &diagnostics));
  assert_int_equal(diagnostics.count, 40);
  char *said = msl_diagnostics_text(&diagnostics);
  assert_non_null(strstr(said, "test: error: 8 more errors\n"));
  free(said);
}

static void test_no_file(void **state) {
  (void)state;
  struct msl_diagnostics diagnostics;
  assert_null(msl_read_file("there/is/no.msl", &diagnostics));
  char *said = msl_diagnostics_text(&diagnostics);
  assert_string_equal(said, "there/is/no.msl: error: it cannot be opened: No such file or directory\n");
  free(said);
  assert_null(msl_read_file(".", NULL));
  assert_null(msl_read("x", 1, NULL, NULL));
  msl_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_figure4),       cmocka_unit_test(test_extensions), cmocka_unit_test(test_open_fields),
      cmocka_unit_test(test_levels_by_id),  cmocka_unit_test(test_numbers),    cmocka_unit_test(test_random_numbers),
      cmocka_unit_test(test_machines),      cmocka_unit_test(test_many_errors), cmocka_unit_test(test_no_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

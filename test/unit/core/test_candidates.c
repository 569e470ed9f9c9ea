/* Which spaces an array can take at a launch, what a copy of it holds, and what is said where it cannot. */
#include "launches.h"

#include "candidates.h"
#include "place/text.h"

static void sizes(void **state) {
  (void)state;
  static const struct { uint64_t bytes, shared, constant; const char *text; } cases[] = {
    {0, 0, 0, "0 B"},
    {1, 16, 256, "1 B"},
    {16, 16, 256, "16 B"},
    {17, 32, 256, "17 B"},
    {256, 256, 256, "256 B"},
    {257, 272, 512, "257 B"},
    {1023, 1024, 1024, "1023 B"},
    {1024, 1024, 1024, "1 KiB"},
    {48 << 10, 48 << 10, 48 << 10, "48 KiB"},
    {(48 << 10) + 1, (48 << 10) + 16, (48 << 10) + 256, "48.0 KiB"}, /* tells it from the whole number below */
    {65600, 65600, 65792, "64.1 KiB"},
    {UINT64_C(3) << 39, UINT64_C(3) << 39, UINT64_C(3) << 39, "1.5 TiB"},
    {UINT64_MAX - 15, UINT64_MAX - 15, UINT64_MAX - 255, "16777216 TiB"}, /* no slot wraps to a small one */
    {UINT64_MAX, UINT64_MAX - 15, UINT64_MAX - 255, "16777216 TiB"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[PLACE_BYTES_TEXT];
    assert_string_equal(place_bytes_text(cases[i].bytes, text), cases[i].text);
    assert_int_equal(candidates_slot(PLACE_SHARED, cases[i].bytes), cases[i].shared);
    assert_int_equal(candidates_slot(PLACE_CONSTANT, cases[i].bytes), cases[i].constant);
    assert_int_equal(candidates_slot(PLACE_GLOBAL, cases[i].bytes), 0);
    assert_int_equal(candidates_slot(PLACE_READONLY, cases[i].bytes), 0);
  }
}

/* given: of the machine file, in bytes of a team; 0: it does not say. */
static void capacities(void **state) {
  (void)state;
  static const struct { uint64_t given; uint32_t dynamic, bank; uint64_t shared, constant; } cases[] = {
    {0, 0, 0, 48 << 10, 48 << 10},
    {227 << 10, 0, 0, 48 << 10, 48 << 10}, /* more than the offloading runtime gives without being asked */
    {1000, 0, 1, 1000, 1},
    {1000, 999, 4096, 0, 4096}, /* what the program takes is a slot, too */
    {1000, 1, 4096, 984, 4096},
    {0, 48 << 10, 65536, 0, 48 << 10}, /* the machine file's bank is the smaller one */
    {0, UINT32_MAX, UINT32_MAX, 0, 48 << 10},
  };
  struct place_machine *machine = h200();
  struct msl_count before = machine->shared_bytes_per_team;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct place_launch launch = {.dynamic_shared_bytes = cases[i].dynamic, .constant_bytes = cases[i].bank};
    machine->shared_bytes_per_team = (struct msl_count){.state = cases[i].given ? MSL_GIVEN : MSL_UNKNOWN, .value = cases[i].given};
    assert_int_equal(candidates_capacity(machine, &launch, PLACE_SHARED), cases[i].shared);
    assert_int_equal(candidates_capacity(machine, &launch, PLACE_CONSTANT), cases[i].constant);
    assert_int_equal(candidates_capacity(machine, &launch, PLACE_GLOBAL), 0);
  }
  machine->shared_bytes_per_team = before;
  msl_free(machine);
}

/* The taps of a filter: array 1, of which arg1 elements from its begin on are read. */
enum { TAPS = 1, SPACES = 0xf };
static const place_space_set all = SPACES, none = PLACE_SPACE_BIT(PLACE_GLOBAL), no_copies = none | PLACE_SPACE_BIT(PLACE_READONLY);

static void spaces(void **state) {
  (void)state;
  static const struct {
    uint64_t taps;                /* 0: not known */
    struct place_extent section;  /* what is mapped */
    place_space_set allowed, spaces;
    struct place_extent window;
    const char *constant, *shared; /* why not */
  } cases[] = {
    {64, {0, 256, true}, SPACES, all, {0, 256, true}, "", ""},
    {1, {0, 256, true}, SPACES, all, {0, 4, true}, "", ""},
    {64, {0, 100, true}, SPACES, all, {0, 100, true}, "", ""}, /* the section ends before the reads do */
    {64, {-32, 288, true}, SPACES, all, {0, 256, true}, "", ""},
    {64, {8, 100, true}, SPACES, all, {8, 100, true}, "", ""},
    {64, {256, 256, true}, SPACES, no_copies, {256, 0, true}, "its accesses lie outside of the mapped section",
     "its accesses lie outside of the mapped section"},
    {64, {0, 0, true}, SPACES, no_copies, {0, 0, true}, "its accesses lie outside of the mapped section",
     "its accesses lie outside of the mapped section"},
    {64, {0, 0, false}, SPACES, no_copies, {0, 0, false}, "extent unknown", "extent unknown"},
    {0, {0, 4096, true}, SPACES, all, {0, 4096, true}, "", ""}, /* some number of 32 bits */
    {12288, {0, 49152, true}, SPACES, all, {0, 49152, true}, "", ""}, /* exactly full */
    {12289, {0, 49156, true}, SPACES, no_copies, {0, 49156, true}, "does not fit (48.0 KiB > 48 KiB)", "does not fit (48.0 KiB > 48 KiB)"},
    {16384, {0, 65536, true}, SPACES, no_copies, {0, 65536, true}, "does not fit (64 KiB > 48 KiB)", "does not fit (64 KiB > 48 KiB)"},
    {64, {0, 256, true}, 1, none, {0, 256, true}, "not legal at this launch", "not legal at this launch"},
    {64, {0, 256, true}, 0xb, 0xb, {0, 256, true}, "not legal at this launch", ""},
  };
  struct place_machine *machine = h200();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct scene s;
    struct candidate found[MAX_ARRAYS];
    struct place_diag diag;
    scene_conv1d(&s, 64);
    s.arg[1] = cases[i].taps;
    s.arg_known[1] = cases[i].taps;
    s.extent[TAPS] = cases[i].section;
    s.allowed[TAPS] = cases[i].allowed;
    struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
    assert_int_equal(candidates_find(&question, found, &diag), 0);
    const struct candidate *c = &found[TAPS];
    if (c->spaces != cases[i].spaces || c->whole || c->window.lo != cases[i].window.lo ||
        c->window.bytes != cases[i].window.bytes)
      fail_msg("case %zu: spaces %x, whole %d, window %lld + %llu", i, c->spaces, (int)c->whole, (long long)c->window.lo, (unsigned long long)c->window.bytes);
    assert_int_equal(c->window.known, cases[i].window.known);
    assert_string_equal(c->excluded[PLACE_GLOBAL], "");
    assert_string_equal(c->excluded[PLACE_CONSTANT], cases[i].constant);
    assert_string_equal(c->excluded[PLACE_SHARED], cases[i].shared);
    assert_int_equal(found[2].spaces, none); /* what is written stays */
    scene_close(&s);
  }
  msl_free(machine);
}

/* A copy of what data picks holds all that can be picked, in the section; where no bound is known, the whole section. */
static void look_ups(void **state) {
  (void)state;
  static const struct { bool entries_known, whole[3]; uint64_t bytes[3]; } cases[] = {
    {true, {true, false, true}, {64ull * MEBI, 4096, 64ull * MEBI}}, {false, {true, false, true}, {64ull * MEBI, MEBI, 64ull * MEBI}}};
  struct place_machine *machine = h200();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct scene s;
    struct candidate found[MAX_ARRAYS];
    struct place_diag diag;
    scene_lut(&s, 1024, false);
    s.arg_known[4] = cases[i].entries_known;
    struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
    assert_int_equal(candidates_find(&question, found, &diag), 0);
    for (int a = 0; a < 3; a++) {
      assert_int_equal(found[a].whole, cases[i].whole[a]);
      assert_int_equal(found[a].window.bytes, cases[i].bytes[a]);
    }
    scene_close(&s);
  }
  msl_free(machine);
}

/* What the compiler said is repeated; what the machine file lacks is no place. */
static void reasons(void **state) {
  (void)state;
  struct place_machine *machine = h200();
  struct scene s;
  struct candidate found[MAX_ARRAYS];
  struct place_diag diag;
  scene_conv1d(&s, 64);
  struct place_region region = *s.region;
  struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
  question.region = &region;
  region.no_version = "it is only a test";
  assert_int_equal(candidates_find(&question, found, &diag), 0);
  assert_int_equal(found[TAPS].spaces, none);
  for (int space = 1; space < PLACE_SPACE_COUNT; space++) assert_string_equal(found[TAPS].excluded[space], "it is only a test");
  region.no_version = NULL;
  machine->memory_count = 0;
  assert_int_equal(candidates_find(&question, found, &diag), 0);
  assert_int_equal(found[TAPS].spaces, none);
  assert_string_equal(found[TAPS].excluded[PLACE_SHARED], "the machine file does not describe it");
  assert_string_equal(found[2].excluded[PLACE_SHARED], "written");
  scene_close(&s);
  msl_free(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(capacities), cmocka_unit_test(spaces), cmocka_unit_test(look_ups),
                                     cmocka_unit_test(reasons)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Out of memory at every allocation in turn: a reason instead of a machine, and nothing leaks (run it under ASan). */
#include "support.h"

static unsigned allocations_left = ~0u;

void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static bool refuse(void) { return allocations_left == 0 || (allocations_left != ~0u && allocations_left-- == 0); }
void *__wrap_calloc(size_t count, size_t bytes) { return refuse() ? NULL : __real_calloc(count, bytes); }
void *__wrap_realloc(void *old, size_t bytes) { return refuse() ? NULL : __real_realloc(old, bytes); }

static void test_read(void **state) {
  (void)state;
  struct place_machine *machine = NULL;
  unsigned allowed = 0;
  for (; !machine; allowed++) {
    struct msl_diagnostics diagnostics;
    allocations_left = allowed;
    machine = msl_read_file("../../../msl/machines/h200.msl", &diagnostics);
    allocations_left = ~0u;
    if (machine)
      break;
    assert_string_equal(diagnostics.items[0].message, "out of memory");
  }
  assert_true(allowed > 3);
  msl_free(machine);
}

static char *diff_with_itself(const struct place_machine *machine) { return msl_diff(machine, machine, NULL); }

static void test_write(void **state) {
  (void)state;
  char *(*const writers[])(const struct place_machine *) = {msl_print, msl_draw_text, msl_draw_svg, diff_with_itself};
  struct place_machine *machine = read_machine_file("h200");
  for (unsigned i = 0; i < sizeof writers / sizeof writers[0]; i++) {
    char *text = NULL;
    for (unsigned allowed = 0; !text; allowed++) {
      assert_true(allowed < 1000);
      allocations_left = allowed;
      text = writers[i](machine);
      allocations_left = ~0u;
    }
    free(text);
  }
  msl_free(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_write)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

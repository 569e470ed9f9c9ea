/* What the tests of msl/ share. */
#ifndef MSL_TEST_SUPPORT_H
#define MSL_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "place/machine.h"

#define PROCESSOR "die = 1 tpc; tpc = 2 sm; sm = 32 core;\n"

/* A machine from text that has no errors. */
static inline struct place_machine *read_good(const char *text) {
  struct msl_diagnostics diagnostics;
  struct place_machine *machine = msl_read(text, strlen(text), "test", &diagnostics);
  if (!machine) {
    char *said = msl_diagnostics_text(&diagnostics);
    fputs(said, stderr);
    free(said);
  }
  assert_non_null(machine);
  return machine;
}

/* One memory named `m` with this condition and extension fields. */
static inline struct place_machine *read_condition(const char *condition, const char *extensions) {
  char text[2048];
  snprintf(text, sizeof text, PROCESSOR "m 1 Y RW na 4G 128B 32 600clk <> <> die 0.2 %s %s;\n", condition, extensions);
  return read_good(text);
}

/* Printing what was printed and read again changes nothing, and neither does the machine. */
static inline void assert_identity(const struct place_machine *machine) {
  char *first = msl_print(machine);
  struct place_machine *again = read_good(first);
  char *second = msl_print(again);
  unsigned differences = 1;
  char *diff = msl_diff(machine, again, &differences);
  assert_string_equal(first, second);
  assert_string_equal(diff, "");
  assert_int_equal(differences, 0);
  msl_free(again);
  free(first);
  free(second);
  free(diff);
}

static inline uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static const char *const machine_files[] = {"c1060", "m2075", "k20c", "k40", "m60", "p100", "v100", "h200"};
enum { MACHINE_FILES = sizeof machine_files / sizeof machine_files[0] };

static inline struct place_machine *read_machine_file(const char *name) {
  char path[128];
  struct msl_diagnostics diagnostics;
  snprintf(path, sizeof path, "../../../msl/machines/%s.msl", name);
  struct place_machine *machine = msl_read_file(path, &diagnostics);
  assert_non_null(machine);
  return machine;
}

#endif

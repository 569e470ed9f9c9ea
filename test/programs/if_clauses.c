/* if clauses that a launch decides, of target and of parallel: how many threads there are is seen in some regions and not in others, and
 * what one thread alone carries out has its iterations in order. */
// RUN: %check_program %s %t
#include "check.h"
#include <omp.h>

enum { SIZE = 700, ROW = 35 };

static int in[SIZE], out[SIZE], want[SIZE], seen[SIZE];

static void shared_loop(int big) {
#pragma omp target teams distribute parallel for if (big >= 0) map(to : in) map(from : out)
  for (int i = 0; i < SIZE; i++)
    out[i] = in[i] + 1;
  for (int i = 0; i < SIZE; i++)
    want[i] = in[i] + 1;
  expect_bytes("combined", out, want, sizeof out);
}

/* One thread is number 0; several are at least no more than asked for. */
static void observed(int big) {
#pragma omp target parallel for if (parallel : big) map(to : in) map(from : out, seen)
  for (int i = 0; i < SIZE; i++) {
    out[i] = in[i] + 2;
    seen[i] = omp_get_thread_num() + 1000 * omp_in_parallel() + 10000 * omp_get_active_level();
  }
  for (int i = 0; i < SIZE; i++) {
    want[i] = in[i] + 2;
    seen[i] = big ? 0 : seen[i];
  }
  expect_bytes("one team", out, want, sizeof out);
  memset(want, 0, sizeof want);
  expect_bytes("its thread", seen, want, sizeof seen);
}

/* Each element needs the one before it, unless there are many. */
static void in_order(int big) {
#pragma omp target teams distribute map(to : in) map(tofrom : out)
  for (int row = 0; row < SIZE; row += ROW) {
#pragma omp parallel for if (big)
    for (int i = row; i < row + ROW; i++)
      out[i] = big || i == row ? in[i] : out[i - 1] + in[i];
  }
  for (int i = 0; i < SIZE; i++)
    want[i] = big || i % ROW == 0 ? in[i] : want[i - 1] + in[i];
  expect_bytes("in order", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < SIZE; i++)
      in[i] = value(i, r), out[i] = 0;
    shared_loop(r % 2);
    observed(r % 2);
    in_order(r % 2);
  }
  return check_done("if_clauses");
}

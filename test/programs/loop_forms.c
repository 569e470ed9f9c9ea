/* Loops that clang gives no chunk loop of its own form: schedules, and counters of every kind. All have versions without the device runtime
 * (docs/loops.md), which must give what the loop means. team_forms.c has kernels. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 1500 };

static int in[N], out[N], want[N];

/* ---- schedules ---- */

static void schedules(int n, int r) {
  for (int i = 0; i < n; i++)
    want[i] = in[i] * 3 + r;
#define CHECK_SCHEDULE(clauses)                                                              \
  memset(out, 0, sizeof out);                                                                \
  _Pragma(clauses) for (int i = 0; i < n; i++) out[i] = in[i] * 3 + r;                       \
  expect_bytes(clauses, out, want, sizeof out)
  CHECK_SCHEDULE("omp target teams distribute parallel for schedule(dynamic)");
  CHECK_SCHEDULE("omp target teams distribute parallel for schedule(guided, 3) num_teams(5)");
  CHECK_SCHEDULE("omp target teams distribute parallel for schedule(static, 7) thread_limit(64)");
  CHECK_SCHEDULE("omp target teams distribute parallel for dist_schedule(static, 50)");
  CHECK_SCHEDULE("omp target teams distribute parallel for simd");
  CHECK_SCHEDULE("omp target parallel for");
  CHECK_SCHEDULE("omp target parallel for schedule(dynamic, 4)");
  CHECK_SCHEDULE("omp target teams loop");
}

/* ---- counters ---- */

static void counters(unsigned n, int r) {
  for (unsigned i = 0; i < n; i++)
    want[i] = in[i] - r;
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (unsigned long i = 0; i < n; i++)
    out[i] = in[i] - r;
  expect_bytes("unsigned long", out, want, sizeof out);
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for schedule(static, 2)
  for (int i = (int)n - 1; i >= 0; i--)
    out[i] = in[i] - r;
  expect_bytes("down", out, want, sizeof out);
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for schedule(guided)
  for (long i = 0; i < 2 * (long)n; i += 2)
    out[i / 2] = in[i / 2] - r;
  expect_bytes("strided", out, want, sizeof out);
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for collapse(2) schedule(dynamic)
  for (unsigned y = 0; y < n / 30; y++)
    for (unsigned x = 0; x < 30; x++)
      out[y * 30 + x] = in[y * 30 + x] - r;
  expect_bytes("collapsed", out, want, sizeof out);
}

/* A pointer that leads to the loop's own bound: it is read before the loop. */
static void empty_and_one(int r) {
  for (int n = 0; n < 2; n++) {
    int got[2] = {7, 7};
#pragma omp target teams distribute parallel for schedule(dynamic) map(tofrom : got)
    for (int i = 0; i < n; i++)
      got[i] = r;
#pragma omp target teams distribute map(tofrom : got)
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        got[i + j] += 1;
    }
    expect_long("none or one", got[0], n ? r + 1 : 7);
    expect_long("behind it", got[1], 7);
  }
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    memset(out, 0, sizeof out);
    memset(want, 0, sizeof want);
    schedules(N - r % 3, r);
    memset(want, 0, sizeof want);
    counters(N, r);
    empty_and_one(r);
  }
  return check_done("loop_forms");
}

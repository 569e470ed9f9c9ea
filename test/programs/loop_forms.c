/* Loops and kernels that clang gives no chunk loop of its own form: schedules, counters of every kind, teams with code around their
 * parallel regions, teams that are nothing but a parallel region with barriers, kernels of one thread. All have versions without the
 * device runtime (docs/loops.md), which must give what the loop means. */
// RUN: %check_program %s %t
#include "check.h"
#include <omp.h>

enum { N = 1500, ROWS = 37, COLUMNS = 90 };

static int in[N], out[N], want[N], table[ROWS], grid[ROWS][COLUMNS], want_grid[ROWS][COLUMNS], sums[ROWS], want_sums[ROWS];

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

/* ---- teams with code around parallel regions ---- */

static void rows(int r) {
  for (int y = 0; y < ROWS; y++) {
    want_sums[y] = 0;
    for (int x = 0; x < COLUMNS; x++) {
      want_grid[y][x] = in[y * COLUMNS % N + x % 30] + table[y] * r;
      want_sums[y] += want_grid[y][x];
    }
    for (int x = 0; x < COLUMNS; x++)
      want_grid[y][x] -= want_sums[y];
  }
  memset(grid, 0, sizeof grid);
#pragma omp target teams distribute map(from : grid, sums) map(to : in, table)
  for (int y = 0; y < ROWS; y++) {
    int scale = table[y] * r, sum = 0;
    const int *row = in + y * COLUMNS % N;
#pragma omp parallel for reduction(+ : sum)
    for (int x = 0; x < COLUMNS; x++) {
      grid[y][x] = row[x % 30] + scale;
      sum += grid[y][x];
    }
    sums[y] = sum;
#pragma omp parallel for schedule(dynamic)
    for (int x = 0; x < COLUMNS; x++)
      grid[y][x] -= sum;
  }
  expect_bytes("rows", grid, want_grid, sizeof grid);
  expect_bytes("sums", sums, want_sums, sizeof sums);
}

/* One region after another, each reading what another thread has written, in a sequential loop. */
static void waves(int r) {
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      want_grid[y][x] = grid[y][x] = value(y * COLUMNS + x, r);
  for (int y = 0; y < ROWS; y++)
    for (int t = 0; t < 5; t++) {
      for (int x = 0; x < COLUMNS; x++)
        want_grid[y][x] = (x + 1 < COLUMNS ? want_grid[y][x + 1] : x) + t;
    }
#pragma omp target teams distribute map(tofrom : grid) num_teams(ROWS)
  for (int y = 0; y < ROWS; y++) {
    int next[COLUMNS];
    for (int t = 0; t < 5; t++) {
#pragma omp parallel for
      for (int x = 0; x < COLUMNS; x++)
        next[x] = (x + 1 < COLUMNS ? grid[y][x + 1] : x) + t;
#pragma omp parallel for
      for (int x = 0; x < COLUMNS; x++)
        grid[y][x] = next[x];
    }
  }
  expect_bytes("waves", grid, want_grid, sizeof grid);
}

/* ---- teams that are a parallel region ---- */

enum { GROUP = 64, GROUPS = N / GROUP };

static void groups(int r) {
  memset(out, 0, sizeof out);
  memset(want, 0, sizeof want);
  for (int g = 0; g < GROUPS; g++)
    for (int t = 0; t < GROUP; t++)
      want[g * GROUP + t] = in[g * GROUP + (GROUP - 1 - t)] + r;
#pragma omp target teams num_teams(GROUPS) thread_limit(GROUP) map(to : in) map(from : out)
  {
    int tile[GROUP];
#pragma omp parallel
    {
      int team = omp_get_team_num(), teams = omp_get_num_teams(), thread = omp_get_thread_num(), threads = omp_get_num_threads();
      for (int g = team; g < GROUPS; g += teams) {
        for (int t = thread; t < GROUP; t += threads)
          tile[t] = in[g * GROUP + t];
#pragma omp barrier
        for (int t = thread; t < GROUP; t += threads)
          out[g * GROUP + t] = tile[GROUP - 1 - t] + r;
#pragma omp barrier
      }
    }
  }
  expect_bytes("groups", out, want, GROUPS * GROUP * sizeof *out);
}

/* A parallel region within another is one thread's. */
static void nested(int r) {
  for (int i = 0; i < N; i++)
    want[i] = 3 * in[i] + r;
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
  for (int i = 0; i < N; i++) {
    int sum = r;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < 3; j++)
      sum += in[i] + omp_get_thread_num();
    out[i] = sum;
  }
  expect_bytes("nested", out, want, sizeof out);
}

/* ---- one thread ---- */

static void alone(int r) {
  int sum = 0, got = 0, seen = 0;
  for (int i = 0; i < N; i++)
    sum += in[i] * r;
#pragma omp target map(to : in) map(tofrom : got, seen)
  {
    for (int i = 0; i < N; i++)
      got += in[i] * r;
    seen += omp_get_num_threads();
  }
  expect_long("alone", got, sum);
  expect_long("threads", seen, 1);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < ROWS; i++)
      table[i] = value(i, r + 1);
    memset(out, 0, sizeof out);
    memset(want, 0, sizeof want);
    schedules(N - r % 3, r);
    memset(want, 0, sizeof want);
    counters(N, r);
    empty_and_one(r);
    rows(r);
    waves(r);
    groups(r);
    nested(r);
    alone(r);
  }
  return check_done("loop_forms");
}

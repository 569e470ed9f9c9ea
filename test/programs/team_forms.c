/* Kernels that clang gives no chunk loop: teams with code around their parallel regions, teams that are nothing but a parallel region with
 * barriers, kernels of one thread. All have versions without the device runtime (docs/loops.md), which must do as the source says. Apart
 * from loop_forms.c and parallel_within.c: all in one file, openmp-opt takes half a minute for what takes it two seconds in three. */
// RUN: %check_program %s %t
#include "check.h"
#include <omp.h>

enum { N = 1500, ROWS = 37, COLUMNS = 90 };

static int in[N], out[N], want[N], table[ROWS], grid[ROWS][COLUMNS], want_grid[ROWS][COLUMNS], sums[ROWS], want_sums[ROWS];

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
    rows(r);
    waves(r);
    groups(r);
    alone(r);
  }
  return check_done("team_forms");
}

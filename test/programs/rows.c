/* Loops in two levels: few and long rows, many and short ones, none; variables of the team, sums, several inner loops, a sequential loop
 * around them. Where each warp is a team to the program, its variables and barriers are its own. */
// RUN: %check_program %s %t
#include "check.h"

enum { MOST = 1200 };

static int in[MOST], out[MOST], want[MOST], sum[MOST], want_sum[MOST];

static void scaled(int rows, int n) {
#pragma omp target teams distribute map(to : in) map(tofrom : out)
  for (int i = 0; i < rows; i++) {
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      out[i * n + j] += in[i * n + j] * i;
  }
}

/* The team's variable is written in one inner loop and read in the next. */
static void centred(int rows, int n) {
#pragma omp target teams distribute map(to : in) map(tofrom : out) map(from : sum)
  for (int i = 0; i < rows; i++) {
    int total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int j = 0; j < n; j++)
      total += in[i * n + j];
    sum[i] = total;
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      out[i * n + j] = in[i * n + j] * n - total;
  }
}

/* What one thread wrote in a round another one reads in the next. */
static void shifted(int rows, int n, int times) {
#pragma omp target teams distribute map(to : in) map(tofrom : out)
  for (int i = 0; i < rows; i++) {
    int team[64];
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      team[j] = in[i * n + j];
    for (int t = 0; t < times; t++) {
      int next[64];
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        next[j] = team[(j + 1) % n] + t;
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        team[j] = next[j];
    }
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      out[i * n + j] = team[j];
  }
}

static void check_scaled(int rows, int n) {
  scaled(rows, n);
  for (int i = 0; i < rows * n; i++)
    want[i] += in[i] * (i / n);
  expect_bytes("scaled", out, want, sizeof out);
}

static void check_centred(int rows, int n) {
  centred(rows, n);
  for (int i = 0; i < rows; i++) {
    want_sum[i] = 0;
    for (int j = 0; j < n; j++)
      want_sum[i] += in[i * n + j];
    for (int j = 0; j < n; j++)
      want[i * n + j] = in[i * n + j] * n - want_sum[i];
  }
  expect_bytes("centred", out, want, sizeof out);
  expect_bytes("sums", sum, want_sum, sizeof *sum * (size_t)rows);
}

static void check_shifted(int rows, int n, int times) {
  shifted(rows, n, times);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      want[i * n + j] = in[i * n + (j + times) % n] + times * (times - 1) / 2;
  expect_bytes("shifted", out, want, sizeof out);
}

int main(void) {
  static const int shapes[][2] = {{2, 600}, {9, 33}, {30, 30}, {7, 0}, {0, 5}};
  for (int r = 0; r < rounds(); r++)
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      int rows = shapes[s][0], n = shapes[s][1];
      for (int i = 0; i < MOST; i++)
        in[i] = value(i, r + (int)s);
      check_scaled(rows, n);
      check_centred(rows, n);
      if (n && n <= 64)
        check_shifted(rows, n, r % 3 + 1);
    }
  return check_done("rows");
}

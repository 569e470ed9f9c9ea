/* What is the same for all iterations, and is found in memory: LLVM loads it once a chunk, between the guard and the loop. */
// RUN: %check_program %s %t
#include "check.h"

enum { MOST = 2500, WIDE = 70 };

struct scale { int add; double by; };

static double x[MOST], y[MOST], hy[MOST], other[4];
static int few[4];
static struct scale scale;
static const int sizes[] = {0, 1, 31, 128, 1000, 2500};

static void one(int n, double *out) {
#pragma omp target teams distribute parallel for map(to : x, few) map(tofrom : out[0 : MOST])
  for (int i = 0; i < n; i++)
    out[i] = x[i] * few[1] + few[2];
}

static void members(long n, const struct scale *s, double *out) {
#pragma omp target teams distribute parallel for map(to : x, s[0 : 1]) map(tofrom : out[0 : MOST]) thread_limit(256) schedule(static, 1)
  for (long i = 0; i < n; i++)
    out[i] += x[i] * s->by + s->add;
}

/* What is written is what was loaded. */
static void filled(long n, long at, double *out) {
#pragma omp target teams distribute parallel for map(to : other) map(tofrom : out[0 : MOST])
  for (long i = 0; i < n; i++)
    out[i] = other[at];
}

static void collapsed(int rows, int columns, double *out) {
#pragma omp target teams distribute parallel for collapse(2) map(to : x, few) map(tofrom : out[0 : MOST])
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      out[r * WIDE + c] = x[c * (MOST / WIDE) + r] * few[0];
}

/* A sequential loop whose end is in memory. */
static void counted(int n, double *out) {
#pragma omp target teams distribute parallel for map(to : x, few) map(tofrom : out[0 : MOST])
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < few[3]; j++)
      sum += x[(i + j) % MOST];
    out[i] = sum;
  }
}

static void on_host(int n) {
  int rows = n / WIDE, columns = n % WIDE;
  for (int i = 0; i < n; i++)
    hy[i] = x[i] * few[1] + few[2];
  for (int i = 0; i < n; i++)
    hy[i] += x[i] * scale.by + scale.add;
  expect_bytes("one, members", y, hy, sizeof y);
  for (int i = 0; i < n / 2; i++)
    hy[i] = other[n % 4];
  filled(n / 2, n % 4, y);
  expect_bytes("filled", y, hy, sizeof y);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      hy[r * WIDE + c] = x[c * (MOST / WIDE) + r] * few[0];
  collapsed(rows, columns, y);
  expect_bytes("collapsed", y, hy, sizeof y);
  for (int i = 0; i < n; i++) {
    hy[i] = 0;
    for (int j = 0; j < few[3]; j++)
      hy[i] += x[(i + j) % MOST];
  }
  counted(n, y);
  expect_bytes("counted", y, hy, sizeof y);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < MOST; i++)
      x[i] = value(i, r);
    for (int i = 0; i < 4; i++)
      few[i] = value(i, r + 1) % 7, other[i] = value(i, r + 2);
    scale = (struct scale){value(0, r), value(1, r)};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      one(sizes[s], y);
      members(sizes[s], &scale, y);
      on_host(sizes[s]);
    }
  }
  return check_done("invariants");
}

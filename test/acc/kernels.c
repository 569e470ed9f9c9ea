// The kernels and serial constructs.
// RUN: %acc_run %s %t
#include "check.h"

enum { N = 500 };
static double a[N], b[N], c[N];

static void oneLoop(void) {
#pragma acc kernels loop independent copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = i;
  CHECK(a[N - 1] == N - 1);
}

// Kernels follow each other; scalars live on.
static void sequence(void) {
  double sum = 0, scale = 3;
#pragma acc kernels copy(a, b)
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      b[i] = a[i] * scale;
#pragma acc loop reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += b[i];
    a[0] = sum;
  }
  CHECK(sum == 3.0 * N * (N - 1) / 2 && a[0] == sum);
}

static void dependent(void) {
  a[0] = 1;
#pragma acc kernels
  {
    for (int i = 1; i < N; i++)
      a[i] = a[i - 1] + 1;
  }
  CHECK(a[N - 1] == N);
#pragma acc kernels loop
  for (int i = 1; i < N; i++)
    a[i] = a[i - 1] + 2;
  CHECK(a[N - 1] == 1 + 2 * (N - 1));
}

// Independent in one loop, not in both: the second one is left alone.
static void halfDependent(void) {
  static int grid[8][8];
  for (int i = 0; i < 8; i++)
    grid[i][0] = 1;
#pragma acc kernels loop collapse(2)
  for (int i = 0; i < 8; i++)
    for (int j = 1; j < 8; j++)
      grid[i][j] = grid[i][j - 1] + 1;
  CHECK(grid[0][7] == 8 && grid[7][7] == 8);
}

static void plain(int n, double *restrict x, const double *restrict y) {
#pragma acc kernels copyin(y[0:n]) copy(x[0:n])
  for (int i = 0; i < n; i++)
    x[i] = x[i] + y[i];
}

static void scalars(void) {
  int x = 3, y = 4;
#pragma acc kernels
  {
    x = x + y;
    y = x * 2;
  }
  CHECK(x == 7 && y == 14);
}

static void conditional(int n) {
#pragma acc kernels if (n > 0)
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      b[i] = i;
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      c[i] = b[i] + 1;
  }
  CHECK(c[N - 1] == N);
}

// A sequential loop around a parallel one: one kernel.
static void timeSteps(void) {
  for (int i = 0; i < N; i++)
    a[i] = 0;
#pragma acc kernels copy(a)
  for (int t = 0; t < 5; t++) {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      a[i] += t;
  }
  CHECK(a[0] == 10 && a[N - 1] == 10);
}

static void serial(void) {
  int x = 1, y = 2, first = 10, sum = 0;
#pragma acc serial copy(a) firstprivate(first) private(y)
  {
    y = first;
    for (int i = 1; i < N; i++)
      a[i] = a[i - 1] + y;
  }
  CHECK(a[N - 1] == 10 + 10.0 * (N - 1) && y == 2 && x == 1);
#pragma acc serial loop gang vector reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  CHECK(sum == 4950);
}

int main(void) {
  oneLoop();
  sequence();
  dependent();
  halfDependent();
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = 1;
  plain(N, a, b);
  CHECK(a[N - 1] == N);
  scalars();
  conditional(1);
  timeSteps();
  serial();
  return RESULT();
}

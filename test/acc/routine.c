// routine at every level, by name, with bind; atomic; calls that have parallel loops of their own.
// RUN: %acc_run %s %t
#include <openacc.h>
#include "check.h"

enum { N = 128, M = 16 };
static double a[N][M];

#pragma acc routine seq
static double square(double x) { return x * x; }

double cube(double x);
#pragma acc routine(cube) seq
double cube(double x) { return x * x * x; }

#pragma acc routine vector
static void row(double *x, int n, double by) {
#pragma acc loop vector
  for (int j = 0; j < n; j++)
    x[j] = square(x[j]) + by;
}

#pragma acc routine worker
static double sum(const double *x, int n) {
  double s = 0;
#pragma acc loop worker vector reduction(+ : s)
  for (int j = 0; j < n; j++)
    s += x[j];
  return s;
}

#pragma acc routine gang
static void all(double (*x)[M], int n) {
#pragma acc loop gang
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      x[i][j] += 1;
}

static double onDevice(double x) { return x + 1; }
#pragma acc routine seq bind(onDevice)
static double either(double x) { return x - 1; }

int main(void) {
  double sums[N], r;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = i;
#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < N; i++)
    row(a[i], M, 0.5);
  CHECK(a[3][M - 1] == 9.5);
#pragma acc parallel loop gang copyin(a) copyout(sums)
  for (int i = 0; i < N; i++)
    sums[i] = sum(a[i], M);
  CHECK(sums[2] == 4.5 * M);
#pragma acc parallel copy(a)
  all(a, N);
  CHECK(a[2][0] == 5.5 && a[N - 1][M - 1] == (N - 1) * (N - 1) + 1.5);
#pragma acc serial copyout(r)
  r = cube(2) + either(10);
  CHECK(r == 19 && either(10) == 9);

  int histogram[4] = {0}, ticket = 0, last = 0, tickets[32], read = 0;
#pragma acc parallel loop copy(histogram, ticket, last) copyout(tickets, read)
  for (int i = 0; i < 32; i++) {
    int mine;
#pragma acc atomic
    histogram[i & 3]++;
#pragma acc atomic capture
    mine = ticket++;
    tickets[i] = mine;
#pragma acc atomic capture
    {
      mine = last;
      last += 2;
    }
#pragma acc atomic read
    mine = ticket;
#pragma acc atomic write
    read = 42;
    (void)mine;
  }
  int seen = 0;
  for (int i = 0; i < 32; i++)
    seen += tickets[i];
  CHECK(histogram[0] == 8 && histogram[3] == 8 && ticket == 32 && seen == 31 * 32 / 2 && last == 64 && read == 42);
  return RESULT();
}

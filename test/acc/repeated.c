// A sequential loop between the gangs' and the vectors' reads what the vectors reduced, before they reduce it again.
// RUN: %acc_run %s %t
#include "check.h"

enum { ROWS = 10, N = 100 };
static double a[ROWS][N];

static double mean(const double *row) {
  double sum = 0;
  for (int j = 0; j < N; j++)
    sum += row[j] / N;
  return sum;
}

static void fill(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i + 1 + j % 3;
}

static void conditions(double limit) {
  fill();
#pragma acc parallel copy(a)
  {
    double sum = 0;
#pragma acc loop
    for (int i = 0; i < ROWS; i++) {
      sum = 0;
      while (sum < limit) {
        sum = 0;
#pragma acc loop reduction(+ : sum)
        for (int j = 0; j < N; j++) {
          a[i][j] *= 1.5;
          sum += a[i][j] / N;
        }
      }
    }
  }
  for (int i = 0; i < ROWS; i++)
    CHECK(mean(a[i]) >= limit && mean(a[i]) < 1.5 * limit);
}

static void kept(int steps) {
  double change[ROWS];
  fill();
#pragma acc parallel loop gang copy(a) copyout(change)
  for (int i = 0; i < ROWS; i++) {
    double sum = 0, before;
#pragma acc loop seq
    for (int k = 0; k < steps; k++) {
      before = sum;
#pragma acc loop vector reduction(+ : sum)
      for (int j = 0; j < N; j++)
        sum += 1;
      change[i] = sum - before;
      if (sum > 250)
        break;
    }
    a[i][0] = sum;
  }
  for (int i = 0; i < ROWS; i++)
    CHECK(change[i] == N && a[i][0] == 300);
}

int main(void) {
  conditions(1000);
  kept(7);
  return RESULT();
}

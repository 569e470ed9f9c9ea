/* Each gang carries out all steps; in each step, the gangs share the rows. Elements of one row depend on that row alone. */
#include "check.h"

enum { N = 32 };
static double rows[N][N];

static void outside(int n) {
  int i, j, step;
#pragma acc parallel copy(rows)
  {
    for (step = 0; step < n; step++) {
#pragma acc loop
      for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
          rows[i][j] += step * n + i;
    }
  }
}

static void inside(int n) {
#pragma acc parallel copy(rows)
  {
    for (int step = 0; step < n; step++) {
#pragma acc loop
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          rows[i][j] -= step * n + i;
    }
  }
}

int main(void) {
  outside(N);
  for (int i = 0; i < N; i++)
    CHECK(rows[i][0] == N * (N - 1) / 2 * N + N * i && rows[i][N - 1] == rows[i][0]);
  inside(N);
  for (int i = 0; i < N; i++)
    CHECK(rows[i][3] == 0);
  return RESULT();
}

// The loop construct: levels, collapse, tile, private, reduction, seq and auto.
// RUN: %acc_run %s %t
#include "check.h"

enum { N = 24, M = 20, L = 12 };
static int a[N][M], cube[N][M][L], out[N];

static void collapse(void) {
#pragma acc parallel loop collapse(2) copyout(a)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = i * 100 + j;
  CHECK(a[N - 1][M - 1] == (N - 1) * 100 + M - 1);
#pragma acc parallel loop collapse(force : 2) copy(a)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j]++;
  CHECK(a[0][0] == 1);
}

static void tile(void) {
#pragma acc parallel loop tile(4, *) copy(a)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = i + j;
  CHECK(a[3][4] == 7);
}

static void levels(void) {
#pragma acc parallel loop gang copyout(a)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector
    for (int j = 0; j < M; j++)
      a[i][j] = i - j;
  }
  CHECK(a[5][7] == -2);
#pragma acc parallel loop gang copyout(cube)
  for (int i = 0; i < N; i++) {
#pragma acc loop worker
    for (int j = 0; j < M; j++) {
#pragma acc loop vector
      for (int k = 0; k < L; k++)
        cube[i][j][k] = i + j * k;
    }
  }
  CHECK(cube[3][4][5] == 23);
#pragma acc parallel loop gang copyout(cube)
  for (int i = 0; i < N; i++) {
    int first = i * 2;
#pragma acc loop worker
    for (int j = 0; j < M; j++) {
      int second = first + j;
#pragma acc loop vector
      for (int k = 0; k < L; k++)
        cube[i][j][k] = second + k;
    }
  }
  CHECK(cube[3][4][5] == 15);
}

// Rows of different lengths are no rectangle.
static void triangle(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = 0;
#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < M; i++) {
#pragma acc loop vector
    for (int j = 0; j <= i; j++)
      a[i][j] = 1;
  }
  int sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      sum += a[i][j];
  CHECK(sum == M * (M + 1) / 2);
}

static void innerReductions(void) {
  int total = 0, j;
#pragma acc parallel loop gang copyin(a) copyout(out)
  for (int i = 0; i < N; i++) {
    int sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (j = 0; j < M; j++)
      sum += a[i][j];
    out[i] = sum;
  }
  CHECK(out[4] == 5 && out[N - 1] == 0);
#pragma acc parallel loop gang reduction(+ : total) copyin(a)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector reduction(+ : total)
    for (int k = 0; k < M; k++)
      total += a[i][k];
  }
  CHECK(total == M * (M + 1) / 2);
  total = 0;
#pragma acc parallel copyin(a)
  {
#pragma acc loop gang reduction(+ : total)
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < M; k++)
        total += a[i][k];
    }
  }
  CHECK(total == M * (M + 1) / 2);
}

static void sequential(void) {
  int steps[N], t = 100;
#pragma acc parallel loop gang copyout(steps)
  for (int i = 0; i < N; i++) {
    int x = 0;
#pragma acc loop seq private(t)
    for (int k = 0; k < 5; k++) {
      t = k;
      x = x * 2 + t;
    }
    steps[i] = x;
  }
  CHECK(steps[0] == 26 && steps[N - 1] == 26 && t == 100);
#pragma acc parallel loop seq copy(steps)
  for (int i = 1; i < N; i++)
    steps[i] = steps[i - 1] + 1;
  CHECK(steps[N - 1] == 26 + N - 1);
}

static void privateArrays(void) {
  int scratch[4], x = 9;
#pragma acc parallel loop gang private(scratch, x) copyout(out)
  for (int i = 0; i < N; i++) {
    x = 0;
#pragma acc loop seq
    for (int k = 0; k < 4; k++)
      scratch[k] = i + k;
    for (int k = 0; k < 4; k++)
      x += scratch[k];
    out[i] = x;
  }
  CHECK(out[2] == 14 && x == 9);
}

// Arguments of levels are accepted where they may stand.
static void sizes(int n) {
#pragma acc kernels loop gang(num : 4) worker(2) vector(length : 32) independent copyout(out)
  for (int i = 0; i < N; i++)
    out[i] = n + i;
  CHECK(out[5] == n + 5);
#pragma acc parallel loop gang(static : *) vector device_type(host) seq copyout(out)
  for (int i = 0; i < N; i++)
    out[i] = n - i;
  CHECK(out[5] == n - 5);
}

int main(void) {
  collapse();
  tile();
  levels();
  triangle();
  innerReductions();
  sequential();
  privateArrays();
  sizes(3);
  return RESULT();
}

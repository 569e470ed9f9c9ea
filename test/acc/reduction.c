// A reduction ends at the loop or region that has the variable as its own: each iteration of that one begins anew.
// RUN: %acc_run %s %t
// RUN: %acc_text -I%S/Inputs %s 2>&1 | %FileCheck --check-prefix=WARN %s
#include "check.h"

enum { ROWS = 12, N = 40 };
static double a[ROWS][N], rows[ROWS];

static void fill(void) {
  for (int i = 0; i < ROWS; i++) {
    rows[i] = -1;
    for (int j = 0; j < N; j++)
      a[i][j] = i * 100 + j;
  }
}

static double expected(int i) { return i * 100.0 * N + N * (N - 1) / 2; }

static void check(void) {
  for (int i = 0; i < ROWS; i++)
    CHECK(rows[i] == expected(i));
}

// OpenMP refuses a reduction of what the same construct has as private.
static void private_of_loop(void) {
  double sum = 0;
  fill();
#pragma acc parallel loop gang private(sum) copyin(a) copy(rows)
  for (int i = 0; i < ROWS; i++) {
    sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
    for (int j = 0; j < N; j++)
      sum += a[i][j];
    rows[i] = sum;
  }
  check();
}

static void private_in_kernels(void) {
  double sum = 0;
  fill();
#pragma acc kernels loop gang private(sum) copyin(a) copy(rows)
  for (int i = 0; i < ROWS; i++) {
    sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int j = 0; j < N; j++)
      sum += a[i][j];
    rows[i] = sum;
  }
  check();
}

static void private_of_region(void) {
  double sum = 0;
  fill();
#pragma acc parallel private(sum) copyin(a) copy(rows)
  {
#pragma acc loop gang
    for (int i = 0; i < ROWS; i++) {
      sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int j = 0; j < N; j++)
        sum += a[i][j];
      rows[i] = sum;
    }
  }
  check();
}

static void firstprivate_of_region(void) {
  double sum = 0, begin = 0;
  fill();
#pragma acc parallel loop gang firstprivate(sum, begin) copyin(a) copy(rows)
  for (int i = 0; i < ROWS; i++) {
    sum = begin;
#pragma acc loop vector reduction(+ : sum)
    for (int j = 0; j < N; j++)
      sum += a[i][j];
    rows[i] = sum;
  }
  check();
}

// What lies below a loop with private variables of its own still reduces the others.
static void another_private_between(void) {
  double total = 7, t = 0, all = 7;
  fill();
#pragma acc parallel loop gang copyin(a)
  for (int i = 0; i < ROWS; i++) {
#pragma acc loop worker private(t)
    for (int k = 0; k < 2; k++) {
      t = k;
#pragma acc loop vector reduction(+ : total)
      for (int j = 0; j < N; j++)
        total += a[i][j] + t;
    }
  }
  for (int i = 0; i < ROWS; i++)
    all += 2 * expected(i) + N;
  CHECK(total == all);
}

// Not OpenACC's, but OpenMP's, and what other compilers take.
static void minus(void) {
  double sum = 100;
  fill();
// WARN: reduction.c:[[#@LINE+1]]:{{[0-9]+}}: warning: '-' is no reduction operator of OpenACC; taken as '+'
#pragma acc parallel loop reduction(- : sum) copyin(a)
  for (int j = 0; j < N; j++)
    sum -= a[1][j];
  CHECK(sum == 100 - expected(1));
}

// Inside, the variable is a copy that begins with 0.
static void in_serial(int n) {
  int doubled = 5, sum = 5;
#pragma acc serial reduction(+ : doubled)
  for (int i = 0; i < n; i++)
    doubled += doubled;
  CHECK(doubled == 5);
#pragma acc serial loop reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += i;
  CHECK(sum == 5 + n * (n - 1) / 2);
}

int main(void) {
  private_of_loop();
  private_in_kernels();
  private_of_region();
  firstprivate_of_region();
  another_private_between();
  minus();
  in_serial(20);
  return RESULT();
}

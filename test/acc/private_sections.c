// private of a pointer's section: an array of each gang's, or of each thread's, of a length that only the run may know. firstprivate: it
// begins as a copy of the host's.
// RUN: %acc_run %s %t
// RUN: %if simt %{ %simt_cc -O2 -fplugin=%plugin -I%S/Inputs %s -o %t.simt && env PLACE_STORE=off %t.simt %}
// RUN: %if cuda %{ %clang -O1 -fplugin=%plugin -I%S/Inputs -c %s -o %t.o %}
// RUN: %acc_text %s 2>&1 -I%S/Inputs | %FileCheck %s
#include <openacc.h>
#include "check.h"
#include <stdlib.h>

enum { ROWS = 6, FIXED = 16, TIMES = 300 };

static double row_sum(int row, int n) { return n * (n - 1) / 2.0 * (row + 1); }

// Shared by the threads of a gang.
// CHECK: __attribute__ ((cleanup(place_acc_free_array))) __typeof__ (p[0]) * p = (__typeof__ (p)) place_acc_new_array((0) + (n), sizeof (* p));
static void of_gangs(int n) {
  double *p = 0, sums[ROWS];
#pragma acc parallel num_gangs(ROWS) private(p[0 : n]) copyout(sums)
  {
#pragma acc loop gang
    for (int row = 0; row < ROWS; row++) {
      double sum = 0;
#pragma acc loop vector
      for (int i = 0; i < n; i++)
        p[i] = i * (row + 1);
#pragma acc loop seq
      for (int i = 0; i < n; i++)
        sum += p[i];
      sums[row] = sum;
    }
  }
  for (int row = 0; row < ROWS; row++)
    CHECK(sums[row] == row_sum(row, n));
}

// One for each iteration, given back also where `continue` leaves it early.
// CHECK: place_acc_new_array((2) + (n), sizeof (* p));
static void of_iterations(int n) {
  int *p = 0, sums[TIMES];
#pragma acc parallel loop private(p[2 : n]) copyout(sums)
  for (int k = 0; k < TIMES; k++) {
    sums[k] = -1;
    if (k % 3 == 0)
      continue;
    sums[k] = 0;
    for (int i = 2; i < n + 2; i++)
      p[i] = i * k;
    for (int i = 2; i < n + 2; i++)
      sums[k] += p[i];
  }
  for (int k = 0; k < TIMES; k++)
    CHECK(sums[k] == (k % 3 ? (n * (n + 3)) / 2 * k : -1));
}

// A length that clang knows needs no allocation.
// CHECK: __typeof__ (p[0]) p[(0) + (FIXED)];
static void fixed(void) {
  float *p = 0, sums[ROWS];
#pragma acc parallel loop private(p[0 : FIXED]) copyout(sums)
  for (int row = 0; row < ROWS; row++) {
    float sum = 0;
    for (int i = 0; i < FIXED; i++)
      p[i] = i * (row + 1);
    for (int i = 0; i < FIXED; i++)
      sum += p[i];
    sums[row] = sum;
  }
  for (int row = 0; row < ROWS; row++)
    CHECK(sums[row] == row_sum(row, FIXED));
}

// Each gang changes its own copy, and the host's stays as it is.
// CHECK: map(ompx_hold, to: p[2: n])
// CHECK: __typeof__ (p) place_acc_mapped_p = p;
// CHECK-NEXT: __attribute__ ((cleanup(place_acc_free_array))) __typeof__ (p[0]) * p = (__typeof__ (p)) place_acc_copied_array(place_acc_mapped_p, (2), (n), sizeof (* p));
static void first_of_gangs(int n) {
  double *p = (double *)malloc((n + 2) * sizeof *p), sums[ROWS];
  for (int i = 0; i < n + 2; i++)
    p[i] = i;
#pragma acc parallel num_gangs(ROWS) firstprivate(p[2 : n]) copyout(sums)
  {
#pragma acc loop gang
    for (int row = 0; row < ROWS; row++) {
      double sum = 0;
#pragma acc loop vector
      for (int i = 2; i < n + 2; i++)
        p[i] += row;
#pragma acc loop seq
      for (int i = 2; i < n + 2; i++)
        sum += p[i], p[i] -= row; // there may be fewer gangs than rows
      sums[row] = sum;
    }
  }
  for (int row = 0; row < ROWS; row++)
    CHECK(sums[row] == n * (n + 3) / 2.0 + (double)row * n);
  for (int i = 0; i < n + 2; i++)
    CHECK(p[i] == i);
  free(p);
}

// Elements that nobody may write, of a length that clang knows; of one thread.
static void first_of_const(const float *p) {
  float sum = 0;
#pragma acc serial firstprivate(p[0 : FIXED]) copy(sum)
  for (int i = 0; i < FIXED; i++)
    sum += p[i];
  CHECK(sum == FIXED);
}

int main(void) {
  float ones[FIXED];
  for (int i = 0; i < FIXED; i++)
    ones[i] = 1;
  first_of_gangs(40);
  first_of_gangs(1);
  first_of_const(ones);
  of_gangs(40);
  of_gangs(1);
  of_iterations(1000);
  fixed();
  return RESULT();
}

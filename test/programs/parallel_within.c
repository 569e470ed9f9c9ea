/* A parallel region within another is one thread's. A file of its own, as openmp-opt takes long for it and for all that is with it. */
// RUN: %check_program %s %t
#include "check.h"
#include <omp.h>

enum { N = 1500 };

static int in[N], out[N], want[N];

static void nested(int r) {
  for (int i = 0; i < N; i++)
    want[i] = 3 * in[i] + r;
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
  for (int i = 0; i < N; i++) {
    int sum = r;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < 3; j++)
      sum += in[i] + omp_get_thread_num();
    out[i] = sum;
  }
  expect_bytes("nested", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    nested(r);
  }
  return check_done("parallel_within");
}

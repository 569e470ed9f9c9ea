// A million iterations of 100 loads in teams of 128 threads: plain, with checks, with counts. How long each takes is printed
// and, as time is no result, not compared: it should be below 10 s, and below 60 s, on two idle cores.
// RUN: %simt_cc -O3 %s -o %t && %t | %FileCheck %s
// RUN: %simt_cc -O3 -fsimt-check %s -o %t.check && %t.check | %FileCheck %s
// RUN: %simt_cc -O3 -fsimt-count %s -o %t.count && env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl SIMT_COUNT_FILE=%t.counts %t.count | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=COUNT < %t.counts
// CHECK: checksum 4.995e+10
// 31,250 warps with 100 loads each. Iteration 32 w + k is the first of a load's 32 floats: 4 sectors if k is a multiple of 8
// (13 values of k below 100), 5 otherwise: 31,250 * (13 * 4 + 87 * 5).
// COUNT: array {{.*}} array=arg0 space=global access=load warp-accesses=3125000 lane-accesses=100000000 transactions=15218750
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000000, LOADS = 100 };

int main(void) {
  float *in = malloc((N + LOADS) * sizeof *in), *out = malloc(N * sizeof *out);
  for (int i = 0; i < N + LOADS; i++)
    in[i] = (float)(i % 1000);
  double start = omp_get_wtime(), checksum = 0;
#pragma omp target teams distribute parallel for map(to : in[0 : N + LOADS]) map(from : out[0 : N]) thread_limit(128)
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < LOADS; k++)
      sum += in[i + k];
    out[i] = sum;
  }
  printf("%.3f s\n", omp_get_wtime() - start);
  for (int i = 0; i < N; i++)
    checksum += out[i];
  printf("checksum %g\n", checksum);
  free(in);
  free(out);
  return 0;
}

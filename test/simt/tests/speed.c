// A million iterations of 100 loads in teams of 128 threads: under 10 s without checks, under 60 s with.
// RUN: %simt_cc -O3 %s -o %t && timeout 10 %t | %FileCheck %s
// RUN: %simt_cc -O3 -fsimt-check %s -o %t.check && timeout 60 %t.check | %FileCheck %s
// CHECK: checksum 4.995e+10
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

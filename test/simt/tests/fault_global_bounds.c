// A read behind the end of a mapped array is a finding with array, line, team and thread.
// RUN: %simt_cc -O2 -g -fsimt-check %s -o %t && %not %t 2>&1 | %FileCheck %s
// CHECK: simt: global-bounds: {{.*}}fault_global_bounds.c:[[@LINE+10]]: reads 4 bytes at offset 4000 of argument 2 (in{{.*}}), which has 4000 bytes
// CHECK-NEXT: kernel __omp_offloading_{{.*}}, version original, team 7, thread 7
// CHECK: simt: {{.*}} findings
#include <stdlib.h>

int main(void) {
  enum { N = 1000 };
  float *in = malloc(N * sizeof *in), *out = malloc(N * sizeof *out);
#pragma omp target teams distribute parallel for map(from : out[0 : N]) map(to : in[0 : N])
  for (int i = 0; i < N; i++)
    out[i] = in[i + 1];
  free(in);
  free(out);
  return 0;
}

// An array that a kernel reads through the read-only path is written in the same launch.
// RUN: %simt_cc -O1 -g -fsimt-check %s -o %t && %not %t 2>&1 | %FileCheck %s
// CHECK: simt: readonly-write: {{.*}}fault_readonly_write.c:{{[0-9]+}}: {{(reads as read-only|writes)}} argument 1 (data{{.*}}), which __omp_offloading_{{.*}} at line {{[0-9]+}} of the same launch
// CHECK-NEXT: version original, team
#include "Inputs/device.h"

int main(void) {
  enum { N = 1024 };
  static float data[2 * N];
#pragma omp target teams distribute parallel for map(tofrom : data)
  for (int i = 0; i < N; i++)
    data[N + i] = LOAD_READONLY(&data[i]);
  return 0;
}

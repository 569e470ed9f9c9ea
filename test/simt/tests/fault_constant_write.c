// Device code that writes constant memory through a generic pointer is found at run time.
// RUN: %simt_cc -O1 -g -fsimt-check %s -o %t && %not %t 2>&1 | %FileCheck %s
// CHECK: simt: constant-write: {{.*}}fault_constant_write.c:{{[0-9]+}}: writes variable fixed, which device code must not write
#include "Inputs/device.h"

#pragma omp begin declare target
CONSTANT int fixed[16];
#pragma omp end declare target

int main(void) {
#pragma omp target update to(fixed)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 16; i++)
    *(volatile int *)&fixed[i] = i;
  return 0;
}

// A load from constant memory leaves its array's slot: into another array's, or to where the host has put nothing.
// RUN: %simt_cc -O1 -g -fsimt-check %s -o %t && %not %t 32 2>&1 | %FileCheck %s
// RUN: %not %t 16 1024 2>&1 | %FileCheck %s --check-prefix=NOTHING
// RUN: %t 16
// CHECK: simt: constant-slot: {{.*}}fault_constant_slot.c:{{[0-9]+}}: reads offset {{0|64}} of variable slots, in another array's slot than before in this launch
// NOTHING: simt: constant-slot: {{.*}}: reads offset 1024 of variable slots, where the host has put no array
#include "Inputs/device.h"
#include <omp.h>
#include <stdlib.h>

#pragma omp begin declare target
CONSTANT char slots[4096];
#pragma omp end declare target

int main(int argc, char **argv) {
  float a[16] = {1}, b[16] = {2}, out[32];
  int count = atoi(argv[1]), start = argc > 2 ? atoi(argv[2]) : 0;
#pragma omp target // loads the image
  ;
  char *device_slots = omp_get_mapped_ptr((void *)slots, 0);
  omp_target_memcpy(device_slots, a, sizeof a, 0, 0, 0, omp_get_initial_device());
  omp_target_memcpy(device_slots, b, sizeof b, sizeof a, 0, 0, omp_get_initial_device());
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < count; i++)
    out[i] = ((CONSTANT const float *)(slots + start))[i];
  return 0;
}

// The grid is the one that libomptarget's CUDA plugin would choose.
// RUN: %simt_cc -O2 %s -o %t && env SIMT_TRACE=1 %t 2>&1 | %FileCheck %s
// RUN: env SIMT_TRACE=1 SIMT_TEAMS=16 %t 2>&1 | %FileCheck %s --check-prefix=FEW
// RUN: env SIMT_TRACE=1 SIMT_TEAMS_UNTOLD=7 %t 2>&1 | %FileCheck %s --check-prefix=UNTOLD
// CHECK: launch 1 of {{.*}}: 3 teams of 128 threads, 64 bytes of dynamic shared memory
// One iteration a thread, and 32 threads a team while there are fewer than 3,200 teams of them.
// CHECK: launch 2 of {{.*}}: 32 teams of 32 threads, 0 bytes
// CHECK: launch 3 of {{.*}}: 3200 teams of 128 threads
// CHECK: launch 4 of {{.*}}: 16 teams of 64 threads
// CHECK: launch 5 of {{.*}}: 1 teams of
// CHECK: launch 6 of {{.*}}: 5 teams of 96 threads
// No iterations: as many teams as there may be.
// CHECK: launch 7 of {{.*}}: 3200 teams of 128 threads
// FEW: launch 2 of {{.*}}: 16 teams of 64 threads
// FEW: launch 3 of {{.*}}: 16 teams of 128 threads
// FEW: launch 7 of {{.*}}: 16 teams of 128 threads
// UNTOLD: launch 2 of {{.*}}: 32 teams of 32 threads
// UNTOLD: launch 3 of {{.*}}: 3200 teams of 128 threads
// UNTOLD: launch 7 of {{.*}}: 7 teams of 128 threads
#include "Inputs/device.h"
#include <stdio.h>

int main(int argc, char **argv) {
  (void)argv;
  static int out[1000000];
  int none = argc - 1;
#pragma omp target teams distribute parallel for num_teams(3) ompx_dyn_cgroup_mem(64)
  for (int i = 0; i < 1000; i++)
    out[i] = i;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000; i++)
    out[i] = i;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000000; i++)
    out[i] = i;
#pragma omp target teams distribute parallel for thread_limit(64)
  for (int i = 0; i < 1000; i++)
    out[i] = i;
#pragma omp target
  out[0] = 1;
#pragma omp target teams ompx_bare num_teams(5) thread_limit(96)
  out[TEAM()] = THREAD();
#pragma omp target teams distribute parallel for
  for (int i = 0; i < none; i++)
    out[i] = i;
  return 0;
}

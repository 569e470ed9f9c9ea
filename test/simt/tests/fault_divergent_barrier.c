// Threads of a team reach different barriers, or one barrier not at all.
// RUN: %simt_cc -O1 -g %s -o %t && %not %t 2>&1 | %FileCheck %s
// RUN: %not %t less 2>&1 | %FileCheck %s --check-prefix=ENDED
// CHECK: simt: barrier-divergence: {{.*}}fault_divergent_barrier.c:{{[0-9]+}}: this barrier and the one at line {{[0-9]+}} of __omp_offloading_{{.*}} are reached by threads of the same team
// ENDED: simt: barrier-divergence: {{.*}}: 64 of the team's 128 threads have ended and never reach this barrier
#include "Inputs/device.h"

int main(int argc, char **argv) {
  (void)argv;
  int out[128];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(128) map(from : out)
  {
    int t = THREAD();
    if (t < 64) {
      out[t] = 1;
      BARRIER();
      out[t] = 2;
    } else if (argc == 1) {
      out[t] = 3;
      BARRIER();
      out[t] = 4;
    }
  }
  return 0;
}

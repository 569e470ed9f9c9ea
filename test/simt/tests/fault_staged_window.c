// A staged window of a team is too short: one read lies behind the dynamic shared memory, another where nobody wrote.
// RUN: %simt_cc -O1 -g -fsimt-check %s -o %t && %not %t 2>&1 | %FileCheck %s
// RUN: %not %t more 2>&1 | %FileCheck %s --check-prefix=UNWRITTEN
// CHECK: simt: shared-bounds: {{.*}}fault_staged_window.c:{{[0-9]+}}: reads 4 bytes at offset 520 of the team's dynamic shared memory, through dynamic_shared, which has 520
// CHECK-NEXT: version original, team {{[0-9]+}}, thread 127
// UNWRITTEN: simt: shared-unwritten: {{.*}}fault_staged_window.c:{{[0-9]+}}: reads byte 520 of shared (dynamic), which no thread of the team has written
#include "Inputs/device.h"
#include <stdlib.h>

enum { N = 1280, TAPS = 4, BLOCK = 128 };

int main(int argc, char **argv) {
  (void)argv;
  float *in = calloc(N + TAPS, sizeof *in), *out = malloc(N * sizeof *out);
  int bytes = (BLOCK + TAPS - 2) * (int)sizeof(float) + (argc > 1 ? 64 : 0);
#pragma omp target teams ompx_bare num_teams(N / BLOCK) thread_limit(BLOCK) map(to : in[0 : N + TAPS]) map(from : out[0 : N])    \
    ompx_dyn_cgroup_mem(bytes)
  {
    int t = THREAD(), base = TEAM() * BLOCK;
    for (int k = t; k < BLOCK + TAPS - 2; k += BLOCK) // TAPS - 1 would be right
      window[k] = in[base + k];
    BARRIER();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
      sum += window[t + j];
    out[base + t] = sum;
  }
  free(in);
  free(out);
  return 0;
}

// Threads read what others stage with no barrier between: a race, whatever order the run happens to take.
// RUN: %simt_cc -O1 -g -fsimt-check %s -o %t && %not %t 2>&1 | %FileCheck %s
// RUN: %simt_cc -O1 -g -fsimt-check -DBARRIER_THERE %s -o %t.good && %t.good
// CHECK: simt: shared-race: {{.*}}fault_missing_barrier.c:{{[0-9]+}}: {{reads|writes}} byte {{[0-9]+}} of shared {{.*}}tile{{.*}}, with no barrier between
// CHECK-NEXT: version original, team {{[0-9]+}}, thread
#include "Inputs/device.h"
#include <stdlib.h>

int main(void) {
  enum { N = 1024, BLOCK = 128 };
  float *in = calloc(N, sizeof *in), *out = malloc(N * sizeof *out);
#pragma omp target teams ompx_bare num_teams(N / BLOCK) thread_limit(BLOCK) map(to : in[0 : N]) map(from : out[0 : N])
  {
    SHARED float tile[BLOCK];
    int t = THREAD(), base = TEAM() * BLOCK;
    tile[t] = in[base + t];
#ifdef BARRIER_THERE
    BARRIER();
#endif
    out[base + t] = tile[BLOCK - 1 - t];
  }
  free(in);
  free(out);
  return 0;
}

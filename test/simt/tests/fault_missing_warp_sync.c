// All lanes of a warp read what one of them writes then, with no bar.warp.sync between: a race; with one there is none, but for what
// another warp reads.
// RUN: %simt_cc -O1 -g -fsimt-check %s -o %t && %not %t 2>&1 | %FileCheck %s
// RUN: %simt_cc -O1 -g -fsimt-check -DSYNC_THERE %s -o %t.good && %t.good
// RUN: %simt_cc -O1 -g -fsimt-check -DSYNC_THERE -DOF_ALL %s -o %t.all && %not %t.all 2>&1 | %FileCheck %s
// CHECK: simt: shared-race: {{.*}}fault_missing_warp_sync.c:{{[0-9]+}}: {{reads|writes}} byte {{[0-9]+}} of shared {{.*}}cell{{.*}}, with no barrier between
#include "Inputs/device.h"
#include <stdlib.h>

#ifdef OF_ALL
#define MINE 0
#else
#define MINE (t / 32)
#endif

int main(void) {
  enum { BLOCK = 128 };
  int *out = malloc(BLOCK * sizeof *out);
#pragma omp target teams ompx_bare num_teams(1) thread_limit(BLOCK) map(from : out[0 : BLOCK])
  {
    SHARED int cell[BLOCK / 32];
    int t = THREAD();
    if (t % 32 == 0)
      cell[t / 32] = t;
    BARRIER();
    int before = cell[MINE];
#ifdef SYNC_THERE
    WARP_SYNC(-1);
#endif
    if (t % 32 == 0)
      cell[MINE] += 1;
    WARP_SYNC(-1);
    out[t] = before + cell[t / 32];
  }
  free(out);
  return 0;
}

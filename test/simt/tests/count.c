// Transactions of one warp access in each space, against numbers known by hand.
// RUN: %simt_cc -O1 -g -fsimt-count %s -o %t && env SIMT_COUNT=1 %t 2>&1 | %FileCheck %s
// RUN: env SIMT_COUNT=0 %t 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: simt-count
// 4 warps: each reads 32 floats in a row, 32 floats at a stride of 32, one float by all, and the same through constant.
// CHECK: simt-count: launch 1 kernel {{.*}} teams=2 threads=64
// CHECK-DAG: array global argument-1(in{{.*}}) load warp-accesses=4 lane-accesses=128 sectors=16 segments=4
// CHECK-DAG: array global argument-2(wide{{.*}}) load warp-accesses=4 lane-accesses=128 sectors=128 segments=128
// CHECK-DAG: array global argument-3(one{{.*}}) readonly-load warp-accesses=4 lane-accesses=128 sectors=4 segments=4
// CHECK-DAG: array constant table load warp-accesses=4 lane-accesses=128 distinct-addresses=16
// CHECK-DAG: array shared {{.*}}tile{{.*}} store warp-accesses=4 lane-accesses=128 bank-passes=4
// A column of a tile 32 words wide: all lanes in one bank; 33 words wide: none.
// CHECK-DAG: array shared {{.*}}tile{{.*}} load warp-accesses=4 lane-accesses=128 bank-passes=128
// CHECK-DAG: array shared {{.*}}padded{{.*}} load warp-accesses=4 lane-accesses=128 bank-passes=4
// Divergent loops: lane l makes l % 4 + 1 turns; the four turns are one warp access each.
// CHECK-DAG: array global argument-4(turns{{.*}}) load warp-accesses=16 lane-accesses=320
#include "Inputs/device.h"

#pragma omp begin declare target
CONSTANT float table[4] = {1, 2, 3, 4};
#pragma omp end declare target

int main(void) {
  static float in[128], wide[128 * 32], one[1], out[128], turns[128 * 4];
#pragma omp target teams ompx_bare num_teams(2) thread_limit(64) map(to : in, wide, one, turns) map(from : out)
  {
    SHARED float tile[32 * 32], padded[32 * 33];
    int t = THREAD(), lane = LANE(), i = TEAM() * 64 + t;
    tile[t] = padded[t] = in[i];
    float sum = wide[i * 32] + LOAD_READONLY(&one[0]) + table[lane / 8];
    BARRIER();
    sum += tile[lane * 32] + padded[lane * 33];
    for (int k = 0; k <= lane % 4; k++)
      sum += turns[i * 4 + k];
    out[i] = sum;
  }
  return 0;
}

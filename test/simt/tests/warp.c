// Warp operations: shuffles, votes, matches, reductions, activemask, of whole and divided warps.
// RUN: %simt_cc -O2 -fsimt-check %s -o %t && %t | %FileCheck %s
// CHECK: 0 wrong
#include "Inputs/device.h"
#include <stdio.h>

enum { LANES = 64, TESTS = 12 };

int main(void) {
  int out[TESTS][LANES], wrong = 0;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(LANES) map(from : out)
  {
    int t = THREAD(), lane = LANE();
    out[0][t] = WARP(shfl_sync_idx_i32, -1, t, 5, 31);
    out[1][t] = WARP(shfl_sync_up_i32, -1, t, 3, 0);
    out[2][t] = WARP(shfl_sync_down_i32, -1, t, 3, 31);
    out[3][t] = WARP(shfl_sync_bfly_i32, -1, t, 7, 31);
    out[4][t] = WARP(shfl_sync_down_i32, -1, t, 2, 31 | 24 << 8);
    out[5][t] = WARP(vote_ballot_sync, -1, lane % 3 == 0);
    out[6][t] = WARP(match_any_sync_i32, -1, lane / 8);
    out[7][t] = WARP(redux_sync_add, t, -1);
    if (lane < 8) {
      out[8][t] = WARP(activemask);
      out[9][t] = WARP(shfl_sync_idx_i32, 0xff, t, 7, 31);
    } else {
      out[8][t] = out[9][t] = -1;
    }
    WARP_SYNC(-1);
    out[10][t] = WARP(activemask);
    out[11][t] = WARP(vote_all_sync, -1, lane < 32) + 2 * WARP(vote_any_sync, -1, lane == 9) + 4 * WARP(vote_uni_sync, -1, lane == 9);
  }
  for (int t = 0; t < LANES; t++) {
    int lane = t % 32, first = t - lane, ballot = 0;
    for (int i = 0; i < 32; i += 3)
      ballot |= (int)(1u << i);
    int expected[TESTS] = {first + 5,
                           lane < 3 ? t : t - 3,
                           lane > 28 ? t : t + 3,
                           t ^ 7,
                           lane % 8 > 5 ? t : t + 2,
                           ballot,
                           (int)(255u << lane / 8 * 8),
                           first ? 1520 : 496,
                           lane < 8 ? 255 : -1,
                           lane < 8 ? first + 7 : -1,
                           -1,
                           3};
    for (int k = 0; k < TESTS; k++)
      if (out[k][t] != expected[k]) {
        printf("test %d thread %d: %d, expected %d\n", k, t, out[k][t], expected[k]);
        wrong++;
      }
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

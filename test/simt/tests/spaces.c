// The four spaces in one kernel: global, read-only, constant and shared memory, static and dynamic.
// RUN: %simt_cc -O3 -g -fsimt-check %s -o %t && %t | %FileCheck %s
// CHECK: 0 wrong
#include "Inputs/device.h"
#include <stdio.h>

enum { N = 10000, TAPS = 8, BLOCK = 128 };

#pragma omp begin declare target
CONSTANT float taps[TAPS];
#pragma omp end declare target

int main(void) {
  static float in[N + TAPS], out[N], scale[1] = {2};
  for (int i = 0; i < N + TAPS; i++)
    in[i] = (float)(i % 97);
  for (int j = 0; j < TAPS; j++)
    taps[j] = (float)(j + 1);
#pragma omp target update to(taps)
#pragma omp target teams ompx_bare num_teams((N + BLOCK - 1) / BLOCK) thread_limit(BLOCK) map(to : in, scale)               \
    map(from : out) ompx_dyn_cgroup_mem((BLOCK + TAPS) * sizeof(float))
  {
    SHARED float factor;
    int t = THREAD(), base = TEAM() * BLOCK, i = base + t;
    if (t == 0)
      factor = LOAD_READONLY(&scale[0]);
    for (int k = t; k < BLOCK + TAPS && base + k < N + TAPS; k += BLOCK)
      window[k] = in[base + k];
    BARRIER();
    if (i < N) {
      float sum = 0;
      for (int j = 0; j < TAPS; j++)
        sum += taps[j] * window[t + j];
      out[i] = factor * sum;
    }
  }
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
      sum += taps[j] * in[i + j];
    wrong += out[i] != 2 * sum;
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

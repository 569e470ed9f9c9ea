// Tiles in dynamic shared memory, 1024 threads a team, two barriers a tile: a product of matrices under all checks and with
// counts. Without its second barrier, or its first, the next tile races with the readers of this one.
// RUN: %simt_cc -O3 -g -fsimt-check -fsimt-count %s -o %t && env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl SIMT_COUNT_FILE=%t.counts %t | %FileCheck %s --check-prefix=GOOD
// RUN: %FileCheck %s --check-prefix=COUNT < %t.counts
// RUN: %simt_cc -O3 -g -fsimt-check -DNO_SECOND %s -o %t.second && %not %t.second 2>&1 | %FileCheck %s --check-prefix=SECOND
// RUN: %simt_cc -O3 -g -fsimt-check -DNO_FIRST %s -o %t.first && %not %t.first 2>&1 | %FileCheck %s --check-prefix=FIRST
// Asynchronous copies in the place of loads and stores: without waiting, nothing has arrived.
// RUN: %simt_cc -O3 -g -fsimt-check -DASYNC %s -o %t.async && %t.async | %FileCheck %s --check-prefix=GOOD
// RUN: %simt_cc -O3 -g -fsimt-check -DASYNC -DNO_FIRST %s -o %t.afirst && %not %t.afirst 2>&1 | %FileCheck %s --check-prefix=FIRST
// RUN: %simt_cc -O3 -g -fsimt-check -DASYNC -DNO_WAIT %s -o %t.await && %not %t.await 2>&1 | %FileCheck %s --check-prefix=WAIT
// GOOD: {{^}}0 wrong
// WAIT: simt: shared-unwritten: {{.*}}tiles.c:{{[0-9]+}}: reads byte {{[0-9]+}} of shared {{.*}}, which no thread of the team has written
// SECOND: simt: shared-race: {{.*}}tiles.c:
// SECOND-NEXT: version original, team {{[0-9]+}}, thread {{[0-9]+}}
// FIRST: simt: shared-race: {{.*}}tiles.c:
// FIRST-NEXT: version original, team {{[0-9]+}}, thread {{[0-9]+}}
#include "Inputs/device.h"
#include <stdio.h>

enum { N = 256, TILE = 32, TILES = N / TILE };

#if defined(ASYNC) && defined(__NVPTX__)
#define COPY(TO, FROM)                                                                                                 \
  __nvvm_cp_async_ca_shared_global_4((__attribute__((address_space(3))) void *)(TO),                                    \
                                     (__attribute__((address_space(1))) const void *)(FROM))
#ifdef NO_WAIT
#define WAIT() __nvvm_cp_async_commit_group()
#else
#define WAIT() (__nvvm_cp_async_commit_group(), __nvvm_cp_async_wait_group(0))
#endif
#else
#define COPY(TO, FROM) (*(TO) = *(FROM))
#define WAIT() ((void)0)
#endif

int main(void) {
  static float a[N * N], b[N * N], c[N * N];
  int wrong = 0;
  for (int i = 0; i < N * N; i++) {
    a[i] = (float)(i % 7);
    b[i] = (float)(i % 5);
  }
#pragma omp target teams ompx_bare num_teams(TILES *TILES) thread_limit(TILE *TILE) map(to : a, b) map(from : c)                  \
    ompx_dyn_cgroup_mem(2 * TILE * TILE * sizeof(float))
  {
    int t = THREAD(), x = t % TILE, y = t / TILE, row = TEAM() / TILES * TILE + y, column = TEAM() % TILES * TILE + x;
    float sum = 0;
    for (int k = 0; k < N; k += TILE) {
      // 64 teams, 8 tiles, 32 warps: 16384 warp accesses of 128 bytes for each of a and b.
      // COUNT-DAG: array=a space=global access=load file={{[^ ]*}}tiles.c line=[[@LINE+1]] warp-accesses=16384 lane-accesses=524288 transactions=65536
      COPY(&window[y * TILE + x], &a[row * N + k + x]);
      // COUNT-DAG: array=b space=global access=load file={{[^ ]*}}tiles.c line=[[@LINE+1]] warp-accesses=16384 lane-accesses=524288 transactions=65536
      COPY(&window[TILE * TILE + y * TILE + x], &b[(k + y) * N + column]);
      WAIT();
#ifndef NO_FIRST
      BARRIER();
#endif
      // Each of them goes with 32 pairs of loads: one word for a row of a, 32 neighbours of a row of b: no conflict.
      // COUNT-DAG: array=dynamic_shared space=shared access=load file={{[^ ]*}}tiles.c line=[[@LINE+2]] warp-accesses=1048576 lane-accesses=33554432 transactions=1048576{{$}}
      for (int j = 0; j < TILE; j++)
        sum += window[y * TILE + j] * window[TILE * TILE + j * TILE + x];
#ifndef NO_SECOND
      BARRIER();
#endif
    }
    c[row * N + column] = sum;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * b[k * N + j];
      wrong += sum != c[i * N + j];
    }
  printf("%d wrong\n", wrong);
  return 0;
}

// #pragma place team(N): a version is launched with teams of that size, as many as there is work for; the original, and what
// PLACE_SHAPE=keep leaves, with the program's.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin -fplugin-arg-place-effort=3 %s -o %t
// RUN: env SIMT_TRACE=1 PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_FORCE='*:version=natural' %t 2>&1 | %FileCheck --check-prefixes=BOTH,NATURAL %s
// RUN: env SIMT_TRACE=1 PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_FORCE='*:version=straight' %t 2>&1 | %FileCheck --check-prefixes=BOTH,STRAIGHT %s
// RUN: env SIMT_TRACE=1 PLACE=off %t 2>&1 | %FileCheck --check-prefixes=BOTH,OFF %s
// RUN: env SIMT_TRACE=1 PLACE_SHAPE=keep PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_FORCE='*:version=natural' %t 2>&1 | %FileCheck --check-prefixes=BOTH,KEPT,OFF %s
// RUN: env SIMT_TRACE=1 OMP_TEAMS_THREAD_LIMIT=64 PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_FORCE='*:version=natural' %t 2>&1 | %FileCheck --check-prefixes=BOTH,LIMITED,OFF %s
// REQUIRES: plugin, runtime
// KEPT: runs its original kernel: it has another shape than the program asks for (PLACE_SHAPE=keep)
// LIMITED: runs its original kernel: made for 96 threads a team, and the environment allows 64 (OMP_TEAMS_THREAD_LIMIT)
// NATURAL: natural{{.*}}: 21 teams of 96 threads
// STRAIGHT: _g: 21 teams of 96 threads
// OFF: teams of 64 threads
// BOTH: {{^}}0 wrong
#include <stdio.h>

enum { N = 2000 };

static void add(int n, const int *in, int *out) {
#pragma place team(96)
#pragma omp target teams distribute parallel for thread_limit(64) map(to : in[0 : n]) map(from : out[0 : n])
  for (int i = 0; i < n; i++)
    out[i] = in[i] + in[i & 63];
}

int main(void) {
  static int in[N], out[N];
  int wrong = 0;
  for (int i = 0; i < N; i++)
    in[i] = i * 7;
  add(N, in, out);
  for (int i = 0; i < N; i++)
    wrong += out[i] != in[i] + in[i & 63];
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

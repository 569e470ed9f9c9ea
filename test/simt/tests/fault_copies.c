// A version reads a copy of w, in constant or in shared memory. Faults, made by Inputs/inject.c: the launch writes w itself;
// the copy in constant memory is not where the version looks for it, or is not what w is.
// REQUIRES: plugin, runtime
// RUN: %cc1 -shared -fPIC -O1 %S/Inputs/inject.c -o %t.so
// RUN: %simt_cc -O3 -g -fsimt-check -fplugin=%plugin -fplugin-arg-place-effort=3 %s -o %t
// RUN: env PLACE_FORCE='*:w=constant' LD_PRELOAD=%t.so %t | %FileCheck %s --check-prefix=GOOD
// RUN: env PLACE_FORCE='*:w=shared' LD_PRELOAD=%t.so %t | %FileCheck %s --check-prefix=GOOD
// RUN: env PLACE_FORCE='*:version=agnostic,w=constant' LD_PRELOAD=%t.so %t | %FileCheck %s --check-prefix=GOOD
// GOOD: 0 wrong
// RUN: env INJECT=alias PLACE_FORCE='*:w=global' LD_PRELOAD=%t.so %t
// RUN: %not env INJECT=alias PLACE_FORCE='*:w=constant' LD_PRELOAD=%t.so %t 2>&1 | %FileCheck %s --check-prefix=CONSTANT
// RUN: %not env INJECT=alias PLACE_FORCE='*:w=shared' LD_PRELOAD=%t.so %t 2>&1 | %FileCheck %s --check-prefix=SHARED
// RUN: %not env INJECT=alias PLACE_FORCE='*:version=agnostic,w=constant' LD_PRELOAD=%t.so %t 2>&1 | %FileCheck %s --check-prefix=AGNOSTIC
// RUN: %not env INJECT=bias PLACE_FORCE='*:w=constant' LD_PRELOAD=%t.so %t 2>&1 | %FileCheck %s --check-prefix=BIAS
// RUN: %not env INJECT=stale PLACE_FORCE='*:w=constant' LD_PRELOAD=%t.so %t 2>&1 | %FileCheck %s --check-prefix=STALE
// CONSTANT: simt: copied-write: {{.*}}fault_copies.c:[[@LINE+23]]: writes argument 2 (w), of which this version reads a copy in constant memory
// CONSTANT-NEXT: kernel __omp_offloading_{{[^ ]*}}_main_l{{[0-9]+}}, version {{c|agnostic}}, team {{[0-9]+}}, thread {{[0-9]+}}
// SHARED: simt: copied-write: {{.*}}fault_copies.c:{{[0-9]+}}: writes argument 2 (w), of which this version reads a copy in shared memory
// SHARED-NEXT: version {{s|agnostic}}, team {{[0-9]+}}, thread {{[0-9]+}}
// AGNOSTIC: simt: copied-write: {{.*}} argument 2 (w), of which this version reads a copy in constant memory
// AGNOSTIC-NEXT: version agnostic, team
// 256 bytes further on lies 65 (0x42820000) in place of 1 (0x3f800000): two bytes are the same.
// BIAS: simt: constant-copy: constant copy of w differs from its source: byte 2 of 4096 is the first that does
// BIAS-NEXT: kernel __omp_offloading_{{[^ ]*}}_main_l{{[0-9]+}}, version {{c|agnostic}}{{$}}
// STALE: simt: constant-copy: constant copy of w differs from its source: byte 1001 of 4096 is the first that does
// STALE-NEXT: version {{c|agnostic}}{{$}}
#include <stdio.h>

enum { N = 1024 };

int main(void) {
  static float w[N], out[N];
  int wrong = 0;
  for (int i = 0; i < N; i++)
    w[i] = (float)(i + 1);
  for (int round = 0; round < 3; round++) {
#pragma omp target teams distribute parallel for map(to : w) map(from : out)
    for (int i = 0; i < N; i++)
      out[i] = w[(i * 401 + 13) % N] + w[i];
    for (int i = 0; i < N; i++)
      wrong += out[i] != w[(i * 401 + 13) % N] + w[i];
  }
  printf("%d wrong\n", wrong);
  return 0;
}

// Model bypass, from a launch to a choice: a stored launch says which array had better go past L1 (on a Fermi, whose misses bring in lines
// of 128 bytes, the scattered one), the runtime tries the version that has it so first and not those that are predicted worse, and its
// results are the others'.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin -fplugin-arg-place-routes=8 %s -o %t
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: env PLACE_CASE=%t.d PLACE_MODEL=bypass PLACE_MACHINE=%place_source/msl/machines/m2075.msl PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=%t.json %t
// RUN: %place_build/bin/place-plan --routes arrays %t.d/*.case %place_source/msl/machines/m2075.msl | %FileCheck --check-prefix=FERMI %s
// RUN: %place_build/bin/place-plan --routes arrays %t.d/*.case %place_source/msl/machines/h200.msl | %FileCheck --check-prefix=HOPPER %s
// RUN: %place_build/bin/place-plan --routes loads %t.d/*.case %place_source/msl/machines/m2075.msl | %FileCheck --check-prefix=LOADS %s
// RUN: %python -c "import json, sys; c = json.load(open(sys.argv[1]))['regions'][0]['classes'][0]; print([t['plan'] for t in c['trials']])" %t.json | %FileCheck --check-prefix=TRIED %s
// REQUIRES: plugin, runtime
// FERMI: node at T_off=[[T:[0-9.e+]+]] T_on=[[T]] W=0
// FERMI: node table T_off={{[0-9.e+]+}} T_on={{[0-9.e+]+}} W=-
// FERMI: exact: T={{[0-9.e+]+}}, past L1: table
// FERMI-NEXT: #pragma place cg(table)
// HOPPER: exact: T={{[0-9.e+]+}}, past L1:{{$}}
// HOPPER-NOT: #pragma
// LOADS: node table#{{[0-9]+}}:{{[0-9]+}} T_off=
// TRIED: table by no_allocate loads
// TRIED-NOT: {{(by ca|by evict_first)}} loads
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 14, M = 1 << 19, ROUNDS = 40 };

static void gather(const int *at, const float *table, float *out) {
#pragma omp target teams distribute parallel for map(to : at[0:N], table[0:M]) map(from : out[0:N])
  for (int i = 0; i < N; i++)
    out[i] = 2 * table[at[i]];
}

int main(void) {
  int *at = malloc(N * sizeof *at), wrong = 0;
  float *table = malloc(M * sizeof *table), *out = malloc(N * sizeof *out);
  for (int i = 0; i < N; i++)
    at[i] = (int)((unsigned)i * 2654435761u % M);
  for (int i = 0; i < M; i++)
    table[i] = (float)(i % 1000);
#pragma omp target data map(to : at[0:N], table[0:M]) map(from : out[0:N])
  for (int r = 0; r < ROUNDS; r++)
    gather(at, table, out);
  for (int i = 0; i < N; i++)
    wrong += out[i] != 2 * table[at[i]];
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

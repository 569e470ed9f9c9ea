// -foffload-lto: versions are made in the compile and optimised again by the link; all give what the original gives, also where they sum,
// stage and count, and beside a region that calls what another file defines.
// RUN: %simt_cc -O3 -foffload-lto -fsimt-check -fplugin=%plugin -fplugin-arg-place-effort=3 %s %S/Inputs/link_time_other.c -o %t
// RUN: env PLACE=off %t | %FileCheck %s
// RUN: env PLACE_PATIENCE=0 PLACE_REPORT=1 %t 2>&1 | %FileCheck --check-prefixes=CHECK,REPORT %s
// RUN: env SIMT_TRACE=1 PLACE_FORCE='*:version=natural' %t 2>&1 | %FileCheck --check-prefixes=CHECK,NATURAL %s
// RUN: env SIMT_TRACE=1 PLACE_FORCE='*:version=block' %t 2>&1 | %FileCheck --check-prefixes=CHECK,BLOCK %s
// RUN: env SIMT_TRACE=1 PLACE_FORCE='*:version=strided' %t 2>&1 | %FileCheck --check-prefixes=CHECK,STRIDED %s
// RUN: env SIMT_TRACE=1 PLACE_FORCE='*:all=constant' %t 2>&1 | %FileCheck --check-prefixes=CHECK,CONSTANT %s
// RUN: env PLACE_FORCE='*:all=shared' %t | %FileCheck %s
// REQUIRES: plugin, runtime
// REPORT-DAG: it calls elsewhere, which is joined to it at link time only (-foffload-lto)
// NATURAL-DAG: filter_l{{[0-9]+}}_place_{{.*}}natural
// BLOCK-DAG: turn_l{{[0-9]+}}_place_
// STRIDED-DAG: sum_l{{[0-9]+}}_place_
// CONSTANT-DAG: filter_l{{[0-9]+}}_place_{{.*}}
// CHECK-DAG: {{^}}filter 0 turn 0 sum 0 other 0 counted 20{{$}}
#include <stdio.h>

enum { N = 3000, ROWS = 40, COLUMNS = 75, ROUNDS = 20 };

#pragma omp declare target
int elsewhere(int);
int counted;
#pragma omp end declare target

static int in[N], out[N], weights[8];

static int filter(void) {
  int wrong = 0;
#pragma omp target teams distribute parallel for map(to : in, weights) map(from : out)
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int k = 0; k < 8; k++)
      sum += weights[k] * in[(i + k) % N];
    out[i] = sum;
  }
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int k = 0; k < 8; k++)
      sum += weights[k] * in[(i + k) % N];
    wrong += out[i] != sum;
  }
  return wrong;
}

static int turn(void) {
  int wrong = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to : in) map(from : out)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      out[j * ROWS + i] = in[i * COLUMNS + j];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      wrong += out[j * ROWS + i] != in[i * COLUMNS + j];
  return wrong;
}

static int sum(void) {
  int all = 0, want = 0;
#pragma omp target teams distribute parallel for reduction(+ : all) map(to : in)
  for (int i = 0; i < N; i++)
    all += in[i];
  for (int i = 0; i < N; i++)
    want += in[i];
  return all != want;
}

static int other(void) {
  int wrong = 0;
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
  for (int i = 0; i < N; i++)
    out[i] = elsewhere(in[i]);
  for (int i = 0; i < N; i++)
    wrong += out[i] != 2 * in[i] + 1;
  return wrong;
}

int main(void) {
  int wrong[4] = {0};
  for (int i = 0; i < N; i++)
    in[i] = i * 7 % 1000;
  for (int i = 0; i < 8; i++)
    weights[i] = i - 3;
  for (int round = 0; round < ROUNDS; round++) {
    wrong[0] += filter(), wrong[1] += turn(), wrong[2] += sum(), wrong[3] += other();
#pragma omp target
    counted++;
  }
#pragma omp target update from(counted)
  printf("filter %d turn %d sum %d other %d counted %d\n", wrong[0], wrong[1], wrong[2], wrong[3], counted);
  return 0;
}

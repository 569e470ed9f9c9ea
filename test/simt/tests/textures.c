// Versions that fetch arrays from textures compute what the others do, whatever the type, with sections that begin inside of an array, with
// memory that changes between launches and comes and goes, and no check of the runner's finds anything.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin -fplugin-arg-place-spaces=texture %s -o %t
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 OMP_TARGET_OFFLOAD=MANDATORY PLACE_FORCE='*:all=texture' %t > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// CHECK-DAG: {{^}}0 wrong
// CHECK-DAG: now: x by texture fetches, y by texture fetches, table by texture fetches, at by texture fetches, weight by texture fetches
// CHECK-DAG: now: tail by texture fetches
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=%t.json PLACE_FORCE='*:all=texture' %t && %FileCheck --check-prefix=JSON %s < %t.json
// JSON: "name":{{ ?}}"table"{{.*}}"space":{{ ?}}"texture"
// The papers' models choose it on the papers' machines; `place` does not, where no file says how fast it is.
// RUN: env PLACE_STORE=off PLACE_REPORT=1 PLACE_TRIALS=0 PLACE_MODEL=huang PLACE_MACHINE=%place_source/msl/machines/k40.msl %t 2>&1 | %FileCheck --check-prefix=CHOSEN %s
// RUN: env PLACE_STORE=off PLACE_REPORT=1 PLACE_TRIALS=0 PLACE_MODEL=porple PLACE_MACHINE=%place_source/msl/machines/k40.msl %t 2>&1 | %FileCheck --check-prefix=CHOSEN %s
// CHOSEN-DAG: {{^}}0 wrong
// CHOSEN-DAG: now: tail by texture fetches
// RUN: env PLACE_STORE=off PLACE_REPORT=1 PLACE_TRIALS=0 PLACE_MODEL=place PLACE_MACHINE=%place_source/msl/machines/k40.msl %t 2>&1 | %FileCheck --check-prefix=NEVER --implicit-check-not='texture fetches' %s
// NEVER: {{^}}0 wrong
// One array of a region, and what a hint asks for, which other arrays have no part in; with every version that there is.
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='look_up:table=texture' %t 2>&1 | %FileCheck --check-prefix=ONE %s
// ONE-DAG: {{^}}0 wrong
// ONE-DAG: now: table by texture fetches
// RUN: %simt_cc -O3 -DHINT -fsimt-check -fplugin=%plugin %s -o %t.hint
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 %t.hint 2>&1 | %FileCheck --check-prefix=HINT %s
// HINT-DAG: {{^}}0 wrong
// HINT-DAG: now: table by texture fetches
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin -fplugin-arg-place-spaces=texture -fplugin-arg-place-effort=3 %s -o %t.all
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='look_up:version=agnostic,table=texture,weight=shared' %t.all 2>&1 | %FileCheck --check-prefix=OPEN %s
// OPEN-DAG: {{^}}0 wrong
// OPEN-DAG: now: table by texture fetches, weight in shared memory
// What is mapped by the launch alone has no address before, a texture has an end, and there may be none.
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='*:all=texture' %t fresh 2>&1 | %FileCheck --check-prefix=FRESH %s
// FRESH-DAG: {{^}}0 wrong
// FRESH-DAG: table is not in texture memory: the launch maps it itself, so that it has no device address before
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='*:all=texture' SIMT_TEXTURE_TEXELS=50 %t 2>&1 | %FileCheck --check-prefix=LONG %s
// LONG-DAG: {{^}}0 wrong
// LONG-DAG: runs its original kernel: it has more elements than a texture can have
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='*:all=texture' SIMT_TEXTURE_TEXELS=0 %t 2>&1 | %FileCheck --check-prefix=NONE %s
// NONE-DAG: {{^}}0 wrong
// NONE-DAG: there is no CUDA driver that makes textures
// REQUIRES: plugin, runtime
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3001, M = 96, ROUNDS = 3 };
typedef float float4 __attribute__((ext_vector_type(4)));
typedef double double2 __attribute__((ext_vector_type(2)));

#ifdef HINT
#define ASK _Pragma("place texture(table)")
#else
#define ASK
#endif

__attribute__((noinline)) static void look_up(int n, const int *at, const float *table, const double *weight, const float4 *x,
                                              const double2 *y, double *out) {
  ASK
#pragma omp target teams distribute parallel for map(to : at[0:n], table[0:M], weight[0:M], x[0:n], y[0:n]) map(from : out[0:n])
  for (int i = 0; i < n; i++) {
    double s = x[i].x - x[i].w + y[i].y;
    for (int k = 0; k < 8; k++)
      s += table[(at[i] + k) % M] * weight[k];
    out[i] = s;
  }
}

// Of the whole array, the last elements.
__attribute__((noinline)) static void sum_tail(int first, int n, const float *tail, double *out) {
#pragma omp target teams distribute parallel for map(to : tail[first : n - first]) map(from : out[0 : n - first])
  for (int i = first; i < n; i++)
    out[i - first] = tail[i] * 2.0 + tail[n - 1];
}

static int at[N];
static float table[M], values[N];
static double weight[M], out[N];
static float4 x[N];
static double2 y[N];

static void change(int round) {
  for (int i = 0; i < M; i++)
    table[i] = (float)(i * 7 % 31 + round), weight[i] = 0.25 * (i % 5) - round;
  for (int i = 0; i < N; i++) {
    at[i] = (i * 37 + round) % 1000, values[i] = (float)(i % 101) - (float)round;
    x[i] = (float4){(float)(i % 13), -0.0f, 1e-42f, (float)(round - i % 7)}, y[i] = (double2){i, i * 0.5 + round};
  }
}

static int check(void) {
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    double s = x[i].x - x[i].w + y[i].y;
    for (int k = 0; k < 8; k++)
      s += table[(at[i] + k) % M] * weight[k];
    wrong += out[i] != s;
  }
  return wrong;
}

static int check_tail(int first, int n) {
  int wrong = 0;
  for (int i = first; i < n; i++)
    wrong += out[i - first] != values[i] * 2.0 + values[n - 1];
  return wrong;
}

static int in_mapped_memory(void) {
  int wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    change(round);
#pragma omp target data map(to : at, table, weight, x, y, values[100 : N - 100])
    {
      look_up(N, at, table, weight, x, y, out);
      wrong += check();
      change(round + ROUNDS);
#pragma omp target update to(at, table, weight, x, y, values[100 : N - 100])
      look_up(N, at, table, weight, x, y, out);
      wrong += check();
      sum_tail(100, N, values, out);
      wrong += check_tail(100, N);
    }
  }
  return wrong;
}

static int in_fresh_memory(void) {
  int wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    change(round);
    look_up(N, at, table, weight, x, y, out);
    wrong += check();
  }
  return wrong;
}

int main(int argc, char **argv) {
  (void)argv;
  int wrong = argc > 1 ? in_fresh_memory() : in_mapped_memory();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

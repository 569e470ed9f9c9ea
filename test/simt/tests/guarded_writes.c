/* What a team's main thread computes in front of a parallel region decides where its loops end. Where openmp-opt has all threads carry that out,
 * thread 0 writes what the others may not have read yet, in clang's kernel as well; copies of the kernel wait (GuardedWrites.cpp). */
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin %s -o %t
// RUN: env PLACE_STORE=off PLACE_FORCE='*:version=isolated' %t > %t.log 2>&1 && %FileCheck %s < %t.log
// CHECK-NOT: simt:
// CHECK: PASS
// REQUIRES: plugin, simt
#include <stdio.h>

enum { N = 40, LAUNCHES = 4 };
static int a[N * N], o[N * N], expected[N * N];

static unsigned depth_of(unsigned x, unsigned y) { return (x & 7) == 0 || y == 0 ? x : depth_of(x & 6 ? (x - 1) & 7 : x / 8, y / 2) + 1; }

/* The sum of a row up to where it is beyond the limit, and a number of steps that depends on it. */
#define SUM_UP(row)                                                 \
  int sum = 0, steps = 0;                                           \
  for (int k = 0; k < n; k++) {                                     \
    sum += (int)depth_of((unsigned)a[(row) * N + k], (unsigned)a[k]); \
    if (sum > limit) break;                                         \
  }                                                                 \
  while (steps < sum) {                                             \
    steps += 1 + (sum & 3);                                         \
    if (steps == 7) sum -= 1;                                       \
  }

static void launch(int n, int limit) {
#pragma omp target teams distribute map(to : a) map(tofrom : o)
  for (int i = 0; i < n; i++) {
    SUM_UP(i)
#pragma omp parallel for
    for (int j = 0; j < n; j++) o[i * N + j] += sum * j + steps;
  }
}

static void expect(int n, int limit) {
  for (int i = 0; i < n; i++) {
    SUM_UP(i)
    for (int j = 0; j < n; j++) expected[i * N + j] += sum * j + steps;
  }
}

int main(void) {
  int wrong = 0;
  for (int i = 0; i < N * N; i++) a[i] = i * 7 % 13;
  for (int round = 0; round < LAUNCHES; round++) launch(N, 20 + round), expect(N, 20 + round);
  for (int i = 0; i < N * N; i++) wrong += o[i] != expected[i];
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}

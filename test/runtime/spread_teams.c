/* A launch of `parallel for` does not say how many iterations its loop has. Spread over the grid, it has as many teams as they take, by the
 * kernel's arguments: 512 threads each where it forms sums, else 128. An array section's first values, set in a loop of 5 rounds, do not count. */
// RUN: %simt_cc -O3 -fplugin=%plugin -Wno-pass-failed %s -o %t
// RUN: env PLACE_STORE=off PLACE_FORCE='*:version=strided' SIMT_TRACE=1 %t > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// REQUIRES: simt, plugin, runtime
#include <stdio.h>

enum { MOST = 9000 };
static int a[MOST];

static long sum(int n) {
  long s = 0;
#pragma omp target parallel for reduction(+ : s) map(to : a)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

static long cells(int n) {
  long s[5] = {0};
#pragma omp target parallel for reduction(+ : s[0 : 5]) map(to : a)
  for (int i = 0; i < n; i++)
    s[i % 5] += a[i];
  return s[0] + s[4];
}

static void add(int n) {
#pragma omp target parallel for map(tofrom : a)
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

int main(void) {
  for (int i = 0; i < MOST; i++)
    a[i] = i;
  // CHECK: sum_l{{[0-9]+}}_place_g_spread: 10 teams of 512 threads
  // CHECK: sum_l{{[0-9]+}}_place_g_spread: 18 teams of 512 threads
  // CHECK: cells_l{{[0-9]+}}_place_g_spread: 10 teams of 512 threads
  // CHECK: add_l{{[0-9]+}}_place_plain_spread: 71 teams of 128 threads
  // CHECK: 12497500 40495500 4999000 40504500
  long first = sum(5000), second = sum(MOST), third = cells(5000);
  add(MOST);
  long fourth = 0;
  for (int i = 0; i < MOST; i++)
    fourth += a[i];
  printf("%ld %ld %ld %ld\n", first, second, third, fourth);
  return 0;
}

// Versions whose loads have cache operators compute what the others do: each route of the list, forced for all arrays that are read, and no
// check of the runner's finds anything; arrays that the region writes too, whose elements are exchanged, keep the order of loads and stores.
// RUN: for route in $(sed -n 's/^PLACE_ROUTE([A-Z0-9_]*, "\([^"]*\)".*/\1/p' %place_source/include/place/route.def | grep -v -e '^default$' -e '^nc$'); do \
// RUN:   %simt_cc -O3 -DROUTE=$route -fsimt-check -fplugin=%plugin %s -o %t && \
// RUN:   env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE="*:all@$route" OMP_TARGET_OFFLOAD=MANDATORY %t > %t.out 2>&1 && \
// RUN:   %FileCheck -DROUTE=$route %s < %t.out || exit 1; done
// By array, and what there is not.
// RUN: %simt_cc -O3 -DROUTE=global -fplugin=%plugin -fplugin-arg-place-routes %s -o %t
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='sum:table@evict_last;swap:a@cg' %t 2>&1 | %FileCheck --check-prefix=ARRAY %s
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='sum:table@lu,x@cg;swap:b@nc' %t 2>&1 | %FileCheck --check-prefix=NONE %s
// REQUIRES: plugin, runtime
// CHECK-DAG: {{^}}0 wrong
// CHECK-DAG: now: x and table and at by [[ROUTE]] loads
// CHECK-DAG: now: {{.*}}a and b by [[ROUTE]] loads
// CHECK-DAG: table {{.*}} global, by [[ROUTE]] loads
// ARRAY-DAG: {{^}}0 wrong
// ARRAY-DAG: now: x and at by evict_first loads, table by evict_last loads
// ARRAY-DAG: now: a and b by cg loads
// NONE-DAG: {{^}}0 wrong
// NONE-DAG: no version of sum (routes.c:{{[0-9]+}}) loads 'table' by lu: compile with -fplugin-arg-place-routes, or with '#pragma place lu(table)'
// NONE-DAG: sum (routes.c:{{[0-9]+}}) runs its original kernel: no version loads its arrays by these routes
// NONE-DAG: PLACE_FORCE: {{.*}}b{{.*}} the region writes it
#include <stdio.h>
#include <string.h>

enum { N = 3001, M = 96 };
typedef double v2 __attribute__((ext_vector_type(2)));

__attribute__((noinline)) static void sum(int n, const short *at, const float *table, const v2 *x, double *out) {
#pragma place ROUTE(at) ROUTE(table) ROUTE(x)
#pragma omp target teams distribute parallel for map(to : at[0:n], table[0:M], x[0:n]) map(from : out[0:n])
  for (int i = 0; i < n; i++) {
    double s = x[i].x - x[i].y;
    for (int k = 0; k < 8; k++)
      s += table[(at[i] + k) % M];
    out[i] = s;
  }
}

__attribute__((noinline)) static void swap(int n, int *a, int *b) {
#pragma place ROUTE(a) ROUTE(b)
#pragma omp target teams distribute parallel for map(tofrom : a[0:n], b[0:n])
  for (int i = 0; i < n; i++) {
    int kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

int main(void) {
  static short at[N];
  static float table[M];
  static v2 x[N];
  static double out[N];
  static int a[N], b[N];
  int wrong = 0;
  for (int i = 0; i < N; i++)
    at[i] = (short)(i * 7 % M), x[i] = (v2){i, i % 5}, a[i] = i, b[i] = -3 * i;
  for (int i = 0; i < M; i++)
    table[i] = (float)(i % 9 + 1);
  sum(N, at, table, x, out);
  swap(N, a, b);
  for (int i = 0; i < N; i++) {
    double s = x[i].x - x[i].y;
    for (int k = 0; k < 8; k++)
      s += table[(at[i] + k) % M];
    wrong += out[i] != s;
    wrong += a[i] != -3 * i || b[i] != i;
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

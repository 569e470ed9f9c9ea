// #pragma place shared(tile(a)): versions with tiles of it are tried whatever is predicted, and are the only ones.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin %s -o %t
// RUN: env SIMT_TRACE=1 PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_PATIENCE=0 PLACE_STORE=off %t 2>&1 | %FileCheck %s
// REQUIRES: plugin, runtime
// CHECK-NOT: _place_natural
// CHECK: launch {{.*}}_product_l{{[0-9]+}}_place_base:
// CHECK-NOT: _place_natural
// CHECK: launch {{.*}}_product_l{{[0-9]+}}_place_gg_{{[0-9]+x[0-9]+t[0-9]+k[0-9]+}}
// CHECK: {{^}}0 wrong
#include <stdio.h>

enum { N = 48, LAUNCHES = 24 };

static void product(int n, const float *a, const float *b, float *c) {
#pragma place shared(tile(a, b))
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    }
}

int main(void) {
  static float a[N * N], b[N * N], c[N * N];
  int wrong = 0;
  for (int i = 0; i < N * N; i++)
    a[i] = (float)(i % 5), b[i] = (float)(i % 3);
#pragma omp target data map(to : a, b) map(from : c)
  for (int launch = 0; launch < LAUNCHES; launch++)
    product(N, a, b, c);
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[y * N + k] * b[k * N + x];
      wrong += c[y * N + x] != sum;
    }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

// A fetch outside of its texture, which on a GPU returns 0, is found without any checks, at its line.
// RUN: %simt_cc -O3 -g -fplugin=%plugin %s -o %t
// RUN: %not env PLACE_STORE=off %t 2>&1 | %FileCheck %s
// CHECK: simt: texture-bounds: {{.*}}fault_texture.c:[[#@LINE+12]]: fetches texel [[END:[0-9]+]] of a texture of [[END]]{{$}}
// CHECK-NEXT: kernel {{.*}}, version t{{.*}}, team {{[0-9]+}}, thread {{[0-9]+}}
// CHECK: 1 other
// REQUIRES: plugin, runtime
#include <stdio.h>

enum { N = 1000 };

__attribute__((noinline)) static void next(int n, const float *a, float *out) {
#pragma place texture(a)
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(from : out[0:n])
  for (int i = 0; i < n; i++)
    out[i] = a[i + 1];
}

int main(void) {
  static float a[N + 1], out[N];
  int other = 0;
  for (int i = 0; i <= N; i++)
    a[i] = (float)(i + 1);
#pragma omp target data map(to : a[0:N])
  next(N, a, out);
  for (int i = 0; i < N; i++)
    other += out[i] != a[i + 1];
  printf("%d other\n", other);
  return 0;
}

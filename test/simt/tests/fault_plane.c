// A fetch below the last row of its texture, which on a GPU returns the last row's texel, is found without any checks, at its line.
// RUN: %simt_cc -O3 -g -fplugin=%plugin %s -o %t
// RUN: %not env PLACE_STORE=off %t 2>&1 | %FileCheck %s
// CHECK: simt: texture-bounds: {{.*}}fault_plane.c:[[#@LINE+11]]: fetches texel {{[0-9]+}} of row 20 of a texture of 32 by 20{{$}}
// CHECK-NEXT: kernel {{.*}}, version d{{.*}}, team {{[0-9]+}}, thread {{[0-9]+}}
// REQUIRES: plugin, runtime
#include <stdio.h>

enum { ROWS = 20, COLUMNS = 32 };

__attribute__((noinline)) static void below(int rows, int columns, const float *a, float *out) {
#pragma place texture2d(a)
#pragma omp target teams distribute parallel for map(to : a[0 : rows * columns]) map(from : out[0:rows])
  for (int i = 0; i < rows; i++)
    out[i] = a[(i + 1) * columns + 3];
}

int main(void) {
  static float a[(ROWS + 1) * COLUMNS], out[ROWS];
#pragma omp target data map(to : a[0 : ROWS * COLUMNS])
  below(ROWS, COLUMNS, a, out);
  printf("%g\n", out[0]);
  return 0;
}

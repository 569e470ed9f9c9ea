// A reduction over two collapsed loops of which the inner one strides through memory gets a version in which they change places.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// The addresses are those of neighbouring elements: what is left of the two loops' indices comes to the counter itself, without a division.
// TABLE: region {{.*}}_fixed_l
// TABLE: version {{.*}}_place_g role=plan loop=strided
// TABLE: version {{.*}}_place_g_interchanged role=plan loop=interchanged space=-,g threads=512 fill=2048 needs=open-threads
// PTX: .entry {{.*}}_fixed_l{{[0-9]+}}_place_g_interchanged(
// PTX: Inner Loop Header
// PTX-NOT: {{div|rem|mul.hi}}
// PTX: ld.global.f32
// PTX-NOT: {{div|rem|mul.hi}}
// PTX: shfl.sync
float fixed(const float *a) {
  float s = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 300; j++)
      s += a[j * 200 + i];
  return s;
}

// Extents of the launch.
// TABLE: region {{.*}}_open_l
// TABLE: loop=interchanged
float open(const float *a, int n, int m) {
  float s = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += a[j * n + i];
  return s;
}

// Rows of memory: they stay as they are; and a matrix and its transpose gain nothing.
// TABLE: region {{.*}}_rows_l
// TABLE-NOT: loop=interchanged
float rows(const float *a, int n, int m) {
  float s = 0, t = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += a[i * m + j];
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : t)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t += a[i * m + j] * a[j * n + i];
  return s + t;
}

// Inner loops that replace what they go along: with one iteration a thread, and arrays that the launch shows to be apart, there are two of each
// whose distance only the launch knows. One of them loads sixteen elements before it stores the first; the other one is for distances of less
// than an element.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -Wno-pass-failed
// RUN: awk '/\.entry/ { print "entry", $NF; n = 0 } /st\.global|st\.f32|st\.u32/ { if (n) print "loads", n; n = 0 } / \t?ld\.(global|f32|u32)|\tld\.(global|f32|u32)/ { n++ }' %t.s | %FileCheck %s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// CHECK: entry {{.*}}_filter_l{{[0-9]+}}_place_natural_apart(
// CHECK: loads 16
// CHECK: entry
void filter(float *a, int rows, int columns, long pitch) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : rows * pitch])
  for (int i = 0; i < columns; i++) {
    float last = 0;
    for (int n = 0; n < rows; n++)
      a[n * pitch + i] = last = a[n * pitch + i] * 0.5f + last * 0.25f;
  }
}

// Another element of the array is read: the one loop that it has loads as much as it knows to be what it was.
// CHECK: entry {{.*}}_before_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: loads 16
// CHECK: entry
void before(float *a, int rows, int columns, long pitch) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : rows * pitch])
  for (int i = 0; i < columns; i++)
    for (int n = 1; n < rows; n++)
      a[n * pitch + i] += a[(n - 1) * pitch + i] * 0.25f;
}

// A version's timer: in each warp, where iterations take their time; where they are soon over, in the first thread of a team alone, and of many teams
// in the last ones alone.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s
// REQUIRES: plugin, cuda

// CHECK: .entry {{.*}}_soon_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: 31, -1
// CHECK: %nctaid.x
// CHECK-NOT: 31, -1
// CHECK: add.s32 {{.*}}, 8192
// CHECK-NOT: 31, -1
// CHECK: %globaltimer
// CHECK-NOT: 31, -1
// CHECK: End function
void soon(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] + 1;
}

// CHECK: .entry {{.*}}_long_one_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: , 8192
// CHECK: selp.b32 {{.*}}, 31, -1
// CHECK: %globaltimer
// CHECK-NOT: , 8192
// CHECK: End function
void long_one(const float *a, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[i + k] * a[k];
    o[i] = sum;
  }
}

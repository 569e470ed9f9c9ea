// A reduction of iterations that take long: where there are fewer of them than threads, all teams' first warps have the first ones. Of those
// that are soon over a team's threads have neighbours.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s
// RUN: %clang -O3 %s -fplugin=%plugin -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck --check-prefix=RECORD %s
// REQUIRES: plugin, cuda

// RECORD: region {{.*}}_nearest_l
// RECORD: version {{.*}} loop=strided {{.*}} fill=2048 even=1
// RECORD: region {{.*}}_most_l
// RECORD-NOT: even=

// CHECK: .entry {{.*}}_nearest_l{{[0-9]+}}_place_g{{g?}}(
// CHECK: shr.u64 [[WARP:%rd[0-9]+]], {{%rd[0-9]+}}, 5;
// CHECK: mul.lo.s64 [[BEFORE:%rd[0-9]+]], [[WARP]], {{%rd[0-9]+}};
// CHECK: add.s64 [[NUMBER:%rd[0-9]+]], [[BEFORE]],
// CHECK: shl.b64 [[FIRST:%rd[0-9]+]], [[NUMBER]], 5;
// CHECK: selp.b64
// CHECK: End function
float nearest(const float *a, const float *b, int n, int m) {
  float most = 0;
#pragma omp target teams distribute parallel for reduction(max : most) map(to : a[0 : n], b[0 : m])
  for (int i = 0; i < n; i++) {
    float least = 1e30f;
    for (int j = 0; j < m; j++)
      least = a[i] * b[j] < least ? a[i] * b[j] : least;
    most = least > most ? least : most;
  }
  return most;
}

// CHECK: .entry {{.*}}_most_l{{[0-9]+}}_place_g(
// CHECK-NOT: shr.u64 {{.*}}, 5;
// CHECK: End function
float most(const float *a, int n) {
  float most = 0;
#pragma omp target teams distribute parallel for reduction(max : most) map(to : a[0 : n])
  for (int i = 0; i < n; i++)
    most = a[i] > most ? a[i] : most;
  return most;
}

// Of half, clang 19's function that takes what another lane has writes 32 bits over 16. In place's copies it writes 16. Of five shorts the end
// is lost where it is moved between warps: such a kernel has no versions with another loop.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: grep -o 'version __omp[^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// RUN: %FileCheck %s < %t.ll
// REQUIRES: plugin, cuda

// TABLE: version {{.*}}_halves_{{.*}}_spread role=plan loop=strided
// TABLE-NOT: version {{.*}}_shorts_{{.*}}loop=strided
// TABLE-NOT: version {{.*}}_shorts_{{.*}}loop=isolated

// What was taken is narrowed to what there is.
// CHECK-LABEL: define {{.*}}_halves_l{{[0-9]+}}_place_{{[a-z]+}}_spread(
// CHECK: [[TOOK:%[0-9]+]] = {{.*}}call {{.*}}i32 @llvm.nvvm.shfl.sync.down.i32(
// CHECK: trunc i32 [[TOOK]] to i16
_Float16 halves(const _Float16 *a, int n) {
  _Float16 sum = 0;
#pragma omp target teams distribute reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

void shorts(const short *a, short *o, int n) {
  short s[5] = {0};
#pragma omp target teams distribute reduction(+ : s[0 : 5])
  for (int i = 0; i < n; i++) s[i % 5] += a[i];
  for (int i = 0; i < 5; i++) o[i] = s[i];
}

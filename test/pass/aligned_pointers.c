// An address that is rounded down (llvm.ptrmask) cannot be rebuilt on another base: its array stays where it is. As IR, since
// clang 19's own back end fails on such addresses, with and without the plugin.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=access 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda
// CHECK-LABEL: kernel {{.*}}_rounded_l
// CHECK: array a {{.*}}its address is computed by more than additions of offsets
void rounded(const float *a, const float *b, float *out, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    const float *p = __builtin_align_down(a + i, 16);
    out[i] = p[0] + p[1] + b[i % 7];
  }
}

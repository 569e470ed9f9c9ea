// A version with larger teams than the program asked for: what the optimiser was told of a thread's number does not hold there.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// REQUIRES: plugin, cuda

// CHECK: define {{.*}}_few_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: range(i32 0, 31)
// CHECK: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-NOT: range(i32 0, 31)
// CHECK: {{^}}}
void few(unsigned char *o, const int *a, int n) {
#pragma omp target teams distribute parallel for thread_limit(31) schedule(static)
  for (int i = 0; i < n; i++)
    if (i < a[i])
      o[i + 32] = (unsigned char)(a[i] & 1);
}

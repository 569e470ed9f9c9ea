// The optimiser makes long memmoves of loops that copy arrays of sums between shared memory and the reduction's buffer. LLVM 19's back end leaves out
// those between address spaces: in versions both ends are generic addresses, and a team's sums reach its slot before it counts itself.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// RUN: %S/Inputs/device-compile %t.s %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s --check-prefix=PTX < %t.s
// REQUIRES: plugin, cuda

// CHECK: define {{.*}}_sums_l{{[0-9]+}}_place_gg(
// CHECK-NOT: @llvm.memmove.p0.p3
// CHECK: call void @llvm.memmove.p0.p0.
// CHECK-NOT: @llvm.memmove.p0.p3
// CHECK: {{^}}}

// PTX: .entry {{.*}}_sums_l{{[0-9]+}}_place_gg(
// PTX: st.u8
// PTX: membar.gl
// PTX: atom.{{.*}}add.u32
// PTX: ret;
void sums(double *o, int *p, const unsigned char *a, const short *b, int n) {
  double s[64] = {0};
  int t[64] = {0};
#pragma omp target teams distribute reduction(+ : s[0 : 64]) reduction(|| : t[0 : 64]) map(to : a[0 : 64 * n], b[0 : 64 * n])
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 64; j++) s[j] += a[64 * i + j];
    for (int j = 0; j < 64; j++) t[j] = t[j] || b[64 * i + j] == 77;
  }
  for (int j = 0; j < 64; j++) o[j] = s[j], p[j] = t[j];
}

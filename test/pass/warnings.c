// What LLVM says of a kernel, it says once: not again of its versions, or of what is optimised alone.
// RUN: %S/Inputs/device-compile %t.ptx %clang -O3 -g1 -Rpass=licm %s -fplugin=%plugin 2>&1 | %FileCheck %s
// RUN: grep -c 'entry.*_place_' %t.ptx | %FileCheck %s --check-prefix=VERSIONS
// REQUIRES: plugin, cuda

// VERSIONS: {{[4-9]}}
// CHECK: warnings.c:[[#@LINE+5]]:{{.*}}loop not vectorized
// CHECK-NOT: loop not vectorized
void scaled(float *restrict out, const float *restrict in, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int j = 0; j < m; j++)
      out[i * m + j] = in[i * m + j] * 2;
}

// The reduction of angles far from zero is a function of its own in versions of a kernel that takes sines in a loop; where it takes one an
// iteration, in all that is made of that, and in the original, it stands where it stood.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda
#include <math.h>

// CHECK: .entry {{.*}}_sum_l{{[0-9]+}}(
// CHECK-NOT: call.uni
// CHECK: __cudart_i2opi_f
// CHECK: End function
// CHECK: .entry {{.*}}_once_l{{[0-9]+}}_place_natural
// CHECK-NOT: call.uni
// CHECK: __cudart_i2opi_f
// CHECK: End function
void once(int n, int m, const float *angle, float *x) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = sinf(angle[i * m + j]);
}

// CHECK: .entry {{.*}}_sum_l{{[0-9]+}}_place_natural
// CHECK-NOT: __cudart_i2opi_f
// CHECK: __nv_sinf_$_far,
// CHECK-NOT: __cudart_i2opi_f
// CHECK: End function
void sum(int n, int m, const float *angle, const float *step, float *x) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += sinf(angle[i] + step[j]);
    x[i] = s;
  }
}

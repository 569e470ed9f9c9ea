// Sine and cosine of one angle become one call of libdevice's sincos in kernels optimised alone: one reduction of the argument, not two.
// Where only one of them is taken, or of different angles, nothing changes; the original keeps both.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3
// RUN: %FileCheck %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda
#include <math.h>

// CHECK: .entry {{.*}}_turn_l{{[0-9]+}}(
// CHECK-COUNT-2: __internal_trig_reduction_slowpathd
// CHECK: End function
// CHECK: .entry {{.*}}_turn_l{{[0-9]+}}_place_natural(
// CHECK: __internal_trig_reduction_slowpathd
// CHECK-NOT: __internal_trig_reduction_slowpathd
// CHECK-NOT: __nv_
// CHECK: End function
void turn(int n, const double *angle, double *x, double *y) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double a = angle[i];
    x[i] = cos(a);
    y[i] = sin(a);
  }
}

// CHECK: .entry {{.*}}_unlike_l{{[0-9]+}}_place_natural(
// CHECK-COUNT-2: __internal_trig_reduction_slowpathd
// CHECK: End function
void unlike(int n, const double *angle, double *x, double *y) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double a = angle[i];
    x[i] = cos(a);
    y[i] = sin(a + 1);
  }
}

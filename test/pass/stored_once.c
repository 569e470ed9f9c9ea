// Where the launch is checked to have all arrays apart, what is stored to an element is not loaded again, and of several stores the last one
// is left. The compiler's own passes come too early for that: nothing is known of the arguments then.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s
// REQUIRES: plugin, cuda

// CHECK: .entry {{.*}}_sums_l{{[0-9]+}}_place_base(
// CHECK-COUNT-4: st.global
// CHECK: End function
// CHECK: .entry {{.*}}_sums_l{{[0-9]+}}_place_natural_apart(
// CHECK-COUNT-1: st.global
// CHECK-NOT: st.global
// CHECK: End function
void sums(const double *a, const double *b, const double *c, double *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    o[i] = a[i] * b[i];
    o[i] += b[i] * c[i];
    o[i] -= a[i] * c[i + 1];
    o[i] += a[i + 1] * b[i + 2];
  }
}

// Functions of libdevice that a kernel calls twice with one value: clang inlines both, and keeps the branches of both. In versions the calls
// are compared first.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// RUN: %S/Inputs/device-compile --ir %t.plain.ll %clang -O3 %s
// RUN: %FileCheck %s --check-prefix=PLAIN < %t.plain.ll
// RUN: grep -o 'version __omp[^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// REQUIRES: plugin, cuda
#include <math.h>

// TABLE: _gates_{{.*}}_place_natural_apart {{.*}} needs=
// TABLE: _others_{{.*}}_place_natural_apart {{.*}} needs=
// TABLE: _roots_{{.*}}_place_natural_apart {{.*}} needs=

// The argument of an exponential is compared with what is too large for the polynomial: once for each value.
void gates(double *restrict out, const double *v, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double x = v[i], open = 1 / (1 + exp(x / 20)), shut = 3 / (5 + exp(-x));
    if (x > 1) open += exp(x / 20);
    out[i] = open * shut / (1 + exp(x / 20)) + exp(-x);
  }
}
// PLAIN: define {{.*}}_gates_l{{[0-9]+}}(
// PLAIN-COUNT-5: fcmp olt float {{.*}}, 0x4010E9
// PLAIN: {{^}}}
// CHECK: define {{.*}}_gates_l{{[0-9]+}}_place_natural_apart(
// CHECK-COUNT-2: fcmp olt float {{.*}}, 0x4010E9
// CHECK-NOT: fcmp olt float {{.*}}, 0x4010E9
// CHECK-NOT: call {{.*}}__nv_
// CHECK: {{^}}}

// Other values, one call of each: nothing to find, and the kernel is not optimised once more for it.
void others(double *restrict out, const double *v, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    out[i] = exp(v[i]) + exp(-v[i]) + log(v[i]);
}

// Functions that are a few instructions are inlined as ever.
void roots(double *restrict out, const double *v, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    out[i] = sqrt(v[i]) + fabs(v[i]) + sqrt(v[i]) * fabs(v[i]);
}

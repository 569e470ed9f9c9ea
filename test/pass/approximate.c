// -ffast-math: powers and logarithms of floats in versions are the GPU's own. Not without it, not of doubles, and not in the original.
// RUN: %S/Inputs/device-compile %t.plain.s %clang -O3 -ffast-math %s
// RUN: %S/Inputs/device-compile %t.s %clang -O3 -ffast-math %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s && %FileCheck --check-prefix=DOUBLE %s < %t.s && %FileCheck --check-prefix=INVERSE %s < %t.s
// RUN: sed -n '/^.weak .entry [^ ]*_powers_l[0-9]*($/,/End function/p' %t.plain.s > %t.before
// RUN: sed -n '/^.weak .entry [^ ]*_powers_l[0-9]*($/,/End function/p' %t.s > %t.after
// RUN: test -s %t.before && diff %t.before %t.after
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin && %FileCheck --check-prefix=EXACT %s < %t.s
// RUN: %S/Inputs/device-compile %t.s %clang -O3 -ffast-math -fno-approx-func %s -fplugin=%plugin && %FileCheck --check-prefix=EXACT %s < %t.s
// RUN: %S/Inputs/device-compile %t.s %clang -O3 -fapprox-func %s -fplugin=%plugin && %FileCheck --check-prefix=SPECIAL %s < %t.s
// REQUIRES: plugin, cuda
#include <math.h>

// CHECK: .entry {{.*}}_powers_l{{[0-9]+}}_place_natural_apart(
// Denormal numbers count as zero there, as they do for the host's code.
// CHECK: lg2.approx.ftz.f32
// CHECK: mul.ftz.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: lg2.approx.ftz.f32
// CHECK: End function
// Where numbers need not be finite: -2 to 0.5 is none, 1 to infinity is 1, and -0 to 3 is -0.
// SPECIAL: .entry {{.*}}_powers_l{{[0-9]+}}_place_natural_apart(
// SPECIAL-NOT: .ftz
// SPECIAL: lg2.approx.f32
// SPECIAL: ex2.approx.f32
// SPECIAL-NOT: .ftz
// SPECIAL: selp.f32 {{.*}}, 0f3F800000,
// SPECIAL: neg.f32
// SPECIAL: shr.u32 {{.*}}, 31;
// SPECIAL: selp.f32 {{.*}}, 0f7FC00000,
// SPECIAL: End function
// EXACT: .entry {{.*}}_powers_l{{[0-9]+}}_place_natural_apart(
// EXACT-NOT: lg2.approx
// EXACT: End function
void powers(const float *a, float *o, int n, float y) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = powf(a[i], y) + expf(a[i]) + logf(a[i]);
}

// DOUBLE: .entry {{.*}}_doubles_l{{[0-9]+}}_place_natural_apart(
// DOUBLE-NOT: lg2.approx
// DOUBLE: End function
void doubles(const double *a, double *o, int n, double y) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = pow(a[i], y) + log(a[i]);
}

// What is divided by a power is multiplied by its inverse.
// INVERSE: .entry {{.*}}_inverses_l{{[0-9]+}}_place_base(
// INVERSE: {{rcp|div}}.approx
// INVERSE: .entry {{.*}}_inverses_l{{[0-9]+}}_place_natural_apart(
// INVERSE-NOT: {{rcp|div}}.approx
// INVERSE: ex2.approx.ftz.f32
// INVERSE-NOT: {{rcp|div}}.approx
// INVERSE: End function
void inverses(const float *a, float *o, int n, float y) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = 3 / powf(a[i] * a[i], y) + a[i] / expf(a[i]);
}

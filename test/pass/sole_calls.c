// A large function that is called in one place is part of the versions, though its caller is inlined itself first: its array's address goes
// nowhere, and all that the region has can be placed.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: grep -o '\(array\|version\) [^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// RUN: %FileCheck %s < %t.ll
// REQUIRES: plugin, cuda
#include <math.h>

// TABLE: array {{.*}} table {{.*}} r 0 global,readonly,constant,shared
// TABLE: version {{.*}} loop=strided space=c
// CHECK-LABEL: define {{.*}}_sums_l{{[0-9]+}}_place_c
// CHECK-NOT: call {{.*}}@large
// CHECK: ret void
static void larger(double *out, double x, const double *table, int n) {
  for (int i = 0; i < n; i++) {
    double y = table[i] * x;
    out[i % 4] += pow(y, 1.3) + exp(y) + log(y) + tgamma(y);
    out[(i + 1) % 4] -= cbrt(y) * erf(y) + lgamma(y) * acos(y);
  }
}
static void large(double *out, double x, const double *table, int n) {
  for (int i = 0; i < 4; i++) out[i] = pow(x, i + 0.5) + asin(x);
  larger(out, x, table, n);
}

long sums(const double *table, int n, int lookups) {
  long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : table[0 : n])
  for (int i = 0; i < lookups; i++) {
    double out[4] = {0};
    large(out, i * 0.001, table, n);
    int most = 0;
    for (int j = 1; j < 4; j++)
      if (out[j] > out[most]) most = j;
    sum += most;
  }
  return sum;
}

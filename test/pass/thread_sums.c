// Teams of 1,024 threads: the optimiser adds a thread's number by a bitwise or. In the copies that versions are made of it is a sum again, so
// that teams of another size and blocks can be made.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: grep -o 'version [^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// RUN: %FileCheck %s < %t.ll
// REQUIRES: plugin, cuda

// TABLE: version {{.*}}_turn_{{.*}}loop=natural {{.*}} threads=1024
// TABLE: version {{.*}}_turn_{{.*}}loop=natural {{.*}} threads=32
// TABLE: version {{.*}}_turn_{{.*}}loop=block
// CHECK-LABEL: define {{.*}}_turn_l{{[0-9]+}}(
// CHECK: or disjoint i64 %{{[0-9]+}}, %
// CHECK: ret void
void turn(float *restrict o, const float *restrict a, int n) {
#pragma omp target teams distribute parallel for collapse(2) thread_limit(1024) map(to : a[0 : n * n]) map(from : o[0 : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) o[j * n + i] = a[i * n + j];
}

// What omp.h defines in the file itself is no call of the runtime.
// TABLE: version {{.*}}_rows_{{.*}}loop=rows
#include <omp.h>
void rows(float *p, const float *a, int n) {
#pragma omp target teams distribute map(tofrom : p[0 : n]) map(to : a[0 : n])
  for (int j = 0; j < n; j += 100) {
    int t = omp_is_initial_device() ? 8 : 64;
#pragma omp parallel for
    for (int i = j; i < j + 100; i++) p[i] = a[i] * a[n - 1 - i] + t;
  }
}

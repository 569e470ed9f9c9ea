// Scalars that nothing but values depends on: a launch with another time step does the same work. What decides on branches, addresses or numbers
// of iterations is none.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 %s -fplugin=%plugin
// RUN: grep -o 'c"place-table.*' %t.ll | sed 's/\\0A/\n/g' | %FileCheck %s
// REQUIRES: plugin, cuda

// CHECK: region {{.*}}_step_l
// CHECK: launch {{.*}} parameters 7 values 2,5
void step(int n, int far, double dt, float weight, double *a, const double *b, double least) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double v = a[i] + dt * b[i + far] * weight;
    a[i] = v;
    if (b[i] < least)
      a[i + n] += v;
  }
}
// A comparison that chooses between values is none that decides.
// CHECK: region {{.*}}_limited_l
// CHECK: launch {{.*}} parameters 3 values 2
void limited(int n, double least, double *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] = a[i] < least ? least : a[i];
}
// CHECK: region {{.*}}_none_l
// CHECK: launch {{.*}} parameters 2{{$}}
void none(int n, double *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

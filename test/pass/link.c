// Two translation units: one constant bank, two region tables, all versions in one image; with -g as well.
// RUN: %clang -O3 -g -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-one-image -c %s -DFIRST -o %t.1.o
// RUN: %clang -O3 -g -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-one-image -c %s -o %t.2.o
// RUN: env PATH=%place_cuda/bin:$PATH %clang %t.1.o %t.2.o -o %t
// RUN: %python %S/Inputs/device-symbols.py %t | %FileCheck %s
// REQUIRES: plugin, cuda

// CHECK-DAG: 1 place_const
// CHECK-DAG: 1 place_timer
// CHECK-DAG: 2 place_table_
// CHECK-DAG: 1 {{.*}}_scale_l{{[0-9]+}}_place_c_kernel_environment
// CHECK-DAG: 1 {{.*}}_shift_l{{[0-9]+}}_place_agnostic_kernel_environment
#ifdef FIRST
void scale(int n, const float *w, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++)
      o[i] += w[j] * o[i];
}
#else
void shift(int n, const float *w, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++)
      o[i] += w[j] + a[i];
}
int main(void) { return 0; }
#endif

// Calls into code that the compiler does not see, and kernels in generic mode, are left alone, with the reason.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=access -c %s -o %t.o 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda

void sink(float *);
#pragma omp declare target to(sink)

// CHECK-LABEL: kernel {{.*}}_called_l
// CHECK: unknown writes: it calls sink, whose code the compiler does not see here [external-call]
// CHECK: array a {{.*}} global: it calls sink, whose
void called(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    sink(o + i);
    o[i] += a[i];
  }
}

// CHECK-LABEL: kernel {{.*}}_generic_l
// CHECK: unknown writes: it calls sink, whose code the compiler does not see here [external-call]
// CHECK: no version: it calls sink, whose code the compiler does not see here [external-call]
void generic(int n, const float *a, float *o) {
#pragma omp target teams distribute
  for (int t = 0; t < 4; t++) {
    float base = a[t];
    sink(&base);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      o[t * n + i] = base;
  }
}

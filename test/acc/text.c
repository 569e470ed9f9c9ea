// The OpenMP made of each kind of nest. docs/openacc.md has the table.
// RUN: %acc_text %s 2>&1 | %FileCheck %s

// A region of one loop is one combined construct; a scalar that is written is each iteration's own.
// CHECK-LABEL: text.c:[[#@LINE+3]]: #pragma acc parallel loop{{.*}}
// CHECK-NEXT: #pragma omp target teams distribute parallel for map(ompx_hold, to: a[0: n]) thread_limit((128)) firstprivate(t)
void one(int n, double *a, double *b, double t) {
#pragma acc parallel loop gang vector copyin(a[0:n]) vector_length(128)
  for (int i = 0; i < n; i++) {
    t = a[i];
    b[i] = t;
  }
}

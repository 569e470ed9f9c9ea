// An if clause that the launch decides asks for one thread or for all, as num_threads does: of a loop that teams and threads share it is
// a wish where nothing looks at threads, elsewhere so many threads carry out the region.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// REQUIRES: plugin, cuda
int omp_get_thread_num(void);

// CHECK-LABEL: region {{.*}}_combined_l
// CHECK: kind spmd{{ *$}}
// CHECK: loop=natural
// CHECK: loop=block
void combined(int n, int device, const float *a, float *o) {
#pragma omp target teams distribute parallel for if (device) map(to : a[ : n]) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// A clause that the program may have written to have iterations in order.
// CHECK-LABEL: region {{.*}}_inner_l
// CHECK: loop=straight
void inner(int n, int m, const float *a, float *o) {
#pragma omp target teams distribute map(to : a[ : n * m]) map(from : o[ : n * m])
  for (int i = 0; i < n; i++)
#pragma omp parallel for if (m > 100)
    for (int j = 0; j < m; j++)
      o[i * m + j] = a[i * m + j];
}

// CHECK-LABEL: region {{.*}}_observed_l
// CHECK-NOT: loop={{natural|block}}
// CHECK: loop=straight
// CHECK-NOT: loop={{natural|block}}
// CHECK: end
void observed(int n, int big, const float *a, int *o) {
#pragma omp target teams distribute parallel for if (parallel : big) map(to : a[ : n]) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = a[i] > 0 ? omp_get_thread_num() : 0;
}

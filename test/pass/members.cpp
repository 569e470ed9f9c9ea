// Regions in constructors and destructors of templates: each has the names and types of its own instantiation.
// RUN: %clangxx -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clangxx -O3 -save-temps -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o steps.o 2> steps.err
// RUN: diff %t.err steps.err
// REQUIRES: plugin, cuda

template <typename T> struct Field {
  T *from, *to;
  int n;
  Field(int n, T *from, T *to) : from(from), to(to), n(n) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      to[i] = from[i & 7];
  }
  ~Field() {
    T *a = from, *b = to;
    int m = n;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < m; i++)
      a[i] = b[i & 3];
  }
};
template struct Field<float>;
template struct Field<double>;
// CHECK-DAG: at 12 Field<float>::Field {{.*}}{{[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]]}}array 0 1 to 4 w
// CHECK-DAG: at 12 Field<double>::Field {{.*}}{{[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]]}}array 0 1 to 8 w
// CHECK-DAG: at 19 Field<float>::~Field {{.*}}{{[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]]}}array 0 1 a 4 w
// CHECK-DAG: at 19 Field<double>::~Field {{.*}}{{[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]].*[[:space:]]}}array 0 1 a 8 w

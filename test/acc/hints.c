// #pragma place before directives of OpenACC: at a function's level, and inside of a statement that another directive is about.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda
// CHECK-NOT: followed by no target construct
// CHECK: array {{[0-9]}} {{[0-9]}} a 4 r {{.*}} constant -
// CHECK: array {{[0-9]}} {{[0-9]}} a 4 r {{.*}} shared -
void f(int n, const float *a, float *o) {
#pragma place constant(a)
#pragma acc parallel loop copyin(a[:n]) copyout(o[:n])
  for (int i = 0; i < n; i++)
    o[i] = a[i & 7];
#pragma acc data copyin(a[:n]) copyout(o[:n])
  {
#pragma place shared(a)
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      o[i] = a[i & 7];
  }
}

// Loops whose ends are scalars in map clauses, which a kernel gets by reference: versions of them for launches whose arrays are apart.
// RUN: %clang -O3 %s -fplugin=%plugin -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck %s
// RUN: %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -c -o %t.o && grep -aE '^version ' %t.o | cut -d ' ' -f 2 | sort | uniq -d > %t.twice && test ! -s %t.twice
// REQUIRES: plugin, cuda

// CHECK: region {{.*}}_product_l
// CHECK-DAG: _place_natural_apart role=plan loop=natural {{.*}} needs={{.*}},apart{{$}}
// CHECK-DAG: _apart role=plan loop=block {{.*}} tiles=1,2 {{.*}}needs={{.*}},apart{{$}}
void product(int n, const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for map(to : n, a[ : n * n], b[ : n * n]) map(from : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// What the kernel itself writes does not stay as it is.
// CHECK: region {{.*}}_moves_l
// CHECK-NOT: loop=block
void moves(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for map(tofrom : n) map(to : a[ : n]) map(from : c[ : n])
  for (int i = 0; i < n; i++) {
    c[i] = a[i];
    if (i == 7)
      n = i;
  }
}

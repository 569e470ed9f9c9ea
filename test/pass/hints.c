// Hints: what is understood goes into the table; what is not is one warning, and the rest of the program is as it was.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: %FileCheck --check-prefix=TABLE %s < %t.err
// RUN: %clang -O3 -Wno-unknown-pragmas -c %s -o %t.plain.o
// REQUIRES: plugin, cuda

void f(int n, const float *a, const float *w, float *o) {
#pragma place shared(w) readonly(a)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * w[i & 7];
}
// TABLE-DAG: array {{[0-9]}} {{[0-9]}} a 4 r {{[0-9]}} global,readonly,constant,shared readonly -
// TABLE-DAG: array {{[0-9]}} {{[0-9]}} w 4 r {{[0-9]}} global,readonly,constant,shared shared -
// TABLE: version {{.*}}_f_l{{[0-9]+}}_place_{{rs|sr}} role=plan loop=straight space=-,{{r,s|s,r}} threads=128 needs=threads:128,aligned:16

// CHECK-DAG: hints.c:[[#@LINE+2]]:{{.*}}'#pragma place': unknown memory space 'textur'; known: global, readonly, constant, shared, noplace
void g(int n, const float *a, float *o) {
#pragma place textur(a)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK-DAG: hints.c:[[#@LINE+2]]:{{.*}}'#pragma place' names 'b', which the target construct does not use
void h(int n, const float *a, float *o) {
#pragma place shared(b)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK-DAG: #pragma place constant(o) ignored at {{.*}}hints.c:[[#@LINE+3]]: the array stays in global memory: written
void written(int n, const float *a, float *o) {
#pragma place constant(o)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// TABLE: kind unsupported noplace hint
void nothing(int n, const float *a, float *o) {
#pragma place noplace
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK-DAG: hints.c:[[#@LINE+1]]:{{.*}}'#pragma place' is followed by no target construct
#pragma place shared(a)
int unrelated;

// A scalar that comes by reference is read once by a thread, wherever it is: no version has it in constant or shared memory, but for a hint and
// the full breadth.
// RUN: %clang -O3 %s -c -o %t.o -fplugin=%plugin -fplugin-arg-place-dump=table 2>&1 | %FileCheck --check-prefix=USUAL %s
// RUN: %clang -O3 %s -c -o %t.o -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=table 2>&1 | %FileCheck --check-prefix=ALL %s
// REQUIRES: plugin, cuda
// USUAL-LABEL: region {{.*}}scaled
// USUAL-NOT: space={{[gcsr,-]*[cs]}}
// ALL-LABEL: region {{.*}}scaled
// ALL: space={{[gcsr,-]*[cs]}}
void scaled(int n, float k, const float *a, float *o) {
#pragma omp target teams distribute parallel for map(to : k, a[ : n]) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = a[i] * k;
}

// USUAL-LABEL: region {{.*}}asked
// USUAL: space={{[gcsr,-]*c}}
void asked(int n, float k, const float *a, float *o) {
#pragma place constant(k)
#pragma omp target teams distribute parallel for map(to : k, a[ : n]) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = a[i] * k;
}

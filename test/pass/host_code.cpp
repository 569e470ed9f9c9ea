// A program's host code stays where plain clang has it: what loads the runtime lies behind it, and calls nothing through the table in front of it.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx -O2 -DOTHER -c %s -o %t/other.o && %clangxx -O2 -fplugin=%plugin -DOTHER -c %s -o %t/other.place.o
// RUN: %clangxx -O2 %s %t/other.o -o %t/plain && %clangxx -O2 -fplugin=%plugin %s %t/other.place.o -o %t/place
// RUN: %python %S/Inputs/host-code.py %t/plain %t/place
// RUN: %clangxx -O2 -no-pie %s %t/other.o -o %t/plain && %clangxx -O2 -no-pie -fplugin=%plugin %s %t/other.place.o -o %t/place
// RUN: %python %S/Inputs/host-code.py %t/plain %t/place
// REQUIRES: plugin, cuda
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef OTHER
void half(int n, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; ++i)
    a[i] /= 2;
}
#else
void half(int n, float *a);

static int smaller(const void *a, const void *b) { return *(const float *)a < *(const float *)b ? -1 : 1; }

int main(int argc, char **argv) {
  static float a[1000];
  char name[64];
  strcpy(name, argc > 1 ? argv[1] : "none");
  int n = getenv("COUNT") ? atoi(getenv("COUNT")) : 1000;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; ++i)
    a[i] = i + 1;
  half(n, a);
  qsort(a, n, sizeof *a, smaller);
  printf("%s %g %d\n", name, a[0], strcmp(name, "none"));
}
#endif

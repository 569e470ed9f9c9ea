// A program built with the one flag looks for the runtime, runs without it, and says so only when a report is asked for.
// RUN: mkdir -p %t.alone && cp %plugin %t.alone/libplace.so
// RUN: %clang -O3 -fplugin=%t.alone/libplace.so %s -o %t
// RUN: env -u PLACE_REPORT %t 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED %t 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %clang -O3 -fpass-plugin=%t.alone/libplace.so %s -o %t.pass
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED %t.pass 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %clang -O3 -fplugin=%t.alone/libplace.so -fplugin-arg-place-no-load %s -o %t.no
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED %t.no 2>&1 | %FileCheck --check-prefix=QUIET %s
// REQUIRES: plugin, cuda

#include <stdio.h>
// QUIET-NOT: place:
// QUIET: 45
// SAID: place: libplacert.so not found; the program runs as without it.
// SAID-NOT: place:
// SAID: 45
int main(void) {
  int a[10], s = 0;
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < 10; i++)
    a[i] = i;
  for (int i = 0; i < 10; i++)
    s += a[i];
  printf("%d\n", s);
}

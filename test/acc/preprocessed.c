// Directives survive a run of the preprocessor alone, with their macros expanded; they come from headers; -fopenacc changes nothing;
// without OpenMP one warning says that they are ignored, -fplugin-arg-place-no-acc leaves them to clang.
// RUN: %clang_cpu -E -fplugin=%plugin -I%S/Inputs %s 2>/dev/null | %FileCheck --check-prefix=PRINTED %s
// RUN: %clang_cpu -E -fplugin=%plugin -I%S/Inputs %s -o %t.i
// RUN: %acc_text %t.i 2>&1 | %FileCheck --check-prefix=READ %s
// RUN: %clang_cpu -O1 -fopenacc -fplugin=%plugin -I%S/Inputs %s -o %t.acc && %t.acc
// RUN: %cc1 -fsyntax-only -fplugin=%plugin -I%S/Inputs %s 2>&1 | %FileCheck --check-prefix=OFF %s
// RUN: %clang_cpu -fsyntax-only -fplugin=%plugin -fplugin-arg-place-no-acc -DNO_ACC -I%S/Inputs %s 2>&1 | %FileCheck --check-prefix=LEFT --allow-empty %s
#include "fill.h"
#if defined(NO_ACC) && defined(_OPENACC)
#error "_OPENACC is defined"
#endif

#define N 10
#define DATA copy(a[0:N])

// PRINTED: _Pragma("acc parallel loop copyout ( a [ 0 : n ] )")
// PRINTED: _Pragma("acc parallel loop copy ( a [ 0 : 10 ] )")
// READ: fill.h:{{.*}}#pragma acc parallel loop copyout(a[0: n])
// READ: preprocessed.c:{{.*}}#pragma acc parallel loop copy(a[0: 10])
// READ-NEXT: #pragma omp target teams distribute parallel for map(ompx_hold, tofrom: a[0: 10])
// OFF: fill.h:3:{{.*}}warning: OpenACC directives are ignored: place makes OpenMP of them, which needs -fopenmp
// OFF-NOT: ignored
// LEFT-NOT: error
int main(void) {
  int a[N];
  fill(a, N, 4);
#pragma acc parallel loop DATA
  for (int i = 0; i < N; i++)
    a[i]++;
  return a[9] != 5;
}

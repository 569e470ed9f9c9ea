// Hints, names and options survive a compile in steps: -E and what reads its output, and -save-temps.
// RUN: rm -rf %t && mkdir -p %t/steps
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-max-versions=4 -fplugin-arg-place-dump=table -c %s -o %t/direct.o 2> %t/direct
// RUN: %FileCheck --check-prefix=TABLE %s < %t/direct
//
// RUN: %clang -O3 -fplugin=%plugin -E %s -o %t/source.i
// RUN: %FileCheck --check-prefix=SOURCE %s < %t/source.i
// RUN: %clang -O3 -fplugin=%plugin -E -P %s | %FileCheck --check-prefix=SOURCE %s
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-max-versions=4 -fplugin-arg-place-dump=table -x c -c %t/source.i -o %t/twice.o 2> %t/twice
// RUN: diff %t/direct %t/twice
//
// RUN: cd %t/steps && %clang -O3 -save-temps -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-max-versions=4 -fplugin-arg-place-dump=table -c %s -o %t/steps.o 2> %t/steps.out
// RUN: diff %t/direct %t/steps.out
// RUN: %FileCheck --check-prefix=STEPS %s < %t/steps/preprocessed-openmp-nvptx64-nvidia-cuda-sm_90.s
// RUN: %FileCheck --check-prefix=VERSIONS %s < %t/steps/preprocessed-openmp-nvptx64-nvidia-cuda-sm_90.place.s
// openmp-opt has no part in the second optimisation.
// RUN: %opt -S %t/steps/preprocessed-openmp-nvptx64-nvidia-cuda-sm_90.bc -o - | %FileCheck --check-prefix=DONE %s
// RUN: cd %t/steps && %clang -O3 -save-temps -fplugin=%plugin -fplugin-arg-place-no-load -c %s -o %t/no-load.o
// RUN: %python %S/Inputs/constructors.py %t/steps.o | %FileCheck --check-prefix=LOADS %s
// RUN: %python %S/Inputs/constructors.py %t/no-load.o | %FileCheck --check-prefix=NO-LOAD %s
//
// REQUIRES: plugin, cuda

#define TABLE w
#define HINT _Pragma("place readonly(a) shared(w)")
void hash(int n, const float *a, const float *w, float *o) {
#pragma place readonly(a) constant(TABLE) // by macro
  // what stands between

#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * w[i & 7];
}
void word(int n, const float *a, const float *w, float *o) {
  HINT
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * w[i & 7];
}
void none(int n, const float *a, float *o) {
  n--; _Pragma("place noplace")
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}
// SOURCE: #pragma place readonly(a) constant(w)
// SOURCE: _Pragma("place readonly(a) shared(w)")
// SOURCE: n--;{{ ?}}_Pragma("place noplace")

// TABLE: array 1 2 a 4 r 0 global,readonly,constant,shared readonly -
// TABLE-NEXT: array 2 3 w 4 r 1 global,readonly,constant,shared constant -
// TABLE-COUNT-5: role=plan loop=straight
// TABLE-NOT: loop=straight
// TABLE: array 1 2 a 4 r 0 global,readonly,constant,shared readonly -
// TABLE-NEXT: array 2 3 w 4 r 1 global,readonly,constant,shared shared -
// TABLE: says noplace

// STEPS: .entry {{.*}}_hash_l{{[0-9]+}}(
// STEPS-NOT: .entry {{.*}}_place_

// VERSIONS: .entry {{.*}}_hash_l{{[0-9]+}}_place_base(
// VERSIONS: .entry {{.*}}_hash_l{{[0-9]+}}_place_rc

// DONE: "wchar_size"
// DONE-NOT: "openmp

// LOADS: constructors: 1
// NO-LOAD: constructors: 0

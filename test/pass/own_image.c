// Versions are assembled to an image of their own, and packed; what is left is the program's own code, byte for byte, the table, and the bytes.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O3 -c %s -o %t/plain.o && %python %S/Inputs/device-symbols.py %t/plain.o > %t/plain.txt
// RUN: env KEEP=%t/own.s %clang -O3 -fplugin=%plugin -fplugin-arg-place-assembler=%S/Inputs/keep-assembly.sh -c %s -o %t/own.o
// RUN: %python %S/Inputs/device-symbols.py %t/own.o --tables > %t/own.txt
// RUN: %FileCheck --check-prefix=LEFT %s < %t/own.txt
// RUN: %FileCheck --check-prefix=OWN %s < %t/own.s
// RUN: grep -v place_ %t/own.txt | diff %t/plain.txt -
// Wherever temporary files are.
// RUN: mkdir %t/tmp && env TMPDIR=%t/tmp/ %clang -O3 -fplugin=%plugin -c %s -o %t/tmpdir.o && %python %S/Inputs/device-symbols.py %t/tmpdir.o --tables | %FileCheck --check-prefix=LEFT %s
// RUN: test -z "$(ls %t/tmp)"
//
// The flags of the compile are those of the image.
// RUN: env KEEP=%t/flags.s %clang -O2 -gline-tables-only -fplugin=%plugin -fplugin-arg-place-assembler=%S/Inputs/keep-assembly.sh -c %s -o %t/flags.o
// RUN: %FileCheck --check-prefix=FLAGS %s < %t/flags.s
//
// What an assembler refuses is left out, as the program could not be built with it; the flag leaves versions where they are.
// RUN: env FAIL=1 %clang -O3 -fplugin=%plugin -fplugin-arg-place-assembler=%S/Inputs/keep-assembly.sh -c %s -o %t/failed.o 2>&1 | %FileCheck --check-prefix=FAILED %s
// RUN: %python %S/Inputs/device-symbols.py %t/failed.o > %t/failed.txt && grep -v place_ %t/failed.txt | diff %t/plain.txt - && %FileCheck --check-prefix=NONE %s < %t/failed.txt
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-one-image -c %s -o %t/one.o && %python %S/Inputs/device-symbols.py %t/one.o | %FileCheck --check-prefix=ONE %s
// So do options that are given for the assembler of all, by themselves or in a file.
// RUN: %clang -O3 -Xcuda-ptxas --fmad=false -fplugin=%plugin -c %s -o %t/fmad.o && %python %S/Inputs/device-symbols.py %t/fmad.o | %FileCheck --check-prefix=ONE %s
// RUN: echo "-O3 -Xcuda-ptxas --fmad=false" > %t/flags && %clang @%t/flags -fplugin=%plugin -c %s -o %t/file.o && %python %S/Inputs/device-symbols.py %t/file.o | %FileCheck --check-prefix=ONE %s
//
// Who asks for assembly has all of it.
// RUN: %S/Inputs/device-compile %t/whole.s %clang -O3 %s -fplugin=%plugin && %FileCheck --check-prefix=WHOLE %s < %t/whole.s
//
// What there must be one of in the program keeps those of the kernels that use it.
// RUN: %clang -O3 -DVARIABLE -fplugin=%plugin -c %s -o %t/variable.o && %python %S/Inputs/device-symbols.py %t/variable.o --tables | %FileCheck --check-prefix=PART %s
// RUN: %clang -O3 -DELSEWHERE -fplugin=%plugin -c %s -o %t/elsewhere.o && %python %S/Inputs/device-symbols.py %t/elsewhere.o --tables | %FileCheck --check-prefix=PART %s
// RUN: %clang -O3 -DLOCAL -fplugin=%plugin -c %s -o %t/local.o && %python %S/Inputs/device-symbols.py %t/local.o --tables | %FileCheck --check-prefix=PART %s
// A constant, what is printed, and teams' memory do not.
// RUN: %clang -O3 -DCONSTANT -fplugin=%plugin -c %s -o %t/constant.o && %python %S/Inputs/device-symbols.py %t/constant.o --tables | %FileCheck --check-prefix=LEFT %s
// REQUIRES: plugin, cuda

// LEFT-NOT: {{_place_|place_const|place_timer}}
// LEFT: 1 place_image_[[HASH:[0-9a-f]+]]
// LEFT-NEXT: 1 place_table_[[HASH]]
// LEFT-NOT: {{_place_|place_const|place_timer}}

// OWN: // -m64 -O3 --gpu-name sm_90{{$}}
// OWN-NOT: .extern .global
// OWN-DAG: .entry __omp_offloading_{{.*}}_scale_l{{[0-9]+}}_place_base(
// OWN-DAG: .entry __omp_offloading_{{.*}}_scale_l{{[0-9]+}}_place_c(
// OWN-DAG: place_const[16384]
// OWN-NOT: .entry __omp_offloading_{{.*}}_scale_l{{[0-9]+}}(
// OWN-NOT: place_table_

// FLAGS: // -m64 -O2 --gpu-name sm_90 -lineinfo{{$}}
// FLAGS: .loc

// PART-NOT: _shift_l{{[0-9]+}}_place_
// PART: 1 {{.*}}_scale_l{{[0-9]+}}_place_base{{$}}
// PART-NOT: _shift_l{{[0-9]+}}_place_
// PART: 1 place_image_[[HASH:[0-9a-f]+]]
// PART: 1 place_table_[[HASH]]

// WHOLE: .entry {{.*}}_scale_l{{[0-9]+}}(

// WHOLE: .entry {{.*}}_scale_l{{[0-9]+}}_place_base(

// FAILED: warning: place: {{.*}}keep-assembly.sh failed on the versions of this file, which are therefore left out: no such instruction
// NONE-NOT: {{_place_|place_const|place_timer|place_image}}
// ONE: 1 {{.*}}_scale_l{{[0-9]+}}_place_base{{$}}
// ONE: 1 {{.*}}_shift_l{{[0-9]+}}_place_base{{$}}
// ONE-NOT: place_image_
// ONE: 1 place_table_

#include <stdio.h>

#pragma omp begin declare target
#ifdef VARIABLE
float factor;
#endif
#ifdef ELSEWHERE
float factorOf(int i);
#endif
#ifdef CONSTANT
static const float factors[] = {1, 3, 7, 5, 9, 2, 8, 4};
#endif
#ifdef LOCAL
__attribute__((noinline)) // two functions that share what they count
#endif
static float factorAt(int i) {
#ifdef VARIABLE
  return factor;
#elif defined ELSEWHERE
  return factorOf(i);
#elif defined CONSTANT
  if (i == -1)
    printf("%d\n", i);
  return factors[i & 7];
#elif defined LOCAL
  static float calls;
  return ++calls;
#else
  return 2;
#endif
}
#pragma omp end declare target

void scale(int n, const float *w, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++)
      o[i] += w[j] * o[i] * factorAt(i);
}

void shift(int n, const float *w, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++)
      o[i] += w[j];
}

// Remarks as of LLVM's own passes: by clang's flags, at the source's lines, without -g; and as records.
// RUN: %clangxx -O3 -fplugin=%plugin -Rpass=place -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=MADE %s
// RUN: %clangxx -O3 -fplugin=%plugin -Rpass-missed=place -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=MISSED %s
// RUN: %clangxx -O3 -fplugin=%plugin -Rpass-analysis=place -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=ACCESS %s
// RUN: %clangxx -O3 -g -fplugin=%plugin -Rpass=place -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=MADE %s
// RUN: %clangxx -O3 -fplugin=%plugin -Rpass=inline -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=OTHER %s
// OTHER-NOT: pass=place
// RUN: %clangxx -O3 -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// Without a name of its own, clang 19 has the host's record over the device's.
// RUN: %clangxx -O3 -fplugin=%plugin -Xarch_device -foptimization-record-file=%t.yaml -c %s -o %t.o
// RUN: %FileCheck --check-prefix=RECORD %s < %t.yaml
// In opt there are no lines but the kernel's name has one.
// RUN: %opt -passes='place-mark,place' -pass-remarks=place -pass-remarks-missed=place -disable-output %S/opt.ll 2>&1 | %FileCheck --check-prefix=OPT %s
// QUIET-NOT: remark
// REQUIRES: plugin, cuda

// OPT-DAG: opt.ll:7: 3 versions; w in global, constant, shared memory
// OPT-DAG: opt.ll:7: o stays in global memory: written by the region{{$}}

// MADE: remarks.cpp:[[#@LINE+9]]:1: remark: {{[0-9]+}} versions; w in global, constant, shared memory; iterations: one iteration per thread, loops without guards and barriers; blocks of {{.*}} iterations [-Rpass=place]
// MISSED: remarks.cpp:[[#@LINE+8]]:1: remark: o stays in global memory: written by the region [-Rpass-missed=place]
// ACCESS: remarks.cpp:[[#@LINE+11]]:1: remark: reads 4 bytes of w, the same for all threads [-Rpass-analysis=place]
// ACCESS: remarks.cpp:[[#@LINE+11]]:1: remark: writes 4 bytes of o, 4 bytes from one thread to the next [-Rpass-analysis=place]
// RECORD: Pass: {{ *}}place
// RECORD-NEXT: Name: {{ *}}versions
// RECORD-NEXT: DebugLoc: {{.*}}remarks.cpp', Line: [[#@LINE+3]]
// RECORD: Name: {{ *}}written
void taps(int n, const float *w, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < 9; k++)
      s += w[k] * i;
    o[i] = s;
  }
}

// A function's name is the source's.
namespace host {
float next(float);
#pragma omp declare target to(next)
} // namespace host
// MISSED: remarks.cpp:[[#@LINE+4]]:1: remark: no blocks: it calls host::next, whose code the compiler does not see here. Define
// MISSED: remark: a stays in global memory: it calls host::next, whose code
// MISSED-NOT: __omp_offloading
void calls(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = host::next(a[i]);
}

// Kernels in which nothing but others of the file keeps the device runtime's state are optimised together, a few at a time. One whose
// iterations are handed out one by one is not among them: it would keep the state in all.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -Xclang -ftime-trace=%t.json -Xclang -ftime-trace-granularity=0
// RUN: grep -o '"name":"place: optimised alone","args":{"detail":"[^"]*' %t.json | sed 's/.*_\(\w*\)_l[0-9]*/\1/' | sort | %FileCheck %s
// REQUIRES: plugin, cuda
// CHECK: {{^}}dynamic
// CHECK: {{^}}k1{{$}}
// CHECK-NOT: k2
// CHECK: {{^}}k9{{$}}
// CHECK-NOT: k2
#define KERNEL(name, clause)                                                          \
  void name(float *a, int n) {                                                        \
    _Pragma(clause) for (int i = 0; i < n; i++) a[i] += 1;                            \
  }
#define SIMPLE(name) KERNEL(name, "omp target teams distribute parallel for map(a[:n])")
SIMPLE(k1) SIMPLE(k2) SIMPLE(k3) SIMPLE(k4) SIMPLE(k5) SIMPLE(k6) SIMPLE(k7) SIMPLE(k8) SIMPLE(k9) SIMPLE(k10)
KERNEL(dynamic, "omp target teams distribute parallel for schedule(dynamic) map(a[:n])")

// CUDA's mathematics has assembly in tanhf, fmodf and others, which only computes: it keeps no version away, and no loop from being unrolled.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 -c %t.s -o %t.o
// The original stays as it is.
// RUN: %S/Inputs/device-compile %t.plain.s %clang -O3 %s
// RUN: sed -n '/entry .*_counts_l[0-9]*(/,/End function/p' %t.plain.s > %t.plain.counts
// RUN: sed -n '/entry .*_counts_l[0-9]*(/,/End function/p' %t.s | diff %t.plain.counts -
// REQUIRES: plugin, cuda
#include <math.h>

// Two iterations at a time. The second one's element of `a` is another than what the first one writes, and is loaded before it decides on anything.
// PTX: .entry {{.*}}_rows_l{{[0-9]+}}_place_rows_warp(
// PTX: Inner Loop Header
// PTX: ld.global.b16
// PTX: ld.global.{{[bu]}}16 [[NEXT:%rs[0-9]+]], [{{.*}}];
// PTX: mov.b16 %rs{{[0-9]+}}, [[NEXT]];
// PTX: bra
// PTX: st.global.b16
// PTX: ex2.approx
// PTX: End function
void rows(int h, int w, _Float16 *a, const _Float16 *b) {
#pragma omp target teams distribute
  for (int x = 0; x < h; x++) {
#pragma omp parallel for
    for (int y = 0; y < w; y++) {
      float t = (float)a[x * w + y] + (float)b[y];
      a[x * w + y] = (_Float16)(0.5f * t * (1 + tanhf(0.8f * (t + 0.04f * t * t * t))));
    }
  }
}

// TABLE: version {{.*}}_counts_{{.*}}_place_privatised role=plan loop=privatised
void counts(int n, const float *restrict a, unsigned *restrict bins) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    bins[(int)fmodf(a[i], 8.0f) & 7]++;
  }
}

// What a team computes for all its threads.
// TABLE: version {{.*}}_teams_{{.*}}_place_rows_warp role=plan loop=rows
void teams(int n, const float *restrict a, float *restrict o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float s = tanhf(a[i]);
#pragma omp parallel for
    for (int j = 0; j < 100; j++)
      o[i * 100 + j] = s * j;
  }
}

// Assembly that is volatile, that reads memory without saying so, or that asks other threads, is still taken for anything.
// TABLE: region {{.*}}_volatile__l
// TABLE-NOT: loop=privatised
// TABLE: region {{.*}}_loads_l
// TABLE-NOT: loop=privatised
// TABLE: region {{.*}}_votes_l
// TABLE-NOT: loop=privatised
#ifdef __NVPTX__
#define ASSEMBLY(...) __asm__ __VA_ARGS__
#else
#define ASSEMBLY(...)
#endif
#define BINS(NAME, TYPE, ...)                                                                                                  \
  void NAME(int n, const float *restrict a, unsigned *restrict bins) {                                                         \
    _Pragma("omp target teams distribute parallel for")                                                                        \
    for (int i = 0; i < n; i++) {                                                                                              \
      TYPE r = (TYPE)a[i];                                                                                                     \
      ASSEMBLY(__VA_ARGS__);                                                                                                   \
      _Pragma("omp atomic")                                                                                                    \
      bins[(int)r & 7]++;                                                                                                      \
    }                                                                                                                          \
  }
BINS(volatile_, float, volatile("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i])))
BINS(loads, float, ("ld.global.f32 %0, [%1];" : "=f"(r) : "l"(a + i)))
BINS(votes, unsigned, ("activemask.b32 %0;" : "=r"(r)))

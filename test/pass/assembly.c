// Inline assembly may do anything to memory.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=access -c %s -o %t.o 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda

// CHECK-LABEL: kernel {{.*}}_assembly_l
// CHECK: unknown writes: it has inline assembly [inline-assembly]
void assembly(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#ifdef __NVPTX__
    __asm__ volatile("membar.gl;" ::: "memory");
#endif
    o[i] = a[i];
  }
}

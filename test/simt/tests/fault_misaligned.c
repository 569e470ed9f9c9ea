// What lies at no multiple of what the instruction needs is a finding with line, team and thread. LLVM 19's back end loads 16 bytes by one
// instruction wherever they begin.
// RUN: %simt_cc -O2 -g -fsimt-check %s -o %t && %not %t 2>&1 | %FileCheck %s
// RUN: %simt_cc -O2 -g -fsimt-check -DBYTES %s -o %t.bytes && %not %t.bytes 2>&1 | %FileCheck --check-prefix=BYTES %s
// RUN: %simt_cc -O2 -g -fsimt-check -DRIGHT %s -o %t.right && %t.right
// CHECK: simt: misaligned: {{.*}}fault_misaligned.c:[[@LINE+21]]: reads 16 bytes at 0x{{[0-9a-f]+}}, which is no multiple of 16
// CHECK-NEXT: kernel __omp_offloading_{{.*}}, version original, team 0, thread {{[0-9]+}}
// BYTES: simt: misaligned: {{.*}}fault_misaligned.c:[[@LINE+19]]: reads 16 bytes at 0x{{[0-9a-f]+}}, which is no multiple of 16
#include <stdlib.h>

#if defined BYTES
typedef unsigned char part __attribute__((vector_size(16), aligned(1)));
#else
typedef int part __attribute__((vector_size(16)));
#endif

int main(void) {
#ifdef RIGHT
  enum { N = 100, STEP = 16 };
#else
  enum { N = 100, STEP = 17 };
#endif
  unsigned char *in = calloc(N, STEP);
  part *out = aligned_alloc(16, N * sizeof *out);
#pragma omp target teams distribute parallel for map(from : out[0 : N]) map(to : in[0 : N * STEP])
  for (int i = 0; i < N; i++)
    out[i] = *(const part *)(in + STEP * i);
  free(in);
  free(out);
  return 0;
}

// clang 19's own, without the plugin and without OpenMP, too: alias analysis looks through llvm.ptrmask as if it changed nothing, so
// a load of a[i] is replaced by the load of what stands at the aligned address below it (-O3; -O1 is right). Prints FAIL.
#include <stdint.h>
#include <stdio.h>
__attribute__((noinline)) static void both(int64_t *restrict aligned, int64_t *own, const uint32_t *a) {
  for (int i = 0; i < 31; i++) {
    aligned[i] = *(const uint32_t *)__builtin_align_down(a + i, 16) & 1023;
    own[i] = a[i] & a[1];
  }
}
int main(void) {
  _Alignas(16) uint32_t a[32];
  int64_t aligned[31], own[31];
  int bad = 0;
  for (int i = 0; i < 32; i++) a[i] = (uint32_t)i * 77777;
  both(aligned, own, a);
  for (int i = 0; i < 31; i++) bad += own[i] != (int64_t)((uint32_t)i * 77777 & 77777);
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}

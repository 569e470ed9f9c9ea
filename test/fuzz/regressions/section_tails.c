// Reductions of sections that end in a part of a word, over teams of one thread, where clang 19's own kernels are right. Its functions that
// combine threads' results are not (llvm-pass/transform/MendReduction.h): versions that spread such a loop over threads lost the section's end.
#include <stdint.h>
#include <stdio.h>

enum { N = 999 };

static int in[N], bad;

#define PRAGMA(text) _Pragma(#text)
#define SECTION(NAME, TYPE, LENGTH)                                                                                    \
  static void NAME(void) {                                                                                             \
    TYPE some[LENGTH] = {0}, want[LENGTH] = {0}, sum[LENGTH] = {0}, all[LENGTH] = {0};                                 \
    PRAGMA(omp target teams distribute reduction(| : some[0 : LENGTH]) reduction(+ : sum[0 : LENGTH]) map(to : in))    \
    for (int i = 0; i < N; i++)                                                                                        \
      some[i % LENGTH] |= (TYPE)in[i], sum[i % LENGTH] += (TYPE)in[i];                                                 \
    for (int i = 0; i < N; i++)                                                                                        \
      want[i % LENGTH] |= (TYPE)in[i], all[i % LENGTH] += (TYPE)in[i];                                                 \
    for (int i = 0; i < LENGTH; i++)                                                                                   \
      if (some[i] != want[i] || sum[i] != all[i])                                                                      \
        bad++, printf(#NAME " %d: %lx for %lx, %lx for %lx\n", i, (long)some[i], (long)want[i], (long)sum[i], (long)all[i]); \
  }

SECTION(bytes2, uint8_t, 2)
SECTION(bytes3, uint8_t, 3)
SECTION(bytes7, uint8_t, 7)
SECTION(shorts1, uint16_t, 1)
SECTION(shorts5, uint16_t, 5)
SECTION(ints3, int32_t, 3)

int main(void) {
  for (int round = 0; round < 12; round++) {
    for (int i = 0; i < N; i++) in[i] = 1 << ((i + round) % 16) | (i / 97) << 3;
    bytes2(), bytes3(), bytes7(), shorts1(), shorts5(), ints3();
  }
  printf("%s section_tails\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// Shared memory is watched by byte, whatever the width of accesses: races between a word and parts of it, and none between its bytes.
// RUN: %simt_cc -O1 -g -fsimt-check -DCASE=0 %s -o %t && %t
// RUN: %simt_cc -O1 -g -fsimt-check -DCASE=1 %s -o %t && %not %t 2>&1 | %FileCheck %s --check-prefix=READ
// RUN: %simt_cc -O1 -g -fsimt-check -DCASE=2 %s -o %t && %not %t 2>&1 | %FileCheck %s --check-prefix=READ
// RUN: %simt_cc -O1 -g -fsimt-check -DCASE=3 %s -o %t && %not %t 2>&1 | %FileCheck %s --check-prefix=WRITE
// RUN: %simt_cc -O1 -g -fsimt-check -DCASE=4 %s -o %t && %not %t 2>&1 | %FileCheck %s --check-prefix=UNWRITTEN
// READ: simt: shared-race: {{.*}}: reads byte {{[0-9]+}} of shared {{.*}}words{{.*}}, which thread {{[0-9]+}} writes at line {{[0-9]+}}, with no barrier between
// WRITE: simt: shared-race: {{.*}}: writes byte {{[0-9]+}} of shared {{.*}}words{{.*}}, which {{.*}}, with no barrier between
// UNWRITTEN: simt: shared-unwritten: {{.*}}: reads byte {{[0-9]*[13579]}} of shared {{.*}}words{{.*}}, which no thread of the team has written
// UNWRITTEN: found 128 times
#include "Inputs/device.h"
#include <stdlib.h>

#ifdef __NVPTX__
#define OF_SHARED __attribute__((address_space(3)))
#else
#define OF_SHARED
#endif
enum { THREADS = 128 };

int main(void) {
  unsigned *out = malloc(THREADS * sizeof *out);
#pragma omp target teams ompx_bare num_teams(1) thread_limit(THREADS) map(from : out[0 : THREADS])
  {
    SHARED unsigned words[THREADS];
    volatile OF_SHARED unsigned *word = words;
    volatile OF_SHARED unsigned char *byte = (volatile OF_SHARED unsigned char *)words;
    int t = THREAD(), other = (t + 32) % THREADS;
    word[t] = 0x01020304u * (unsigned)t;
    BARRIER();
    if (CASE == 0) { // each byte of a word by another warp, then read by the word, then the word by one thread, then byte by byte
      for (int i = 0; i < 4; i++)
        byte[(t + 32 * i) % THREADS * 4 + i] = (unsigned char)(t + i);
      BARRIER();
      unsigned sum = word[other];
      BARRIER();
      word[t] = sum;
      BARRIER();
      for (int i = 0; i < 4; i++)
        sum += byte[(t + 32 * i) % THREADS * 4 + i];
      BARRIER();
      byte[4 * t + 1] = 7;
      sum += byte[4 * t + 1] + byte[4 * other + 2]; // another byte of a word than its thread writes
      out[t] = sum;
    }
    if (CASE == 1) { // a word, then a byte of it
      word[t] = 1;
      out[t] = byte[4 * other + 2];
    }
    if (CASE == 2) { // a byte, then its word
      byte[4 * t + 2] = 1;
      out[t] = word[other];
    }
    if (CASE == 3) { // a byte is read, then its word written
      out[t] = byte[4 * t + 3];
      word[other] = 1;
    }
    if (CASE == 4) { // three bytes of four
      SHARED unsigned few_words[THREADS];
      volatile OF_SHARED unsigned char *few = (volatile OF_SHARED unsigned char *)few_words;
      for (int i = 0; i < 3; i++)
        few[4 * t + i] = 1;
      out[t] = *(volatile OF_SHARED unsigned *)&few_words[t];
    }
  }
  free(out);
  return 0;
}

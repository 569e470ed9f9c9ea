// Device memory is aligned as on a GPU, however it comes about: vectors of 32 bytes, mapped, allocated, in shared memory and on a
// thread's stack, without place's runtime and with every space forced.
// RUN: %simt_cc -O3 -march=native -fplugin=%plugin %s -o %t
// RUN: env PLACE=off %t | %FileCheck %s
// RUN: env PLACE_FORCE='*:all=global' %t | %FileCheck %s
// RUN: env PLACE_FORCE='*:all=constant' %t | %FileCheck %s
// RUN: env PLACE_FORCE='*:all=shared' %t | %FileCheck %s
// RUN: %simt_cc -O1 -march=native -fsimt-check %s -o %t.check && %t.check | %FileCheck %s
// REQUIRES: plugin
// CHECK-NOT: FAIL
// CHECK: {{^}}done
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

typedef float vector __attribute__((vector_size(32)));
enum { N = 1000, TABLE = 24, SIZES = 64 };

static void add(const vector *in, const vector *table, vector *out, const char *what) {
#pragma omp target teams distribute parallel for map(to : in[:N], table[:TABLE]) map(from : out[:N])
  for (int i = 0; i < N; i++) {
    vector sum = in[i];
    for (int k = 0; k < TABLE; k++)
      sum += table[k];
    out[i] = sum;
  }
  for (int i = 0; i < N; i++)
    if (out[i][7] != (float)(i + TABLE * (TABLE - 1) / 2))
      printf("%s: out[%d] is %g FAIL\n", what, i, (double)out[i][7]);
}

// Blocks of all sizes, small ones come from a pool of libomptarget's.
static void allocated(void) {
  void *block[SIZES];
  for (int i = 0; i < SIZES; i++) {
    block[i] = omp_target_alloc((size_t)(i * i * 7 + 1), 0);
    if (!block[i] || (uintptr_t)block[i] % 256)
      printf("omp_target_alloc of %d bytes: %p FAIL\n", i * i * 7 + 1, block[i]);
  }
  for (int i = 0; i < SIZES; i++)
    omp_target_free(block[i], 0);
}

int main(void) {
  static vector in[N], table[TABLE], out[N];
  for (int i = 0; i < N; i++)
    in[i] = (vector){0, 0, 0, 0, 0, 0, 0, (float)i};
  for (int k = 0; k < TABLE; k++)
    table[k] = (vector){0, 0, 0, 0, 0, 0, 0, (float)k};
  allocated();
  char *slack[5]; // moves the allocator's next addresses
  for (int i = 0; i < 5; i++) {
    slack[i] = omp_target_alloc((size_t)(24 + 16 * i), 0);
    add(in, table, out, "mapped");
  }
  for (int i = 0; i < 5; i++)
    omp_target_free(slack[i], 0);
  puts("done");
}

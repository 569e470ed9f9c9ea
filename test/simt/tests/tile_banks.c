// Tiles of block versions meet no bank conflict: one transaction of the machine's serial condition for each warp access that
// moves 4 bytes a lane, two for 8 bytes. A transposition writes rows of its tile and reads columns; a matrix product reads one operand along rows
// (all lanes the same element) and the other across.
// RUN: %simt_cc -O3 -fsimt-count -fplugin=%plugin %s -o %t
// RUN: env PLACE_FORCE='*:version=block1' SIMT_COUNT_FILE=%t.count %t | %FileCheck --check-prefix=RESULT %s
// RUN: grep '^simt-count: array .*array=place_tile' %t.count | %FileCheck %s
// REQUIRES: plugin, runtime
// RESULT: 0 wrong
#include <stdio.h>

enum { N = 128 };

// The tile of a 32 x 32 block: 4 x 4 blocks of 32 warp accesses a side.
// CHECK: version={{.*}}c array=place_tile{{[0-9]*}} space=shared access=load warp-accesses=512 lane-accesses=16384 transactions=512{{$}}
// CHECK: version={{.*}}c array=place_tile{{[0-9]*}} space=shared access=store warp-accesses=512 lane-accesses=16384 transactions=512{{$}}
static void transpose(const float *in, float *out) {
#pragma omp target teams distribute parallel for collapse(2) map(to : in[0 : N * N]) map(from : out[0 : N * N])
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++)
      out[x * N + y] = in[y * N + x];
}

// 64 x 64 blocks, 16 columns of a and 16 rows of b at a time, each element copied in once a block: 4 blocks x 8 strips x 1,024
// elements are 1,024 warp accesses to each tile. A thread reads 8 rows of a for each step, 4 steps at a time (16 bytes), and 2
// columns of b, which are neighbours, in one access of 8 bytes: 4 blocks x 8 warps x 128 steps x 8 / 4, and x 1.
// CHECK: version={{.*}}k16a array=place_tile{{[0-9]*}} space=shared access=load warp-accesses=8192 lane-accesses=262144 transactions=8192{{$}}
// CHECK: version={{.*}}k16a array=place_tile{{[0-9]*}} space=shared access=store warp-accesses=1024 lane-accesses=32768 transactions=1024{{$}}
// CHECK: version={{.*}}k16a array=place_tile{{[0-9]*}} space=shared access=load warp-accesses=4096 lane-accesses=131072 transactions=8192{{$}}
// CHECK: version={{.*}}k16a array=place_tile{{[0-9]*}} space=shared access=store warp-accesses=1024 lane-accesses=32768 transactions=1024{{$}}
static void multiply(const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : N * N], b[0 : N * N]) map(from : c[0 : N * N])
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[y * N + k] * b[k * N + x];
      c[y * N + x] = sum;
    }
}

int main(void) {
  static float a[N * N], b[N * N], c[N * N];
  int wrong = 0;
  for (int i = 0; i < N * N; i++)
    a[i] = (float)(i % 61);
  transpose(a, b);
  for (int i = 0; i < N * N; i++)
    wrong += b[i % N * N + i / N] != a[i];
  multiply(a, b, c);
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < N; k++)
      sum += a[i * N + k] * b[k * N + i];
    wrong += c[i * N + i] != sum;
  }
  printf("%d wrong\n", wrong);
}

// Arrays in textures of two dimensions: rows whose length the launch says, of every type, read along rows and columns and beyond their ends,
// with sections that begin inside of an array; what is not of whole aligned rows stays where it is.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin -fplugin-arg-place-spaces=texture2d %s -o %t
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 OMP_TARGET_OFFLOAD=MANDATORY PLACE_FORCE='*:all=texture2d' %t > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// CHECK-DAG: {{^}}0 wrong
// CHECK-DAG: now: a by fetches from a texture of two dimensions{{$}}
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=%t.json PLACE_FORCE='*:all=texture2d' %t && %FileCheck --check-prefix=JSON %s < %t.json
// JSON: "name":{{ ?}}"a"{{.*}}"space":{{ ?}}"texture2d"
// Beside one of one dimension, and where the launch says which.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin -fplugin-arg-place-spaces=texture,texture2d -fplugin-arg-place-effort=3 %s -o %t.all
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='*:all=texture' %t.all 2>&1 | %FileCheck --check-prefix=LINE %s
// LINE-DAG: {{^}}0 wrong
// LINE-DAG: now: a by texture fetches
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='*:a=texture2d' %t.all 2>&1 | %FileCheck --check-prefix=OPEN %s
// OPEN-DAG: {{^}}0 wrong
// OPEN-DAG: now: a by fetches from a texture of two dimensions
// The papers' models choose it on the papers' machines.
// RUN: env PLACE_STORE=off PLACE_REPORT=1 PLACE_PATIENCE=0 PLACE_TRIALS=0 PLACE_MODEL=huang PLACE_MACHINE=%place_source/msl/machines/k40.msl %t 2>&1 | %FileCheck --check-prefix=CHOSEN %s
// CHOSEN-DAG: {{^}}0 wrong
// CHOSEN-DAG: now: a by fetches from a texture of two dimensions
// Rows that are not of 32 bytes, or not all there.
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 PLACE_FORCE='*:all=texture2d' %t odd 2>&1 | %FileCheck --check-prefix=ODD --implicit-check-not='now: a by' %s
// ODD-DAG: {{^}}0 wrong
// ODD-DAG: it is not of whole rows, aligned as a texture of two dimensions has them
// A hint.
// RUN: %simt_cc -O3 -DHINT -fsimt-check -fplugin=%plugin %s -o %t.hint
// RUN: env PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 %t.hint 2>&1 | %FileCheck --check-prefix=HINT %s
// HINT-DAG: {{^}}0 wrong
// HINT-DAG: now: a by fetches from a texture of two dimensions
// REQUIRES: plugin, runtime
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));

#ifdef HINT
#define ASK _Pragma("place texture2d(a)")
#else
#define ASK
#endif

static unsigned bits(size_t i) { return (unsigned)(i * 2654435761u) ^ (unsigned)(i << 9); }

// out[i][j]: a[i][j] and its neighbours, the last of a row being beside the first of the next; as bits, which NaNs are compared by.
#define OF(name, type)                                                                                                  \
  __attribute__((noinline)) static void name##_around(int rows, int columns, const type *a, type *out) {                \
    ASK                                                                                                                 \
    _Pragma("omp target teams distribute parallel for collapse(2)") for (int i = 1; i < rows - 1; i++)                  \
      for (int j = 0; j < columns; j++) {                                                                               \
        int at = i * columns + j;                                                                                       \
        type *o = out + (size_t)4 * (i * columns + j);                                                                  \
        o[0] = a[(i - 1) * columns + j], o[1] = a[(i + 1) * columns + j], o[2] = a[at - 1], o[3] = a[at + 1];            \
      }                                                                                                                 \
  }                                                                                                                     \
  static long name(int rows, int columns) {                                                                             \
    size_t n = (size_t)rows * columns;                                                                                  \
    type *a = aligned_alloc(512, (n * sizeof *a + 511) / 512 * 512), *out = calloc(n * 4, sizeof *out);                 \
    unsigned *word = (unsigned *)a;                                                                                     \
    long wrong = 0;                                                                                                     \
    for (size_t i = 0; i < n * sizeof *a / 4; i++) word[i] = bits(i);                                                   \
    word[1] = 0x7fa00001u, word[2] = 0x80000000u, word[3] = 1, word[4] = 0xffc12345u;                                   \
    _Pragma("omp target data map(to : a[0 : n]) map(tofrom : out[0 : 4 * n])") name##_around(rows, columns, a, out);    \
    for (int i = 1; i < rows - 1; i++)                                                                                  \
      for (int j = 0; j < columns; j++) {                                                                               \
        size_t at = (size_t)i * columns + j;                                                                            \
        const type *o = out + 4 * at, *r[] = {a + at - columns, a + at + columns, a + at - 1, a + at + 1};              \
        for (int k = 0; k < 4; k++) wrong += memcmp(o + k, r[k], sizeof *o) != 0;                                       \
      }                                                                                                                 \
    free(a), free(out);                                                                                                 \
    return wrong;                                                                                                       \
  }

OF(floats, float)
OF(words, int)
OF(pairs, float2)
OF(quads, float4)
OF(doubles, double)

// Columns, and the lower rows of an array alone.
__attribute__((noinline)) static void add_columns(int first, int rows, int columns, const float *a, float *sum) {
  ASK
#pragma omp target teams distribute parallel for map(to : a[first * columns : (rows - first) * columns]) map(from : sum[0 : columns])
  for (int j = 0; j < columns; j++) {
    float s = 0;
    for (int i = first; i < rows; i++)
      s += a[i * columns + j];
    sum[j] = s;
  }
}

static long column_sums(int first, int rows, int columns) {
  size_t n = (size_t)rows * columns, from = (size_t)first * columns;
  float *a = aligned_alloc(512, (n * sizeof *a + 511) / 512 * 512), *sum = calloc(columns, sizeof *sum);
  long wrong = 0;
  for (size_t i = 0; i < n; i++)
    a[i] = (float)(bits(i) % 1000);
#pragma omp target data map(to : a[from : n - from]) map(from : sum[0 : columns])
  add_columns(first, rows, columns, a, sum);
  for (int j = 0; j < columns; j++) {
    float s = 0;
    for (int i = first; i < rows; i++)
      s += a[(size_t)i * columns + j];
    wrong += s != sum[j];
  }
  free(a), free(sum);
  return wrong;
}

int main(int argc, char **argv) {
  (void)argv;
  int odd = argc > 1;
  long wrong = 0;
  for (int columns = odd ? 37 : 32; columns < 200; columns += odd ? 8 : 24) {
    wrong += floats(19, columns) + words(19, columns) + pairs(13, columns) + quads(7, columns) + doubles(11, columns);
    wrong += column_sums(0, 23, columns) + column_sums(16, 40, columns);
  }
  printf("%ld wrong\n", wrong);
  return wrong != 0;
}

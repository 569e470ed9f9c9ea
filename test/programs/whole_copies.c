/* Structures of several sizes and alignments that are copied as a whole: from other elements, through an index, onto themselves, in a
 * condition, and where source and target are one array. */
// RUN: %check_program %s %t
#include "check.h"

#include <stddef.h>

typedef struct { double re, im; } complex;
typedef struct { _Alignas(16) float x, y, z, w; } quad;
typedef struct { float v[3]; } trio;
typedef struct { float v[9]; } matrix;
typedef struct { short a; char b[5]; } odd;
typedef struct { float v[64]; } block;

enum { ROWS = 60, COLUMNS = 70, ALL = ROWS * COLUMNS };
static int from[ALL];

#define TEST(TYPE)                                                                                                           \
  static TYPE TYPE##_in[ALL], TYPE##_out[ALL], TYPE##_want[ALL];                                                             \
  static void fill_##TYPE(int seed) {                                                                                        \
    for (size_t i = 0; i < sizeof TYPE##_in; i++) ((char *)TYPE##_in)[i] = (char)value((long)i, seed);                       \
    memset(TYPE##_out, 0, sizeof TYPE##_out), memset(TYPE##_want, 0, sizeof TYPE##_want);                                    \
  }                                                                                                                          \
  static void run_##TYPE(int rows, int columns, int seed) {                                                                  \
    TYPE *o = TYPE##_out, *a = TYPE##_in, *w = TYPE##_want;                                                                  \
    fill_##TYPE(seed);                                                                                                       \
    _Pragma("omp target teams distribute parallel for collapse(2) map(to : a[0 : ALL]) map(tofrom : o[0 : ALL])")            \
    for (int i = 0; i < rows; i++)                                                                                           \
      for (int j = 0; j < columns; j++) o[j * ROWS + i] = a[i * COLUMNS + j];                                                \
    for (int i = 0; i < rows; i++)                                                                                           \
      for (int j = 0; j < columns; j++) w[j * ROWS + i] = a[i * COLUMNS + j];                                                \
    expect_bytes(#TYPE " turned", o, w, sizeof TYPE##_out);                                                                  \
    _Pragma("omp target teams distribute parallel for map(to : a[0 : ALL], from) map(tofrom : o[0 : ALL])")                  \
    for (int i = 0; i < rows * columns; i++)                                                                                 \
      if (from[i] % 3) o[i] = a[from[i]];                                                                                    \
    for (int i = 0; i < rows * columns; i++)                                                                                 \
      if (from[i] % 3) w[i] = a[from[i]];                                                                                    \
    expect_bytes(#TYPE " picked", o, w, sizeof TYPE##_out);                                                                  \
    _Pragma("omp target teams distribute parallel for map(tofrom : o[0 : ALL])")                                             \
    for (int i = 0; i < rows * columns / 2; i++) {                                                                           \
      o[i] = o[i + rows * columns / 2];                                                                                      \
      o[i + rows * columns / 2] = o[i];                                                                                      \
      o[i] = o[i];                                                                                                           \
    }                                                                                                                        \
    for (int i = 0; i < rows * columns / 2; i++) w[i] = w[i + rows * columns / 2];                                           \
    expect_bytes(#TYPE " halves", o, w, sizeof TYPE##_out);                                                                  \
  }
TEST(complex)
TEST(quad)
TEST(trio)
TEST(matrix)
TEST(odd)
TEST(block)

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    int rows = ROWS - r % 3, columns = COLUMNS - r % 5;
    for (int i = 0; i < ALL; i++) from[i] = (value(i, r) * 41 + i) % ALL;
    run_complex(rows, columns, r), run_quad(rows, columns, r), run_trio(rows, columns, r);
    run_matrix(rows, columns, r), run_odd(rows, columns, r), run_block(rows, columns, r);
  }
  return check_done("whole_copies");
}

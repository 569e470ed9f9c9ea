/* Collapsed loops of extents that are constants, powers of two among them, or variables, and of indices of all widths: quotients and
   remainders that the optimiser has made shifts and masks, of the counter or of a part of it, or left out (pass/extents.test). */
// RUN: %check_program %s %t
#include "check.h"

#include <stddef.h>

enum { N = 70, M = 100, P = 64, Q = 3, K = 12 };
static float a[Q * P * P + N * M], b[Q * P * P + N * M], out[Q * P * P], want[Q * P * P];

/* The row's part of i * extent is what the remainder leaves. */
#define PRODUCT(NAME, TYPE, ROWS, COLUMNS)                                                                             \
  static void NAME(TYPE rows, TYPE columns, int k) {                                                                  \
    (void)rows, (void)columns;                                                                                        \
    _Pragma("omp target teams distribute parallel for collapse(2) map(to : a, b) map(tofrom : out)")                  \
    for (TYPE i = 0; i < ROWS; i++)                                                                                   \
      for (TYPE j = 0; j < COLUMNS; j++) {                                                                            \
        float s = 0;                                                                                                  \
        for (int l = 0; l < k; l++)                                                                                   \
          s += a[i * COLUMNS + l] * b[l * COLUMNS + j];                                                               \
        out[i * COLUMNS + j] = s;                                                                                     \
      }                                                                                                               \
  }
PRODUCT(signed_variable, int, rows, columns)
PRODUCT(long_variable, long, rows, columns)
PRODUCT(unsigned_variable, unsigned, rows, columns)
PRODUCT(signed_power, int, rows, 64)
PRODUCT(unsigned_power, unsigned, rows, 64)
PRODUCT(signed_constant, int, 70, 100)
PRODUCT(long_constant, long, 70, 100)

static void turned(unsigned rows, unsigned columns) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : out)
  for (unsigned i = 0; i < rows; i++)
    for (unsigned j = 0; j < columns; j++)
      out[j * rows + i] = a[i * columns + j];
}

static void planes(void) {
#pragma omp target teams distribute parallel for collapse(3) map(to : a) map(tofrom : out)
  for (int q = 0; q < Q; q++)
    for (int i = 0; i < P; i++)
      for (int j = 0; j < P; j++)
        if (i > 0 && i < P - 1 && j > 0 && j < P - 1)
          out[(q * P + i) * P + j] = a[(q * P + i - 1) * P + j] + a[(q * P + i + 1) * P + j] + a[(q * P + i) * P + j - 1] + a[(q * P + i) * P + j + 1];
}

static void turned_planes(size_t planes) {
#pragma omp target teams distribute parallel for collapse(3) map(to : a) map(tofrom : out)
  for (size_t q = 0; q < planes; q++)
    for (size_t i = 0; i < P; i++)
      for (size_t j = 0; j < P; j++)
        out[(q * P + j) * P + i] = a[(q * P + i) * P + j];
}

static void products(int k) {
#pragma omp target teams distribute parallel for collapse(3) map(to : a, b) map(tofrom : out)
  for (int q = 0; q < Q; q++)
    for (int i = 0; i < P; i++)
      for (int j = 0; j < P; j++) {
        float s = 0;
        for (int l = 0; l < k; l++)
          s += a[(q * P + i) * P + l] * b[(q * P + l) * P + j];
        out[(q * P + i) * P + j] = s;
      }
}

static void expect(const char *what) {
  expect_bytes(what, out, want, sizeof out);
  memset(out, 0, sizeof out);
  memset(want, 0, sizeof want);
}

static void expect_product(const char *what, int rows, int columns) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      for (int l = 0; l < K; l++)
        want[i * columns + j] += a[i * columns + l] * b[l * columns + j];
  expect(what);
}

static float neighbours(int q, int i, int j) {
  const float *at = &a[(q * P + i) * P + j];
  return i > 0 && i < P - 1 && j > 0 && j < P - 1 ? at[-P] + at[P] + at[-1] + at[1] : 0;
}

static float turned_element(int q, int i, int j) { return a[(q * P + j) * P + i]; }

static float product(int q, int i, int j) {
  float sum = 0;
  for (int l = 0; l < K; l++)
    sum += a[(q * P + i) * P + l] * b[(q * P + l) * P + j];
  return sum;
}

static void expect_planes(const char *what, float (*element)(int q, int i, int j)) {
  for (int q = 0; q < Q; q++)
    for (int i = 0; i < P; i++)
      for (int j = 0; j < P; j++)
        want[(q * P + i) * P + j] = element(q, i, j);
  expect(what);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
      a[i] = (float)value((long)i, r), b[i] = (float)value((long)i, r + 1);
    signed_variable(N, M, K);
    expect_product("int", N, M);
    long_variable(N, M, K);
    expect_product("long", N, M);
    unsigned_variable(N, M, K);
    expect_product("unsigned", N, M);
    signed_power(N, P, K);
    expect_product("int, 64 columns", N, P);
    unsigned_power(N, P, K);
    expect_product("unsigned, 64 columns", N, P);
    signed_constant(N, M, K);
    expect_product("int, 100 columns", N, M);
    long_constant(N, M, K);
    expect_product("long, 100 columns", N, M);
    turned(N, M);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        want[j * N + i] = a[i * M + j];
    expect("turned");
    planes();
    expect_planes("planes", neighbours);
    turned_planes(Q);
    expect_planes("turned planes", turned_element);
    products(K);
    expect_planes("products", product);
  }
  return check_done("extents");
}

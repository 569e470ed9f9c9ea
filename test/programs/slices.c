/* Launches that are split into slices: each iteration is carried out once, whatever versions share them, at sizes that no team divides.
 * modes.sh runs all programs with PLACE_SLICES=always; here a version declines its slice: the product's blocks of 64x64 are not for
 * matrices of fewer columns, which it finds out when it is launched. What maps its arrays itself is copied once. */
// RUN: %check_program %s %t
#include "check.h"

enum { ROWS = 331, COLUMNS = 197, INNER = 24, FEW = 40, MANY = 3001 };

static float a[MANY * INNER], b[INNER * COLUMNS], c[MANY * COLUMNS], d[MANY * COLUMNS];
static int count[MANY], counted[MANY], sums[MANY], summed[MANY];

static void product(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int l = 0; l < INNER; l++)
        s += a[i * INNER + l] * b[l * m + j];
      c[i * m + j] = s;
    }
}

static void expect_product(const char *what, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      d[i * m + j] = 0;
      for (int l = 0; l < INNER; l++)
        d[i * m + j] += a[i * INNER + l] * b[l * m + j];
    }
  expect_bytes(what, c, d, sizeof(float) * (size_t)(n * m));
}

/* Counts what is carried out. */
static void counts(int n, int m) {
#pragma omp target teams distribute parallel for map(tofrom : count[0 : n]) map(from : sums[0 : n])
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++)
      s += (i + j) % 7;
    count[i]++;
    sums[i] = s;
  }
  for (int i = 0; i < n; i++) {
    counted[i]++, summed[i] = 0;
    for (int j = 0; j < m; j++)
      summed[i] += (i + j) % 7;
  }
  expect_bytes("count", count, counted, sizeof count);
  expect_bytes("sums", sums, summed, sizeof(int) * (size_t)n);
}

int main(void) {
  for (int i = 0; i < MANY * INNER; i++)
    a[i] = value(i, 1) % 13;
  for (int i = 0; i < INNER * COLUMNS; i++)
    b[i] = value(i, 2) % 11;
  for (int r = 0; r < rounds(); r++) {
#pragma omp target data map(to : a, b) map(from : c)
    {
      product(ROWS, COLUMNS);
#pragma omp target update from(c)
      expect_product("product", ROWS, COLUMNS);
      product(MANY, FEW);
    }
    expect_product("narrow product", MANY, FEW);
    counts(r % 2 ? MANY : MANY - 1234 - r, 5 + r);
  }
  return check_done("slices");
}

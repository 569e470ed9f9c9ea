/* Arrays of two and three dimensions, variable-length arrays, pointers to rows. */
// RUN: %check_program %s %t
#include "check.h"

enum { ROWS = 37, COLUMNS = 53, DEPTH = 5 };

static void fixed(int r) {
  static float a[ROWS][COLUMNS], k[3][3], out[ROWS][COLUMNS], want[ROWS][COLUMNS];
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      a[y][x] = value(y * COLUMNS + x, r), out[y][x] = want[y][x] = 0;
  for (int i = 0; i < 9; i++)
    k[i / 3][i % 3] = value(i, r);
#pragma omp target teams distribute parallel for collapse(2) map(to : a, k) map(tofrom : out)
  for (int y = 1; y < ROWS - 1; y++)
    for (int x = 1; x < COLUMNS - 1; x++) {
      float sum = 0;
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          sum += k[j][i] * a[y + j - 1][x + i - 1];
      out[y][x] = sum;
    }
  for (int y = 1; y < ROWS - 1; y++)
    for (int x = 1; x < COLUMNS - 1; x++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          want[y][x] += k[j][i] * a[y + j - 1][x + i - 1];
  expect_bytes("fixed", out, want, sizeof out);
}

static void variable(int r, int rows, int columns) {
  double a[rows][columns], w[columns], out[rows][columns], want[rows][columns];
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      a[y][x] = value(y + 3 * x, r);
  for (int x = 0; x < columns; x++)
    w[x] = value(x, r + 1);
#pragma omp target data map(to : a[0 : rows][0 : columns], w[0 : columns]) map(from : out[0 : rows][0 : columns])
  {
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++)
        out[y][x] = a[y][columns - 1 - x] * w[x] + w[y % columns];
  }
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      want[y][x] = a[y][columns - 1 - x] * w[x] + w[y % columns];
  expect_bytes("variable", out, want, sizeof out);
}

static void three(int r) {
  static int a[DEPTH][ROWS][COLUMNS], t[DEPTH][4], out[ROWS][COLUMNS], want[ROWS][COLUMNS];
  for (int z = 0; z < DEPTH; z++) {
    for (int i = 0; i < ROWS * COLUMNS; i++)
      a[z][i / COLUMNS][i % COLUMNS] = value(i, r + z);
    for (int i = 0; i < 4; i++)
      t[z][i] = value(i, z);
  }
#pragma omp target teams distribute parallel for collapse(2) map(to : a, t) map(from : out)
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++) {
      int sum = 0;
      for (int z = 0; z < DEPTH; z++)
        sum += a[z][y][x] * t[z][(x + y) & 3] + t[z][1];
      out[y][x] = sum;
    }
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++) {
      want[y][x] = 0;
      for (int z = 0; z < DEPTH; z++)
        want[y][x] += a[z][y][x] * t[z][(x + y) & 3] + t[z][1];
    }
  expect_bytes("three dimensions", out, want, sizeof out);
}

static void row_pointer(int r) {
  static int storage[ROWS * COLUMNS], out[ROWS * COLUMNS], want[ROWS * COLUMNS];
  int(*rows)[COLUMNS] = (int(*)[COLUMNS])storage;
  for (int i = 0; i < ROWS * COLUMNS; i++)
    storage[i] = value(i, r);
#pragma omp target teams distribute parallel for map(to : rows[0 : ROWS][0 : COLUMNS]) map(from : out)
  for (int i = 0; i < ROWS * COLUMNS; i++)
    out[i] = rows[i / COLUMNS][i % COLUMNS] + rows[2][3];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    want[i] = storage[i] + storage[2 * COLUMNS + 3];
  expect_bytes("row pointer", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    fixed(r);
    variable(r, 5 + r, 3 + r * 2);
    three(r);
    row_pointer(r);
  }
  return check_done("matrices");
}

/* Collapsed loops that are carried out in blocks, over spaces of all sizes: around warps, teams and block extents, primes,
 * long and thin, and empty ones. Transpositions of elements of all widths, stencils with halos in two and three dimensions.
 */
// RUN: %check_program %s %t
#include "check.h"

struct pair {
  float a;
  int b;
};

static int seed;

#define TRANSPOSE(NAME, TYPE)                                                                                                \
  static void NAME(int ny, int nx) {                                                                                         \
    size_t n = (size_t)ny * nx;                                                                                              \
    TYPE *a = malloc(n * sizeof *a + 1), *o = calloc(n + 1, sizeof *o), *want = calloc(n + 1, sizeof *want);                 \
    for (size_t i = 0; i < n; i++)                                                                                           \
      a[i] = (TYPE)value((long)i, seed);                                                                                     \
    _Pragma("omp target teams distribute parallel for collapse(2) map(to : a[0 : n]) map(tofrom : o[0 : n])") for (          \
        int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) o[x * ny + y] = a[y * nx + x];                                  \
    for (int y = 0; y < ny; y++)                                                                                             \
      for (int x = 0; x < nx; x++)                                                                                           \
        want[x * ny + y] = a[y * nx + x];                                                                                    \
    expect_bytes(#NAME, o, want, n * sizeof *o);                                                                             \
    free(a), free(o), free(want);                                                                                            \
  }

TRANSPOSE(transpose_float, float)
TRANSPOSE(transpose_double, double)
TRANSPOSE(transpose_int, int)
TRANSPOSE(transpose_short, short)
TRANSPOSE(transpose_char, char)

static void transpose_struct(int ny, int nx) {
  size_t n = (size_t)ny * nx;
  struct pair *a = malloc(n * sizeof *a + 1), *o = calloc(n + 1, sizeof *o), *want = calloc(n + 1, sizeof *want);
  for (size_t i = 0; i < n; i++)
    a[i] = (struct pair){value((long)i, seed), value((long)i, seed + 1)};
#pragma omp target teams distribute parallel for collapse(2) map(to : a [0:n]) map(tofrom : o [0:n])
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++) {
      o[x * ny + y].a = a[y * nx + x].a;
      o[x * ny + y].b = a[y * nx + x].b + 1;
    }
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++)
      want[x * ny + y] = (struct pair){a[y * nx + x].a, a[y * nx + x].b + 1};
  expect_bytes("transpose_struct", o, want, n * sizeof *o);
  free(a), free(o), free(want);
}

/* Reads down columns, some of which another iteration of the same thread reads as well. */
static void columns(int ny, int nx) {
  int wide = ny + 24;
  size_t n = (size_t)ny * nx, in = (size_t)wide * nx;
  float *a = malloc(in * sizeof *a + 1), *o = calloc(n + 1, sizeof *o), *want = calloc(n + 1, sizeof *want);
  for (size_t i = 0; i < in; i++)
    a[i] = value((long)i, seed);
#pragma omp target teams distribute parallel for collapse(2) map(to : a [0:in]) map(tofrom : o [0:n])
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      o[y * nx + x] = a[x * wide + y] + 2 * a[x * wide + y + 8] + 3 * a[x * wide + y + 4] - a[x * wide + y + 16];
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      want[y * nx + x] = a[x * wide + y] + 2 * a[x * wide + y + 8] + 3 * a[x * wide + y + 4] - a[x * wide + y + 16];
  expect_bytes("columns", o, want, n * sizeof *o);
  free(a), free(o), free(want);
}

static void stencil(int ny, int nx) {
  int width = nx + 2, height = ny + 2;
  size_t n = (size_t)width * height;
  float *a = malloc(n * sizeof *a), *w = malloc(9 * sizeof *w), *o = calloc(n, sizeof *o), *want = calloc(n, sizeof *want);
  for (size_t i = 0; i < n; i++)
    a[i] = value((long)i, seed);
  for (int i = 0; i < 9; i++)
    w[i] = value(i, seed + 5);
#pragma omp target teams distribute parallel for collapse(2) map(to : a [0:n], w [0:9]) map(tofrom : o [0:n])
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      float sum = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          sum += w[(j + 1) * 3 + i + 1] * a[(y + j) * width + x + i];
      o[y * width + x] = sum;
    }
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++)
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          want[y * width + x] += w[(j + 1) * 3 + i + 1] * a[(y + j) * width + x + i];
  expect_bytes("stencil", o, want, n * sizeof *o);
  free(a), free(w), free(o), free(want);
}

/* Threads part along the rows only (several columns a thread), and along both dimensions (an iteration a thread). */
static void parting(int ny, int nx) {
  size_t n = (size_t)nx * ny;
  float *a = malloc(n * sizeof *a + 1), *o = calloc(2 * n + 1, sizeof *o), *want = calloc(2 * n + 1, sizeof *want);
  for (size_t i = 0; i < n; i++)
    a[i] = value((long)i, seed);
#pragma omp target data map(to : a [0:n]) map(tofrom : o [0:2 * n])
  {
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        float sum = 0;
        for (int k = -3; k <= 3; k++)
          if (y + k >= 0 && y + k < ny)
            sum += (k + 5) * a[(y + k) * nx + x];
        o[y * nx + x] = sum;
      }
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        if (a[y * nx + x] > 50)
          o[n + y * nx + x] = 7;
        else if (x > 0 && y > 0)
          o[n + y * nx + x] = a[(y - 1) * nx + x] + a[y * nx + x - 1];
  }
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      for (int k = -3; k <= 3; k++)
        if (y + k >= 0 && y + k < ny)
          want[y * nx + x] += (k + 5) * a[(y + k) * nx + x];
      if (a[y * nx + x] > 50)
        want[n + y * nx + x] = 7;
      else if (x > 0 && y > 0)
        want[n + y * nx + x] = a[(y - 1) * nx + x] + a[y * nx + x - 1];
    }
  expect_bytes("parting", o, want, 2 * n * sizeof *o);
  free(a), free(o), free(want);
}

static void cube(int nz, int ny, int nx) {
  int wx = nx + 2, wy = ny + 2;
  size_t n = (size_t)wx * wy * (nz + 2);
  double *a = malloc(n * sizeof *a), *o = calloc(n, sizeof *o), *want = calloc(n, sizeof *want);
  for (size_t i = 0; i < n; i++)
    a[i] = value((long)i, seed);
#define AT(z, y, x) (((z)*wy + (y)) * wx + (x))
#define SUM(z, y, x)                                                                                                         \
  (a[AT(z, y, x)] * 6 - a[AT(z - 1, y, x)] - a[AT(z + 1, y, x)] - a[AT(z, y - 1, x)] - a[AT(z, y + 1, x)] -                  \
   a[AT(z, y, x - 1)] - a[AT(z, y, x + 1)])
#pragma omp target teams distribute parallel for collapse(3) map(to : a [0:n]) map(tofrom : o [0:n])
  for (int z = 1; z <= nz; z++)
    for (int y = 1; y <= ny; y++)
      for (int x = 1; x <= nx; x++)
        o[AT(z, y, x)] = SUM(z, y, x);
  for (int z = 1; z <= nz; z++)
    for (int y = 1; y <= ny; y++)
      for (int x = 1; x <= nx; x++)
        want[AT(z, y, x)] = SUM(z, y, x);
  expect_bytes("cube", o, want, n * sizeof *o);
  free(a), free(o), free(want);
}

/* Transposes each plane of a stack, and the first with the last dimension. */
static void turn_cube(int nz, int ny, int nx) {
  size_t n = (size_t)nx * ny * nz;
  int *a = malloc(n * sizeof *a + 1), *o = calloc(2 * n + 1, sizeof *o), *want = calloc(2 * n + 1, sizeof *want);
  for (size_t i = 0; i < n; i++)
    a[i] = value((long)i, seed);
#pragma omp target data map(to : a [0:n]) map(tofrom : o [0:2 * n])
  {
#pragma omp target teams distribute parallel for collapse(3)
    for (int z = 0; z < nz; z++)
      for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
          o[(z * nx + x) * ny + y] = a[(z * ny + y) * nx + x];
          o[n + ((size_t)x * ny + y) * nz + z] = a[(z * ny + y) * nx + x] + 1;
        }
  }
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        want[(z * nx + x) * ny + y] = a[(z * ny + y) * nx + x];
        want[n + ((size_t)x * ny + y) * nz + z] = a[(z * ny + y) * nx + x] + 1;
      }
  expect_bytes("turn_cube", o, want, 2 * n * sizeof *o);
  free(a), free(o), free(want);
}

/* Bounds known when compiled: divisions by constants. */
static void constant(int r) {
  enum { Y = 67, X = 96 };
  static float a[Y][X], o[X][Y], p[Y][X], want[X][Y], want_p[Y][X];
  for (int i = 0; i < Y * X; i++)
    a[i / X][i % X] = value(i, r);
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o, p)
  for (int y = 0; y < Y; y++)
    for (int x = 0; x < X; x++) {
      o[x][y] = a[y][x];
      p[y][x] = a[y][x] * y - x;
    }
  for (int y = 0; y < Y; y++)
    for (int x = 0; x < X; x++)
      want[x][y] = a[y][x], want_p[y][x] = a[y][x] * y - x;
  expect_bytes("constant", o, want, sizeof o);
  expect_bytes("constant p", p, want_p, sizeof p);
}

int main(void) {
  static const int sizes[][2] = {{1, 1},   {31, 32}, {32, 31},  {32, 32}, {33, 33},  {33, 127}, {128, 33}, {129, 32},
                                 {63, 65}, {64, 64}, {65, 63},  {31, 31}, {1, 513},  {513, 1},  {0, 40},   {40, 0},
                                 {8, 32},  {7, 511}, {97, 101}, {32, 33}, {64, 512}, {40, 64},  {64, 31},  {37, 257}};
  static const int cubes[][3] = {{1, 1, 1},  {3, 8, 32},  {4, 9, 33},  {5, 33, 37}, {0, 8, 32},  {3, 0, 32},
                                 {2, 32, 0}, {4, 31, 32}, {7, 32, 64}, {32, 33, 5}, {1, 64, 33}, {5, 7, 65}};
  enum { SIZES = sizeof sizes / sizeof *sizes, CUBES = sizeof cubes / sizeof *cubes };
  const int turns = rounds() > 16 ? SIZES : 4; /* where the runtime chooses, sizes take turns */
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    for (int i = r % turns; i < SIZES; i += turns) {
      transpose_float(sizes[i][0], sizes[i][1]);
      transpose_double(sizes[i][0], sizes[i][1]);
      transpose_int(sizes[i][0], sizes[i][1]);
      transpose_short(sizes[i][0], sizes[i][1]);
      transpose_char(sizes[i][0], sizes[i][1]);
      transpose_struct(sizes[i][0], sizes[i][1]);
      columns(sizes[i][0], sizes[i][1]);
      stencil(sizes[i][0], sizes[i][1]);
      parting(sizes[i][0], sizes[i][1]);
    }
    for (int i = r % turns; i < CUBES; i += turns) {
      cube(cubes[i][0], cubes[i][1], cubes[i][2]);
      turn_cube(cubes[i][0], cubes[i][1], cubes[i][2]);
    }
    constant(r);
  }
  return check_done("blocks_sizes");
}

/* Collapsed loops whose innermost one strides through memory: neighbouring threads lie along another one. */
// RUN: %check_program %s %t
#include "check.h"

enum { ROWS = 70, COLUMNS = 45, PITCH = 75, ALL = PITCH * (COLUMNS + 2), X = 37, Y = 9, Z = 21, POWER = 32 };
static double a[ALL], b[ALL], change[ALL], want[ALL], want_change[ALL];
static float box[X * Y * Z], from[X * Y * Z], want_box[X * Y * Z];
static double even[POWER][POWER][POWER], was[POWER][POWER][POWER], want_even[POWER][POWER][POWER];

/* One column of memory for each c; half of the neighbours by way of c's parity. */
#define RELAX(new, old, change)                                                                     \
  int i = c * PITCH + r;                                                                            \
  double before = old[i], after = 0.5 * before + b[i - PITCH] + b[i + PITCH] + b[i - (c & 1)];      \
  new[i] = after;                                                                                   \
  change[i] = after - before

static void relax(int rows, int columns) {
#pragma omp target teams distribute parallel for collapse(2) map(to : b) map(tofrom : a, change)
  for (int r = 1; r <= rows; r++)
    for (int c = 1; c <= columns; c++) {
      RELAX(a, a, change);
    }
  for (int r = 1; r <= rows; r++)
    for (int c = 1; c <= columns; c++) {
      RELAX(want, want, want_change);
    }
}

/* The outermost of three. */
static void outermost(int nx, int ny, int nz) {
#pragma omp target teams distribute parallel for collapse(3) map(to : from) map(tofrom : box)
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++)
      for (int z = 0; z < nz; z++)
        box[(z * ny + y) * nx + x] += 2 * from[(z * ny + y) * nx + x] + (float)(x + 10 * y + 100 * z);
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++)
      for (int z = 0; z < nz; z++)
        want_box[(z * ny + y) * nx + x] += 2 * from[(z * ny + y) * nx + x] + (float)(x + 10 * y + 100 * z);
}

/* The middle one of three, in two of three accesses. */
static void middle(int nx, int ny, int nz) {
#pragma omp target teams distribute parallel for collapse(3) map(to : from) map(tofrom : box)
  for (int z = 0; z < nz; z++)
    for (int x = 0; x < nx; x++)
      for (int y = 0; y < ny; y++)
        box[(z * ny + y) * nx + x] = 3 * from[(z * ny + y) * nx + x] - (float)from[(z * nx + x) * ny + y];
  for (int z = 0; z < nz; z++)
    for (int x = 0; x < nx; x++)
      for (int y = 0; y < ny; y++)
        want_box[(z * ny + y) * nx + x] = 3 * from[(z * ny + y) * nx + x] - (float)from[(z * nx + x) * ny + y];
}

/* Extents that are powers of two, where clang has shifts and masks for divisions; neighbours wrap around. */
#define WRAP(out) out[z][y][x] = was[z][y][x] + was[z + 1 > POWER - 1 ? 0 : z + 1][y][x] + was[z][y ? y - 1 : POWER - 1][x]

static void powers(void) {
#pragma omp target teams distribute parallel for collapse(3) map(to : was) map(from : even)
  for (int z = 0; z < POWER; z++)
    for (int y = 0; y < POWER; y++)
      for (int x = 0; x < POWER; x++)
        WRAP(even);
  for (int z = 0; z < POWER; z++)
    for (int y = 0; y < POWER; y++)
      for (int x = 0; x < POWER; x++)
        WRAP(want_even);
}

int main(void) {
  for (int i = 0; i < ALL; i++)
    a[i] = want[i] = value(i, 1), b[i] = value(i, 2);
  for (int i = 0; i < X * Y * Z; i++)
    from[i] = (float)value(i, 3);
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < ALL; i++)
      a[i] = want[i] = value(i, r);
    for (int i = 0; i < X * Y * Z; i++)
      box[i] = want_box[i] = (float)value(i, r);
    for (int i = 0; i < POWER * POWER * POWER; i++)
      was[i / POWER / POWER][i / POWER % POWER][i % POWER] = value(i, r);
    relax(r & 1 ? ROWS : ROWS - 5, COLUMNS);
    outermost(X, r & 1 ? Y : Y - 2, Z);
    powers();
    expect_bytes("box", box, want_box, sizeof box);
    middle(X - r % 3, Y, Z);
    expect_bytes("a", a, want, sizeof a);
    expect_bytes("change", change, want_change, sizeof change);
    expect_bytes("box", box, want_box, sizeof box);
    expect_bytes("even", even, want_even, sizeof even);
  }
  return check_done("blocks_lanes");
}

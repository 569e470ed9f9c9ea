/* Nine-point stencil (SHOC's stencil2d): weights for the cell, its four sides and its four diagonals.
 *   stencil2d [small|paper|large] [--width N] [--rows N] [--columns N] [--steps N] [--launches N] */
#include "problems/stencil2d.h"

static void step(int rows, int columns, const float (*in)[columns], float (*out)[columns]) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < columns - 1; x++) {
      float side = in[y - 1][x] + in[y + 1][x] + in[y][x - 1] + in[y][x + 1];
      float diagonal = in[y - 1][x - 1] + in[y - 1][x + 1] + in[y + 1][x - 1] + in[y + 1][x + 1];
      out[y][x] = STENCIL2D_CENTRE * in[y][x] + STENCIL2D_SIDE * side + STENCIL2D_DIAGONAL * diagonal;
    }
}

/* Leaves the last step in grid[0]. */
static void run(int rows, int columns, const float (*start)[columns], float (*const grid[2])[columns], int steps) {
  for (int i = 0; i < steps; i++)
    step(rows, columns, i == 0 ? start : (const float(*)[columns])grid[(steps - i) % 2], grid[(steps - i - 1) % 2]);
}

int main(int argc, char **argv) {
  struct bench b = bench_open("stencil2d", argc, argv);
  struct stencil2d p = stencil2d_open(&b);
  bench_ready(&b);
  int rows = p.rows, columns = p.columns;
  float(*start)[columns] = (float(*)[columns])p.start, (*out)[columns] = (float(*)[columns])p.out;
  float(*other)[columns] = (float(*)[columns])p.other, (*const grid[2])[columns] = {out, other};

#pragma omp target data map(to : start[0 : rows], other[0 : rows]) map(tofrom : out[0 : rows])
  while (bench_next(&b))
    run(rows, columns, (const float(*)[columns])start, grid, p.steps);

  return stencil2d_close(&p, &b);
}

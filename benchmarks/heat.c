/* Heat transfer: a five-point stencil with some cells held at a temperature; `steps` steps from the same start in each launch.
 *   heat [small|paper|large] [--width N] [--rows N] [--columns N] [--steps N] [--launches N] */
#include "common/bench.h"

#include <string.h>

#define SPEED 0.25f

/* heater[] is 0 where there is none, else its temperature. */
static void step(const float *in, const float *heater, float *out, int rows, int columns) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < columns - 1; x++) {
      int i = y * columns + x;
      if (heater[i] != 0)
        out[i] = heater[i];
      else
        out[i] = in[i] + SPEED * (in[i - columns] + in[i + columns] + in[i - 1] + in[i + 1] - 4 * in[i]);
    }
}

/* Leaves the last step in grid[0]. */
static void run(const float *start, const float *heater, float *const grid[2], int rows, int columns, int steps) {
  for (int i = 0; i < steps; i++)
    step(i == 0 ? start : grid[(steps - i) % 2], heater, grid[(steps - i - 1) % 2], rows, columns);
}

/* The host takes all steps, in double precision, for the corner of the grid that it can afford. */
static double check(const float *start, const float *heater, const float *got, int rows, int columns, int steps) {
  int checked_rows = rows < 256 ? rows : 256, checked_columns = columns < 256 ? columns : 256, width = checked_columns;
  double *from = bench_alloc((size_t)checked_rows * width, sizeof *from),
         *to = bench_alloc((size_t)checked_rows * width, sizeof *to);
  double worst = 0;
  for (int i = 0; i < checked_rows * width; i++)
    from[i] = start[(size_t)(i / width) * columns + i % width];
  for (int s = 0; s < steps; s++) {
    memset(to, 0, (size_t)checked_rows * width * sizeof *to);
    for (int y = 1; y < checked_rows - 1; y++)
      for (int x = 1; x < width - 1; x++) {
        int i = y * width + x;
        double hot = heater[(size_t)y * columns + x], around = from[i - width] + from[i + width] + from[i - 1] + from[i + 1];
        to[i] = hot != 0 ? hot : from[i] + SPEED * (around - 4 * from[i]);
      }
    double *kept = from;
    from = to;
    to = kept;
  }
  /* what the missing rest of the grid does to the corner moves in by a cell a step */
  int rows_right = checked_rows < rows ? checked_rows - steps : rows, columns_right = width < columns ? width - steps : columns;
  for (int y = 0; y < rows_right; y++)
    for (int x = 0; x < columns_right; x++)
      worst = bench_worse(worst, got[(size_t)y * columns + x], from[y * width + x], 100);
  return worst;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("heat", argc, argv);
  int width = (int)bench_size(&b, "width", 96, 4096, 8192);
  int rows = (int)bench_option(&b, "rows", width), columns = (int)bench_option(&b, "columns", width);
  int steps = (int)bench_size(&b, "steps", 3, 90, 90);
  bench_ready(&b);
  size_t cells = (size_t)rows * columns;
  float *start = bench_floats(cells, 1), *heater = bench_floats(cells, 2);
  float *out = bench_alloc(cells, sizeof *out), *other = bench_alloc(cells, sizeof *other);
  for (size_t i = 0; i < cells; i++) {
    size_t y = i / columns, x = i % columns;
    if (y == 0 || x == 0 || y + 1 == (size_t)rows || x + 1 == (size_t)columns)
      start[i] = 0; /* the border stays cold */
    heater[i] = heater[i] < 0.001f ? 100 * heater[i] * 1000 : 0;
  }
  float *const grid[2] = {out, other};

#pragma omp target data map(to : start[0 : cells], heater[0 : cells], other[0 : cells]) map(tofrom : out[0 : cells])
  while (bench_next(&b))
    run(start, heater, grid, rows, columns, steps);

  double error = check(start, heater, out, rows, columns, steps);
  return bench_close(&b, bench_checksum(out, cells * sizeof *out), error, 1e-5);
}

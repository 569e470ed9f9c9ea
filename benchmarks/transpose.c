/* Matrix transpose: reads along rows, writes along columns.
 *   transpose [small|paper|large] [--width N] [--rows N] [--columns N] [double] [--launches N] */
#include "problems/transpose.h"

static void transpose_floats(const float *in, float *out, int rows, int columns) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      out[(size_t)x * rows + y] = in[(size_t)y * columns + x];
}

static void transpose_doubles(const double *in, double *out, size_t rows, size_t columns) {
#pragma omp target teams distribute parallel for collapse(2)
  for (size_t y = 0; y < rows; y++)
    for (size_t x = 0; x < columns; x++)
      out[x * rows + y] = in[y * columns + x];
}

static void run_floats(struct bench *b, const struct transpose *p) {
  float *in = p->in, *out = p->out;
#pragma omp target data map(to : in[0 : p->cells]) map(from : out[0 : p->cells])
  while (bench_next(b))
    transpose_floats(in, out, p->rows, p->columns);
}

static void run_doubles(struct bench *b, const struct transpose *p) {
  double *in = p->in, *out = p->out;
#pragma omp target data map(to : in[0 : p->cells]) map(from : out[0 : p->cells])
  while (bench_next(b))
    transpose_doubles(in, out, p->rows, p->columns);
}

int main(int argc, char **argv) {
  struct bench b = bench_open("transpose", argc, argv);
  struct transpose p = transpose_open(&b);
  bench_ready(&b);
  if (p.cell_bytes == sizeof(double))
    run_doubles(&b, &p);
  else
    run_floats(&b, &p);
  return transpose_close(&p, &b);
}

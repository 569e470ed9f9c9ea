/* Sparse matrix (compressed rows) times vector, a thread a row; columns random, or near the diagonal with `banded`.
 *   spmv [small|paper|large] [--rows N] [--per-row N] [banded] [--launches N] */
#include "common/bench.h"

#include <math.h>
#include <stdlib.h>

static void multiply(const int *row_start, const int *column, const float *value, const float *x, float *y, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int k = row_start[i]; k < row_start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

static double check(const int *row_start, const int *column, const float *value, const float *x, const float *y, int rows) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(rows); s++) {
    size_t i = bench_sample(s, rows);
    double sum = 0, scale = 0;
    for (int k = row_start[i]; k < row_start[i + 1]; k++) {
      double term = (double)value[k] * x[column[k]];
      sum += term;
      scale += fabs(term);
    }
    worst = bench_worse(worst, y[i], sum, scale);
  }
  return worst;
}

static void make_columns(int *column, int rows, int per_row, int banded) {
  int band = rows < 4 * per_row ? rows : 4 * per_row;
  bench_fill_int(column, (size_t)rows * per_row, banded ? band : rows, 1);
  if (!banded)
    return;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < per_row; k++) {
      int c = i - band / 2 + column[(size_t)i * per_row + k];
      column[(size_t)i * per_row + k] = c < 0 ? 0 : c < rows ? c : rows - 1;
    }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("spmv", argc, argv);
  int rows = (int)bench_size(&b, "rows", 1 << 14, 1 << 20, 1 << 22);
  int per_row = (int)bench_option(&b, "per-row", 32);
  int banded = bench_flag(&b, "banded");
  bench_ready(&b);
  size_t entries = (size_t)rows * per_row;
  int *row_start = bench_alloc(rows + 1, sizeof *row_start), *column = bench_alloc(entries, sizeof *column);
  float *value = bench_alloc(entries, sizeof *value);
  float *x = bench_alloc(rows, sizeof *x), *y = bench_alloc(rows, sizeof *y);
  for (int i = 0; i <= rows; i++)
    row_start[i] = i * per_row;
  make_columns(column, rows, per_row, banded);
  bench_fill_float(value, entries, 2);
  bench_fill_float(x, rows, 3);

#pragma omp target data map(to : row_start[0 : rows + 1], column[0 : entries], value[0 : entries], x[0 : rows]) \
    map(from : y[0 : rows])
  while (bench_next(&b))
    multiply(row_start, column, value, x, y, rows);

  double error = check(row_start, column, value, x, y, rows);
  uint64_t checksum = bench_checksum(y, rows * sizeof *y);
  free(row_start);
  free(column);
  free(value);
  free(x);
  free(y);
  return bench_close(&b, checksum, error, 1e-5);
}

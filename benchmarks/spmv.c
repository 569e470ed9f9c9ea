/* Sparse matrix (compressed rows) times vector: a row a thread, or with `vector` 32 threads a row, whose sums a second kernel
 * adds.
 *   spmv [small|paper|large] [--rows N] [--per-row N] [random|banded|powerlaw] [scalar|vector] [--launches N] */
#include "problems/spmv.h"

enum { LANES = 32 };

static void multiply(const int *row_start, const int *column, const float *value, const float *x, float *y, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int k = row_start[i]; k < row_start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

/* part[i][lane]: the sum of each 32nd entry of row i */
static void multiply_lanes(const int *row_start, const int *column, const float *value, const float *x, float (*part)[LANES],
                           int rows) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < rows; i++)
    for (int lane = 0; lane < LANES; lane++) {
      float sum = 0;
      for (int k = row_start[i] + lane; k < row_start[i + 1]; k += LANES)
        sum += value[k] * x[column[k]];
      part[i][lane] = sum;
    }
}

static void add_lanes(const float (*part)[LANES], float *y, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int lane = 0; lane < LANES; lane++)
      sum += part[i][lane];
    y[i] = sum;
  }
}

int main(int argc, char **argv) {
  static const char *const words[] = {"scalar", "vector", NULL};
  struct bench b = bench_open("spmv", argc, argv);
  struct spmv p = spmv_open(&b);
  int vector = bench_choice(&b, words);
  bench_ready(&b);
  int rows = p.rows, entries = p.entries, *row_start = p.row_start, *column = p.column;
  float *value = p.value, *x = p.x, *y = p.y;
  size_t parts = vector ? rows : 1;
  float(*part)[LANES] = bench_alloc(parts, sizeof *part);

#pragma omp target data map(to : row_start[0 : rows + 1], column[0 : entries], value[0 : entries], x[0 : rows]) \
    map(from : y[0 : rows]) map(alloc : part[0 : parts])
  while (bench_next(&b)) {
    if (vector) {
      multiply_lanes(row_start, column, value, x, part, rows);
      add_lanes((const float(*)[LANES])part, y, rows);
    } else {
      multiply(row_start, column, value, x, y, rows);
    }
  }

  return spmv_close(&p, &b);
}

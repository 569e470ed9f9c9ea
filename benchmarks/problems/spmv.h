/* Sparse matrix (compressed rows) times vector: options, input and check of spmv.c and cuda/spmv.cu.
 *   [small|paper|large] [--rows N] [--per-row N] [random|banded|powerlaw]
 * Columns at random, or near the diagonal, or (powerlaw) few rows with very many entries and columns that are mostly low. */
#ifndef PLACE_PROBLEM_SPMV_H
#define PLACE_PROBLEM_SPMV_H

#include "../common/bench.h"

#include <math.h>

struct spmv {
  int rows, entries;
  int *row_start, *column; /* [rows + 1], [entries] */
  float *value, *x, *y;
};

/* Entry k of row i of a power law: a column in proportion to the square of an even draw. */
static inline int spmv_low_column(int draw, int rows) {
  double at = (double)draw / rows;
  return (int)(at * at * rows);
}

static inline void spmv_rows(struct spmv *p, int per_row, int powerlaw) {
  long at = 0;
  for (int i = 0; i < p->rows; i++) {
    double share = powerlaw ? 0.5 / sqrt((i * 7919L % p->rows + 1.0) / p->rows) : 1; /* 1 on average */
    p->row_start[i] = (int)at;
    at += (long)(share * per_row + 0.5);
  }
  p->row_start[p->rows] = p->entries = (int)at;
}

static inline void spmv_columns(struct spmv *p, int per_row, int banded, int powerlaw) {
  int band = p->rows < 4 * per_row ? p->rows : 4 * per_row;
  bench_fill_int(p->column, p->entries, banded ? band : p->rows, 1);
  for (int i = 0; i < p->rows; i++)
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
      int c = banded ? i - band / 2 + p->column[k] : powerlaw ? spmv_low_column(p->column[k], p->rows) : p->column[k];
      p->column[k] = c < 0 ? 0 : c < p->rows ? c : p->rows - 1;
    }
}

static inline struct spmv spmv_open(struct bench *b) {
  static const char *const words[] = {"random", "banded", "powerlaw", NULL};
  struct spmv p;
  p.rows = (int)bench_size(b, "rows", 1000, 1 << 20, 1 << 22);
  int per_row = (int)bench_option(b, "per-row", 32), pattern = bench_choice(b, words);
  p.row_start = (int *)bench_alloc(p.rows + 1, sizeof *p.row_start);
  spmv_rows(&p, per_row, pattern == 2);
  p.column = (int *)bench_alloc(p.entries, sizeof *p.column);
  spmv_columns(&p, per_row, pattern == 1, pattern == 2);
  p.value = bench_floats(p.entries, 2);
  p.x = bench_floats(p.rows, 3);
  p.y = (float *)bench_alloc(p.rows, sizeof *p.y);
  return p;
}

static inline int spmv_close(struct spmv *p, struct bench *b) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(p->rows); s++) {
    size_t i = bench_sample(s, p->rows);
    double sum = 0, scale = 0;
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
      double term = (double)p->value[k] * p->x[p->column[k]];
      sum += term;
      scale += fabs(term);
    }
    worst = bench_worse(worst, p->y[i], sum, scale);
  }
  return bench_close(b, bench_checksum(p->y, p->rows * sizeof *p->y), worst, 1e-5);
}

#endif

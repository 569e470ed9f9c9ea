/* Transpose of a matrix of floats, or of doubles: options, input and check of transpose.c and cuda/transpose.cu.
 *   [small|paper|large] [--width N] [--rows N] [--columns N] [double] */
#ifndef PLACE_PROBLEM_TRANSPOSE_H
#define PLACE_PROBLEM_TRANSPOSE_H

#include "../common/bench.h"

#include <string.h>

struct transpose {
  int rows, columns; /* of the input */
  size_t cells, cell_bytes;
  void *in, *out;
};

static inline struct transpose transpose_open(struct bench *b) {
  struct transpose p;
  int width = (int)bench_size(b, "width", 100, 4096, 16384);
  p.rows = (int)bench_option(b, "rows", width);
  p.columns = (int)bench_option(b, "columns", width);
  p.cells = (size_t)p.rows * p.columns;
  p.cell_bytes = bench_flag(b, "double") ? sizeof(double) : sizeof(float);
  p.in = p.cell_bytes == sizeof(double) ? (void *)bench_doubles(p.cells, 1) : (void *)bench_floats(p.cells, 1);
  p.out = bench_alloc(p.cells, p.cell_bytes);
  return p;
}

static inline int transpose_close(struct transpose *p, struct bench *b) {
  size_t wrong = 0;
  for (size_t s = 0; s < bench_samples(p->cells); s++) {
    size_t i = bench_sample(s, p->cells), to = i % p->columns * p->rows + i / p->columns;
    wrong += memcmp((char *)p->out + to * p->cell_bytes, (char *)p->in + i * p->cell_bytes, p->cell_bytes) != 0;
  }
  uint64_t checksum = bench_checksum(p->out, p->cells * p->cell_bytes);
  return bench_close(b, checksum, (double)wrong, 0);
}

#endif

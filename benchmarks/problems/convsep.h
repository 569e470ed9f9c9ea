/* Separable convolution of an image, along the rows and then along the columns; outside of the image there is nothing. Options,
 * input and check of convsep.c and cuda/convsep.cu.
 *   [small|paper|large] [--width N] [--rows N] [--columns N] [--radius R] */
#ifndef PLACE_PROBLEM_CONVSEP_H
#define PLACE_PROBLEM_CONVSEP_H

#include "../common/bench.h"

#include <math.h>

struct convsep {
  int rows, columns, radius, tap_count;
  size_t cells;
  float *in, *taps, *between, *out;
};

static inline struct convsep convsep_open(struct bench *b) {
  struct convsep p;
  int width = (int)bench_size(b, "width", 72, 3072, 8192);
  p.rows = (int)bench_option(b, "rows", width);
  p.columns = (int)bench_option(b, "columns", width);
  p.radius = (int)bench_option(b, "radius", 8);
  p.tap_count = 2 * p.radius + 1;
  p.cells = (size_t)p.rows * p.columns;
  p.in = bench_floats(p.cells, 1);
  p.taps = bench_floats(p.tap_count, 2);
  p.between = (float *)bench_alloc(p.cells, sizeof *p.between);
  p.out = (float *)bench_alloc(p.cells, sizeof *p.out);
  return p;
}

static inline int convsep_close(struct convsep *p, struct bench *b) {
  double worst = 0;
  int r = p->radius;
  for (size_t s = 0; s<bench_samples(p->cells); s += p->cells> 65536 ? 16 : 1) {
    size_t cell = bench_sample(s, p->cells);
    int y = (int)(cell / p->columns), x = (int)(cell % p->columns);
    double sum = 0, scale = 0;
    for (int j = -r; j <= r; j++)
      for (int i = -r; i <= r; i++) {
        if (y + j < 0 || y + j >= p->rows || x + i < 0 || x + i >= p->columns)
          continue;
        double term = (double)p->taps[r - j] * p->taps[r - i] * p->in[(size_t)(y + j) * p->columns + x + i];
        sum += term;
        scale += fabs(term);
      }
    worst = bench_worse(worst, p->out[cell], sum, scale);
  }
  return bench_close(b, bench_checksum(p->out, p->cells * sizeof *p->out), worst, 1e-5);
}

#endif

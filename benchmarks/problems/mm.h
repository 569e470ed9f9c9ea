/* C (m x n) = A (m x k) times B (k x n), all row by row: options, input and check of mm.c and cuda/mm.cu.
 *   [small|paper|large] [--width N] [--m N] [--n N] [--k N] */
#ifndef PLACE_PROBLEM_MM_H
#define PLACE_PROBLEM_MM_H

#include "../common/bench.h"

#include <math.h>

struct mm {
  int m, n, k;
  float *a, *b, *c;
};

static inline struct mm mm_open(struct bench *b) {
  struct mm p;
  int width = (int)bench_size(b, "width", 80, 2048, 4096);
  p.m = (int)bench_option(b, "m", width);
  p.n = (int)bench_option(b, "n", width);
  p.k = (int)bench_option(b, "k", width);
  p.a = bench_floats((size_t)p.m * p.k, 1);
  p.b = bench_floats((size_t)p.k * p.n, 2);
  p.c = (float *)bench_alloc((size_t)p.m * p.n, sizeof *p.c);
  return p;
}

static inline double mm_error(const struct mm *p) {
  double worst = 0;
  size_t cells = (size_t)p->m * p->n, step = p->k > 512 ? 64 : 1;
  for (size_t s = 0; s < bench_samples(cells); s += step) {
    size_t i = bench_sample(s, cells), y = i / p->n, x = i % p->n;
    double sum = 0, scale = 0;
    for (int k = 0; k < p->k; k++) {
      double term = (double)p->a[y * p->k + k] * p->b[(size_t)k * p->n + x];
      sum += term;
      scale += fabs(term);
    }
    worst = bench_worse(worst, p->c[i], sum, scale);
  }
  return worst;
}

static inline int mm_close(struct mm *p, struct bench *b) {
  double error = mm_error(p);
  uint64_t checksum = bench_checksum(p->c, (size_t)p->m * p->n * sizeof *p->c);
  return bench_close(b, checksum, error, 1e-4);
}

#endif

/* Squared Euclidean distance of each of m points to each of n points with d coordinates, all row by row: options, input and
 * check of pairwise.c and cuda/pairwise.cu.
 *   [small|paper|large] [--width N] [--m N] [--n N] [--features D] */
#ifndef PLACE_PROBLEM_PAIRWISE_H
#define PLACE_PROBLEM_PAIRWISE_H

#include "../common/bench.h"


struct pairwise {
  int m, n, features;
  float *left, *right, *distance; /* m x d, n x d, m x n */
};

static inline struct pairwise pairwise_open(struct bench *b) {
  struct pairwise p;
  int width = (int)bench_size(b, "width", 70, 4096, 16384);
  p.m = (int)bench_option(b, "m", width);
  p.n = (int)bench_option(b, "n", width);
  p.features = (int)bench_option(b, "features", 64);
  p.left = bench_floats((size_t)p.m * p.features, 1);
  p.right = bench_floats((size_t)p.n * p.features, 2);
  p.distance = (float *)bench_alloc((size_t)p.m * p.n, sizeof *p.distance);
  return p;
}

static inline double pairwise_error(const struct pairwise *p) {
  double worst = 0;
  size_t cells = (size_t)p->m * p->n;
  for (size_t s = 0; s < bench_samples(cells); s++) {
    size_t at = bench_sample(s, cells), i = at / p->n, j = at % p->n;
    double sum = 0;
    for (int f = 0; f < p->features; f++) {
      double d = (double)p->left[i * p->features + f] - p->right[j * p->features + f];
      sum += d * d;
    }
    worst = bench_worse(worst, p->distance[at], sum, sum);
  }
  return worst;
}

static inline int pairwise_close(struct pairwise *p, struct bench *b) {
  double error = pairwise_error(p);
  uint64_t checksum = bench_checksum(p->distance, (size_t)p->m * p->n * sizeof *p->distance);
  return bench_close(b, checksum, error, 1e-5);
}

#endif

/* Resampling of a particle filter: for each query the first entry of a cumulative distribution that reaches it, whose position
 * is taken over. Options, input and check of particlefilter.c and cuda/particlefilter.cu.
 *   [small|paper|large] [--particles N] [--queries N] */
#ifndef PLACE_PROBLEM_PARTICLEFILTER_H
#define PLACE_PROBLEM_PARTICLEFILTER_H

#include "../common/bench.h"

struct particlefilter {
  int particles, queries;
  double *cdf, *x, *y;       /* [particles] */
  double *u, *new_x, *new_y; /* [queries] */
};

/* Weights made into a distribution, and Rodinia's queries: evenly spaced numbers after a first one. */
static inline struct particlefilter particlefilter_open(struct bench *b) {
  struct particlefilter p;
  double sum = 0;
  p.particles = (int)bench_size(b, "particles", 500, 8192, 32768);
  p.queries = (int)bench_option(b, "queries", p.particles);
  p.cdf = bench_doubles(p.particles, 1);
  p.x = bench_doubles(p.particles, 2);
  p.y = bench_doubles(p.particles, 3);
  p.u = (double *)bench_alloc(p.queries, sizeof *p.u);
  p.new_x = (double *)bench_alloc(2 * (size_t)p.queries, sizeof *p.new_x);
  p.new_y = p.new_x + p.queries;
  for (int i = 0; i < p.particles; i++)
    p.cdf[i] = sum += p.cdf[i] * p.cdf[i] + 1e-3;
  for (int i = 0; i < p.particles; i++)
    p.cdf[i] /= sum;
  for (int i = 0; i < p.queries; i++)
    p.u[i] = (i + 0.37) / p.queries;
  return p;
}

/* The host bisects. */
static inline int particlefilter_close(struct particlefilter *p, struct bench *b) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(p->queries); s++) {
    size_t i = bench_sample(s, p->queries);
    int low = 0, high = p->particles - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (p->cdf[middle] >= p->u[i])
        high = middle;
      else
        low = middle + 1;
    }
    worst = bench_worse(worst, p->new_x[i], p->x[low], 1);
    worst = bench_worse(worst, p->new_y[i], p->y[low], 1);
  }
  return bench_close(b, bench_checksum(p->new_x, 2 * (size_t)p->queries * sizeof *p->new_x), worst, 0);
}

#endif

/* Gravitational acceleration of each of n bodies by all: options, input and check of nbody.c and cuda/nbody.cu.
 *   [small|paper|large] [--n N] */
#ifndef PLACE_PROBLEM_NBODY_H
#define PLACE_PROBLEM_NBODY_H

#include "../common/bench.h"

#include <math.h>

struct nbody {
  size_t n;
  float softening; /* added to every squared distance */
  float *x, *y, *z, *mass, *ax, *ay, *az;
};

static inline struct nbody nbody_open(struct bench *b) {
  struct nbody p;
  p.n = (size_t)bench_size(b, "n", 260, 65536, 262144);
  p.softening = 1e-3f;
  p.x = bench_floats(p.n, 1);
  p.y = bench_floats(p.n, 2);
  p.z = bench_floats(p.n, 3);
  p.mass = bench_floats(p.n, 4);
  p.ax = (float *)bench_alloc(p.n, sizeof *p.ax);
  p.ay = (float *)bench_alloc(p.n, sizeof *p.ay);
  p.az = (float *)bench_alloc(p.n, sizeof *p.az);
  return p;
}

static inline double nbody_error(const struct nbody *p) {
  double worst = 0;
  size_t step = p->n > 4096 ? 97 : 1;
  for (size_t s = 0; s < bench_samples(p->n); s += step) {
    size_t i = bench_sample(s, p->n);
    double sum[3] = {0}, scale[3] = {0};
    for (size_t j = 0; j < p->n; j++) {
      double d[3] = {(double)p->x[j] - p->x[i], (double)p->y[j] - p->y[i], (double)p->z[j] - p->z[i]};
      double inverse = 1 / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + p->softening);
      for (int c = 0; c < 3; c++) {
        double term = d[c] * p->mass[j] * inverse * inverse * inverse;
        sum[c] += term;
        scale[c] += fabs(term);
      }
    }
    worst = bench_worse(worst, p->ax[i], sum[0], scale[0]);
    worst = bench_worse(worst, p->ay[i], sum[1], scale[1]);
    worst = bench_worse(worst, p->az[i], sum[2], scale[2]);
  }
  return worst;
}

static inline int nbody_close(struct nbody *p, struct bench *b) {
  double error = nbody_error(p);
  size_t bytes = p->n * sizeof(float);
  uint64_t checksum = bench_checksum_on(bench_checksum_on(bench_checksum(p->ax, bytes), p->ay, bytes), p->az, bytes);
  return bench_close(b, checksum, error, 1e-4);
}

#endif

/* A filter of radius 1 over the inner cells of a three-dimensional grid: options, input and check of box3d.c, star3d.c and
 * their CUDA counterparts. Border cells keep what they held.
 *   [small|paper|large] [--width N] [--nx N] [--ny N] [--nz N]
 * Box: 27 weights, plane by plane. Star: weight[0] of the cell, weight[1] of its six neighbours. */
#ifndef PLACE_PROBLEM_VOLUME_H
#define PLACE_PROBLEM_VOLUME_H

#include "../common/bench.h"

#include <math.h>
#include <stdlib.h>

struct volume {
  int nx, ny, nz, weights;
  size_t cells;
  float *in, *weight, *out;
};

static inline struct volume volume_open(struct bench *b, int is_box) {
  struct volume p;
  int width = (int)bench_size(b, "width", 18, 256, 512);
  p.nx = (int)bench_option(b, "nx", width);
  p.ny = (int)bench_option(b, "ny", width);
  p.nz = (int)bench_option(b, "nz", width);
  p.weights = is_box ? 27 : 2;
  p.cells = (size_t)p.nx * p.ny * p.nz;
  p.in = bench_floats(p.cells, 1);
  p.weight = bench_floats(p.weights, 2);
  p.out = (float *)bench_alloc(p.cells, sizeof *p.out);
  return p;
}

static inline void volume_add(const struct volume *p, size_t i, int is_box, double *sum, double *scale) {
  for (int z = -1; z <= 1; z++)
    for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
        int distance = abs(z) + abs(y) + abs(x);
        if (!is_box && distance > 1)
          continue;
        double weight = p->weight[is_box ? (z + 1) * 9 + (y + 1) * 3 + x + 1 : distance];
        double term = weight * p->in[i + ((ptrdiff_t)z * p->ny + y) * p->nx + x];
        *sum += term;
        *scale += fabs(term);
      }
}

/* Also checks that border cells are still zero. */
static inline double volume_error(const struct volume *p, int is_box) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(p->cells); s++) {
    size_t i = bench_sample(s, p->cells);
    int x = (int)(i % p->nx), y = (int)(i / p->nx % p->ny), z = (int)(i / p->nx / p->ny);
    double sum = 0, scale = 0;
    if (x > 0 && y > 0 && z > 0 && x < p->nx - 1 && y < p->ny - 1 && z < p->nz - 1)
      volume_add(p, i, is_box, &sum, &scale);
    worst = bench_worse(worst, p->out[i], sum, scale);
  }
  return worst;
}

static inline int volume_close(struct volume *p, struct bench *b, int is_box) {
  double error = volume_error(p, is_box);
  uint64_t checksum = bench_checksum(p->out, p->cells * sizeof *p->out);
  return bench_close(b, checksum, error, 1e-5);
}

#endif

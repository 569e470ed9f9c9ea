/* The matrix Q of a magnetic resonance reconstruction: for each voxel the sum over samples k of magnitude(k) exp(2 pi i k . x).
 * Options, input and check of mri_q.c and cuda/mri_q.cu.
 *   [small|paper|large] [--voxels N] [--samples N] */
#ifndef PLACE_PROBLEM_MRI_Q_H
#define PLACE_PROBLEM_MRI_Q_H

#include "../common/bench.h"

#include <math.h>

#define MRI_Q_TURN 6.2831853f

struct mri_q {
  int voxels, samples;
  float *x, *y, *z;                /* [voxels] */
  float *kx, *ky, *kz, *magnitude; /* [samples] */
  float *re, *im;                  /* [voxels] */
};

static inline struct mri_q mri_q_open(struct bench *b) {
  struct mri_q p;
  p.voxels = (int)bench_size(b, "voxels", 700, 1 << 18, 1 << 21);
  p.samples = (int)bench_size(b, "samples", 50, 2048, 2048);
  p.x = bench_floats(p.voxels, 1);
  p.y = bench_floats(p.voxels, 2);
  p.z = bench_floats(p.voxels, 3);
  p.kx = bench_floats(p.samples, 4);
  p.ky = bench_floats(p.samples, 5);
  p.kz = bench_floats(p.samples, 6);
  p.magnitude = bench_floats(p.samples, 7);
  p.re = (float *)bench_alloc(p.voxels, sizeof *p.re);
  p.im = (float *)bench_alloc(p.voxels, sizeof *p.im);
  return p;
}

static inline int mri_q_close(struct mri_q *p, struct bench *b) {
  double worst = 0;
  for (size_t s = 0; s<bench_samples(p->voxels); s += p->voxels> 4096 ? 29 : 1) {
    size_t i = bench_sample(s, p->voxels);
    double re = 0, im = 0, scale = 0;
    for (int k = 0; k < p->samples; k++) {
      double dot = (double)p->kx[k] * p->x[i] + (double)p->ky[k] * p->y[i] + (double)p->kz[k] * p->z[i];
      re += p->magnitude[k] * cos((double)MRI_Q_TURN * dot);
      im += p->magnitude[k] * sin((double)MRI_Q_TURN * dot);
      scale += p->magnitude[k];
    }
    worst = bench_worse(worst, p->re[i], re, scale);
    worst = bench_worse(worst, p->im[i], im, scale);
  }
  size_t bytes = p->voxels * sizeof(float);
  return bench_close(b, bench_checksum_on(bench_checksum(p->re, bytes), p->im, bytes), worst, 1e-5);
}

#endif

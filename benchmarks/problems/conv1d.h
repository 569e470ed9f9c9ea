/* One-dimensional convolution without the ends: out[i] = sum over j of signal[i + j] * taps[j]. Options, input and check of
 * conv1d.c and cuda/conv1d.cu.
 *   [small|paper|large] [--n N] [--taps N] */
#ifndef PLACE_PROBLEM_CONV1D_H
#define PLACE_PROBLEM_CONV1D_H

#include "../common/bench.h"

#include <math.h>

struct conv1d {
  int n, tap_count, outputs; /* outputs = n - tap_count */
  float *signal, *taps, *out;
};

static inline struct conv1d conv1d_open(struct bench *b) {
  struct conv1d p;
  p.n = (int)bench_size(b, "n", 4000, 1 << 24, 1 << 26);
  p.tap_count = (int)bench_option(b, "taps", 64);
  p.outputs = p.n > p.tap_count ? p.n - p.tap_count : 0;
  p.signal = bench_floats(p.n, 1);
  p.taps = bench_floats(p.tap_count, 2);
  p.out = (float *)bench_alloc(p.outputs, sizeof *p.out);
  return p;
}

static inline double conv1d_error(const struct conv1d *p) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(p->outputs); s++) {
    size_t i = bench_sample(s, p->outputs);
    double sum = 0, scale = 0;
    for (int j = 0; j < p->tap_count; j++) {
      double term = (double)p->signal[i + j] * p->taps[j];
      sum += term;
      scale += fabs(term);
    }
    worst = bench_worse(worst, p->out[i], sum, scale);
  }
  return worst;
}

static inline int conv1d_close(struct conv1d *p, struct bench *b) {
  double error = conv1d_error(p);
  uint64_t checksum = bench_checksum(p->out, p->outputs * sizeof *p->out);
  return bench_close(b, checksum, error, 1e-5);
}

#endif

/* One-dimensional convolution: every thread reads the same tap at the same time, and a window of the signal.
 *   conv1d [small|paper|large] [--n N] [--taps 64|256|...] [--launches N] */
#include "problems/conv1d.h"

static void convolve(const float *signal, const float *taps, float *out, int outputs, int tap_count) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < outputs; i++) {
    float sum = 0;
    for (int j = 0; j < tap_count; j++)
      sum += signal[i + j] * taps[j];
    out[i] = sum;
  }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("conv1d", argc, argv);
  struct conv1d p = conv1d_open(&b);
  bench_ready(&b);
  float *signal = p.signal, *taps = p.taps, *out = p.out;

#pragma omp target data map(to : signal[0 : p.n], taps[0 : p.tap_count]) map(from : out[0 : p.outputs])
  while (bench_next(&b))
    convolve(signal, taps, out, p.outputs, p.tap_count);

  return conv1d_close(&p, &b);
}

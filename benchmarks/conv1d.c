/* One-dimensional convolution: every thread reads the same tap at the same time, and a window of the signal.
 *   conv1d [small|paper|large] [--n N] [--taps 64|256|...] [--launches N] */
#include "common/bench.h"

#include <math.h>
#include <stdlib.h>

static void convolve(const float *signal, const float *taps, float *out, int outputs, int tap_count) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < outputs; i++) {
    float sum = 0;
    for (int j = 0; j < tap_count; j++)
      sum += signal[i + j] * taps[j];
    out[i] = sum;
  }
}

static double check(const float *signal, const float *taps, const float *out, int outputs, int tap_count) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(outputs); s++) {
    size_t i = bench_sample(s, outputs);
    double sum = 0, scale = 0;
    for (int j = 0; j < tap_count; j++) {
      double term = (double)signal[i + j] * taps[j];
      sum += term;
      scale += fabs(term);
    }
    worst = bench_worse(worst, out[i], sum, scale);
  }
  return worst;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("conv1d", argc, argv);
  int n = (int)bench_size(&b, "n", 1 << 13, 1 << 24, 1 << 26);
  int tap_count = (int)bench_option(&b, "taps", 64);
  bench_ready(&b);
  int outputs = n > tap_count ? n - tap_count : 0;
  float *signal = bench_alloc(n, sizeof *signal), *taps = bench_alloc(tap_count, sizeof *taps);
  float *out = bench_alloc(outputs, sizeof *out);
  bench_fill_float(signal, n, 1);
  bench_fill_float(taps, tap_count, 2);

#pragma omp target data map(to : signal[0 : n], taps[0 : tap_count]) map(from : out[0 : outputs])
  while (bench_next(&b))
    convolve(signal, taps, out, outputs, tap_count);

  double error = check(signal, taps, out, outputs, tap_count);
  uint64_t checksum = bench_checksum(out, outputs * sizeof *out);
  free(signal);
  free(taps);
  free(out);
  return bench_close(&b, checksum, error, 1e-5);
}

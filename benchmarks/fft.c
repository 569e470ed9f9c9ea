/* Complex Fourier transforms of many signals of a power of two of points: Stockham's form, radix 2, a kernel for each stage, a
 * thread a butterfly, twiddle factors from a table.
 *   fft [small|paper|large] [--signals N] [--points N] [--launches N] */
#include "common/bench.h"

#include <math.h>
#include <stdio.h>

struct complex_float {
  float re, im;
};

/* One stage: in a signal, block k of `half` butterflies reads points k half .. and half the signal on, and writes the
 * interleaved blocks. The twiddle factor of block k is exp(-2 pi i k half / points). */
static void stage(const struct complex_float *in, const struct complex_float *twiddle, struct complex_float *out, int signals,
                  int points, int half) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int s = 0; s < signals; s++)
    for (int t = 0; t < points / 2; t++) {
      int k = t / half, j = t % half, from = s * points + t, to = s * points + 2 * k * half + j;
      struct complex_float a = in[from], b = in[from + points / 2], w = twiddle[k * half], d = {a.re - b.re, a.im - b.im};
      out[to].re = a.re + b.re;
      out[to].im = a.im + b.im;
      out[to + half].re = d.re * w.re - d.im * w.im;
      out[to + half].im = d.re * w.im + d.im * w.re;
    }
}

/* Leaves the transforms in buffer[0]; buffer[1] is used in between. */
static void transform(const struct complex_float *in, const struct complex_float *twiddle,
                      struct complex_float *const buffer[2], int signals, int points, int stages) {
  for (int i = 0; i < stages; i++)
    stage(i == 0 ? in : buffer[(stages - i) % 2], twiddle, buffer[(stages - i - 1) % 2], signals, points, 1 << i);
}

/* A few frequencies of a few signals, from the definition. */
static double check(const struct complex_float *in, const struct complex_float *out, int signals, int points) {
  const double turn = 6.283185307179586;
  double worst = 0;
  for (int i = 0; i < 64; i++) {
    const struct complex_float *signal = in + (size_t)(i * 37 % signals) * points;
    int frequency = i * 29 % points;
    struct complex_float got = out[(size_t)(i * 37 % signals) * points + frequency];
    double re = 0, im = 0, scale = 0;
    for (int t = 0; t < points; t++) {
      double angle = -turn * (double)((long)frequency * t % points) / points;
      re += signal[t].re * cos(angle) - signal[t].im * sin(angle);
      im += signal[t].re * sin(angle) + signal[t].im * cos(angle);
      scale += fabs(signal[t].re) + fabs(signal[t].im);
    }
    worst = bench_worse(worst, got.re, re, scale);
    worst = bench_worse(worst, got.im, im, scale);
  }
  return worst;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("fft", argc, argv);
  int signals = (int)bench_size(&b, "signals", 9, 1 << 14, 1 << 17), points = (int)bench_option(&b, "points", 512), stages = 0;
  bench_ready(&b);
  while (1 << stages < points)
    stages++;
  if (1 << stages != points || points < 2) {
    fprintf(stderr, "fft: --points must be a power of two, and not 1\n");
    return 2;
  }
  size_t count = (size_t)signals * points;
  struct complex_float *in = bench_alloc(count, sizeof *in), *twiddle = bench_alloc(points / 2, sizeof *twiddle);
  struct complex_float *out = bench_alloc(count, sizeof *out), *other = bench_alloc(count, sizeof *other);
  bench_fill_float(&in->re, 2 * count, 1);
  for (int k = 0; k < points / 2; k++)
    twiddle[k] =
        (struct complex_float){(float)cos(6.283185307179586 * k / points), (float)-sin(6.283185307179586 * k / points)};
  struct complex_float *const buffer[2] = {out, other};

#pragma omp target data map(to : in[0 : count], twiddle[0 : points / 2]) map(from : out[0 : count]) \
    map(alloc : other[0 : count])
  while (bench_next(&b))
    transform(in, twiddle, buffer, signals, points, stages);

  return bench_close(&b, bench_checksum(out, count * sizeof *out), check(in, out, signals, points), 1e-6);
}

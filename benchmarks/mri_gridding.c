/* Samples of a magnetic resonance image put onto a regular grid (Parboil's mri-gridding): every cell gathers the samples near
 * it, which are sorted into bins of one cell, weighted by a table of the Kaiser-Bessel window.
 *   mri_gridding [small|paper|large] [--side CELLS] [--samples N] [--launches N] */
#include "common/bench.h"

#include <math.h>

enum { TABLE = 512 };

#define REACH_SQUARED 1.0f /* a sample counts for cells up to one away */

struct samples {
  const float *x, *y, *z, *re, *im, *density;
};

struct cell {
  float re, im;
};

static inline struct cell gather(int x, int y, int z, int side, const int *bin_start, struct samples s, const float *window) {
  struct cell sum = {0, 0};
  for (int bz = z > 0 ? z - 1 : 0; bz <= z && bz < side; bz++)
    for (int by = y > 0 ? y - 1 : 0; by <= y && by < side; by++)
      for (int bx = x > 0 ? x - 1 : 0; bx <= x && bx < side; bx++) {
        int bin = (bz * side + by) * side + bx;
        for (int k = bin_start[bin]; k < bin_start[bin + 1]; k++) {
          float dx = s.x[k] - x, dy = s.y[k] - y, dz = s.z[k] - z, squared = dx * dx + dy * dy + dz * dz;
          if (squared < REACH_SQUARED) {
            float weight = window[(int)(squared * (TABLE / REACH_SQUARED))] * s.density[k];
            sum.re += weight * s.re[k];
            sum.im += weight * s.im[k];
          }
        }
      }
  return sum;
}

static void grid(int side, const int *bin_start, const float *sx, const float *sy, const float *sz, const float *sre,
                 const float *sim, const float *density, const float *window, float *re, float *im) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 0; z < side; z++)
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++) {
        struct samples s = {sx, sy, sz, sre, sim, density};
        struct cell sum = gather(x, y, z, side, bin_start, s, window);
        re[(z * side + y) * side + x] = sum.re;
        im[(z * side + y) * side + x] = sum.im;
      }
}

/* The window's table: exp-like, falling from 1 to 0 at the reach (Bessel function of order 0 by its series). */
static void make_window(float *window) {
  const double beta = 6;
  for (int i = 0; i <= TABLE; i++) {
    double at = beta * sqrt(1 - (double)i / TABLE) / 2, term = 1, sum = 1, top = 1, top_term = 1;
    for (int k = 1; k < 30; k++) {
      sum += term *= at * at / k / k;
      top += top_term *= beta * beta / 4 / k / k;
    }
    window[i] = (float)(sum / top);
  }
}

/* Sorts samples in [0, side)^3 into their bins. */
static void sort_into_bins(int side, int count, float *const at[3], int *bin_start) {
  int bins = side * side * side;
  int *next = bench_alloc(bins + 1, sizeof *next);
  float *sorted[3];
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < count; k++) {
      int bin = ((int)at[2][k] * side + (int)at[1][k]) * side + (int)at[0][k];
      if (pass == 0)
        bin_start[bin + 1]++;
      for (int c = 0; c < 3 && pass == 1; c++)
        sorted[c][next[bin]] = at[c][k];
      next[bin] += pass;
    }
    for (int i = 0; i < bins && pass == 0; i++) {
      bin_start[i + 1] += bin_start[i];
      next[i + 1] = bin_start[i + 1];
    }
    for (int c = 0; c < 3; c++) {
      if (pass == 0)
        sorted[c] = bench_alloc(count, sizeof *sorted[c]);
      for (int k = 0; k < count && pass == 1; k++)
        at[c][k] = sorted[c][k];
    }
  }
}

/* The host scatters all samples, in double precision. A sample whose distance falls on the edge of a table entry may take the
 * next one. */
static double check(int side, int count, struct samples s, const float *window, const float *re, const float *im) {
  size_t cells = (size_t)side * side * side;
  double *expected = bench_alloc(2 * cells, sizeof *expected), worst = 0;
  for (int k = 0; k < count; k++)
    for (int corner = 0; corner < 8; corner++) {
      int x = (int)s.x[k] + (corner & 1), y = (int)s.y[k] + (corner >> 1 & 1), z = (int)s.z[k] + (corner >> 2);
      double dx = s.x[k] - (double)x, dy = s.y[k] - (double)y, dz = s.z[k] - (double)z, squared = dx * dx + dy * dy + dz * dz;
      if (x >= side || y >= side || z >= side || squared >= REACH_SQUARED)
        continue;
      double weight = (double)window[(int)(squared * (TABLE / REACH_SQUARED))] * s.density[k];
      expected[2 * (((size_t)z * side + y) * side + x)] += weight * s.re[k];
      expected[2 * (((size_t)z * side + y) * side + x) + 1] += weight * s.im[k];
    }
  for (size_t i = 0; i < cells; i++) {
    worst = bench_worse(worst, re[i], expected[2 * i], 1 + expected[2 * i]);
    worst = bench_worse(worst, im[i], expected[2 * i + 1], 1 + expected[2 * i + 1]);
  }
  return worst;
}

/* From (-0.5, 0.5) to [0, 1): twice as dense in the middle, as an image's spectrum is denser there. */
static float position(float draw) { return 0.4995f + 0.999f * (0.5f * draw + 2 * draw * draw * draw); }

int main(int argc, char **argv) {
  struct bench b = bench_open("mri_gridding", argc, argv);
  int side = (int)bench_size(&b, "side", 11, 128, 256), count = (int)bench_size(&b, "samples", 3000, 1 << 22, 1 << 25);
  bench_ready(&b);
  int cells = side * side * side, *bin_start = bench_alloc(cells + 1, sizeof *bin_start);
  float *x = bench_floats(count, 1), *y = bench_floats(count, 2), *z = bench_floats(count, 3), *sre = bench_floats(count, 4);
  float *sim = bench_floats(count, 5), *density = bench_floats(count, 6), *window = bench_alloc(TABLE + 1, sizeof *window);
  float *re = bench_alloc(cells, sizeof *re), *im = bench_alloc(cells, sizeof *im), *const at[3] = {x, y, z};
  for (int i = 0; i < 3 * count; i++)
    at[i / count][i % count] = position(at[i / count][i % count] - 0.5f) * side;
  sort_into_bins(side, count, at, bin_start);
  make_window(window);

#pragma omp target data map(to : bin_start[0 : cells + 1], x[0 : count], y[0 : count], z[0 : count], sre[0 : count]) \
    map(to : sim[0 : count], density[0 : count], window[0 : TABLE + 1]) map(from : re[0 : cells], im[0 : cells])
  while (bench_next(&b))
    grid(side, bin_start, x, y, z, sre, sim, density, window, re, im);

  struct samples s = {x, y, z, sre, sim, density};
  uint64_t checksum = bench_checksum_on(bench_checksum(re, cells * sizeof *re), im, cells * sizeof *im);
  return bench_close(&b, checksum, check(side, count, s, window, re, im), 0.01);
}

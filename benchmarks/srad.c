/* Speckle-reducing anisotropic diffusion, one iteration (Rodinia's srad): the image and its squares prepared, their sums, the
 * diffusion coefficient of every pixel from its four neighbours, and the image updated. Pixels are multiples of 1/256, so that
 * sums are the same in every order of additions.
 *   srad [small|paper|large] [--rows N] [--columns N] [--launches N] */
#include "common/bench.h"

#include <math.h>

#define LAMBDA 0.5f

static void prepare(const float *image, float *sums, float *squares, int pixels) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < pixels; i++) {
    sums[i] = image[i];
    squares[i] = image[i] * image[i];
  }
}

/* The image's squared coefficient of variation */
static float reduce(const float *sums, const float *squares, int pixels) {
  double sum = 0, square = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum, square)
  for (int i = 0; i < pixels; i++) {
    sum += sums[i];
    square += squares[i];
  }
  double mean = sum / pixels;
  return (float)((square / pixels - mean * mean) / (mean * mean));
}

/* north[], south[] are the rows above and below (the row itself at an edge), west[], east[] the columns. */
static inline float coefficient(float at, float to_north, float to_south, float to_west, float to_east, float variation) {
  float gradient = (to_north * to_north + to_south * to_south + to_west * to_west + to_east * to_east) / (at * at);
  float laplace = (to_north + to_south + to_west + to_east) / at, half = 1 + 0.25f * laplace;
  float q = (0.5f * gradient - 0.0625f * laplace * laplace) / (half * half);
  float c = 1 / (1 + (q - variation) / (variation * (1 + variation)));
  return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void diffuse(const float *image, const int *north, const int *south, const int *west, const int *east, float *to_north,
                    float *to_south, float *to_west, float *to_east, float *c, int rows, int columns, float variation) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      int i = y * columns + x;
      float at = image[i], n = image[north[y] * columns + x] - at, s = image[south[y] * columns + x] - at;
      float w = image[y * columns + west[x]] - at, e = image[y * columns + east[x]] - at;
      to_north[i] = n;
      to_south[i] = s;
      to_west[i] = w;
      to_east[i] = e;
      c[i] = coefficient(at, n, s, w, e, variation);
    }
}

static void update(const float *image, const int *south, const int *east, const float *to_north, const float *to_south,
                   const float *to_west, const float *to_east, const float *c, float *out, int rows, int columns) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      int i = y * columns + x;
      float here = c[i], below = c[south[y] * columns + x], beside = c[y * columns + east[x]];
      float divergence = here * to_north[i] + below * to_south[i] + here * to_west[i] + beside * to_east[i];
      out[i] = image[i] + 0.25f * LAMBDA * divergence;
    }
}

/* A pixel's coefficient in double precision. */
static double coefficient_at(const float *image, int y, int x, int rows, int columns, double variation) {
  double at = image[y * columns + x], n = image[(y > 0 ? y - 1 : 0) * columns + x] - at;
  double s = image[(y < rows - 1 ? y + 1 : y) * columns + x] - at, w = image[y * columns + (x > 0 ? x - 1 : 0)] - at;
  double e = image[y * columns + (x < columns - 1 ? x + 1 : x)] - at;
  double gradient = (n * n + s * s + w * w + e * e) / (at * at), laplace = (n + s + w + e) / at, half = 1 + 0.25 * laplace;
  double q = (0.5 * gradient - 0.0625 * laplace * laplace) / (half * half);
  return fmin(fmax(1 / (1 + (q - variation) / (variation * (1 + variation))), 0), 1);
}

static double check(const float *image, const float *out, int rows, int columns) {
  double worst = 0, sum = 0, square = 0, pixels = (double)rows * columns;
  for (size_t i = 0; i < (size_t)rows * columns; i++) {
    sum += image[i];
    square += (double)image[i] * image[i];
  }
  double mean = sum / pixels, variation = (square / pixels - mean * mean) / (mean * mean);
  for (size_t s = 0; s < bench_samples((size_t)rows * columns); s++) {
    size_t i = bench_sample(s, (size_t)rows * columns);
    int y = (int)(i / columns), x = (int)(i % columns), south = y < rows - 1 ? y + 1 : y, east = x < columns - 1 ? x + 1 : x;
    double here = coefficient_at(image, y, x, rows, columns, variation), at = image[i];
    double below = coefficient_at(image, south, x, rows, columns, variation);
    double beside = coefficient_at(image, y, east, rows, columns, variation);
    double divergence = here * (image[(y > 0 ? y - 1 : 0) * columns + x] - at) + below * (image[south * columns + x] - at) +
                        here * (image[y * columns + (x > 0 ? x - 1 : 0)] - at) + beside * (image[y * columns + east] - at);
    worst = bench_worse(worst, out[i], at + 0.25 * LAMBDA * divergence, 1);
  }
  return worst;
}

/* The index before (direction -1) or behind (1) each of `count`, itself at the end. */
static int *make_beside(int count, int direction) {
  int *out = bench_alloc(count, sizeof *out);
  for (int i = 0; i < count; i++)
    out[i] = i + direction < 0 || i + direction >= count ? i : i + direction;
  return out;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("srad", argc, argv);
  int rows = (int)bench_size(&b, "rows", 61, 2048, 8192), columns = (int)bench_size(&b, "columns", 47, 2048, 8192);
  bench_ready(&b);
  int pixels = rows * columns, *byte = bench_ints(pixels, 255, 1);
  int *north = make_beside(rows, -1), *south = make_beside(rows, 1), *west = make_beside(columns, -1),
      *east = make_beside(columns, 1);
  float *image = bench_alloc(pixels, sizeof *image), *sums = bench_alloc(pixels, sizeof *sums);
  float *squares = bench_alloc(pixels, sizeof *squares), *c = bench_alloc(pixels, sizeof *c);
  float *to_north = bench_alloc(pixels, sizeof *to_north), *to_south = bench_alloc(pixels, sizeof *to_south);
  float *to_west = bench_alloc(pixels, sizeof *to_west), *to_east = bench_alloc(pixels, sizeof *to_east);
  float *out = bench_alloc(pixels, sizeof *out);
  for (int i = 0; i < pixels; i++)
    image[i] = (float)(byte[i] + 1) / 256;

#pragma omp target data map(to : image[0 : pixels], north[0 : rows], south[0 : rows], west[0 : columns], east[0 : columns]) \
    map(alloc : sums[0 : pixels], squares[0 : pixels], c[0 : pixels], to_north[0 : pixels], to_south[0 : pixels]) \
    map(alloc : to_west[0 : pixels], to_east[0 : pixels]) map(from : out[0 : pixels])
  while (bench_next(&b)) {
    prepare(image, sums, squares, pixels);
    float variation = reduce(sums, squares, pixels);
    diffuse(image, north, south, west, east, to_north, to_south, to_west, to_east, c, rows, columns, variation);
    update(image, south, east, to_north, to_south, to_west, to_east, c, out, rows, columns);
  }

  return bench_close(&b, bench_checksum(out, pixels * sizeof *out), check(image, out, rows, columns), 1e-5);
}

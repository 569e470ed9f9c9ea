/* Particle filter, the resampling step (find_index of Rodinia's particlefilter): each thread looks for the first entry of
 * a cumulative distribution that reaches its number, and takes over that particle's position.
 *   particlefilter [small|paper|large] [--particles N] [--queries N] [bisect] [--launches N]
 * Rodinia has as many queries as particles; more queries than particles load the machine fully. `bisect` searches by
 * bisection instead of from the start. */
#include "common/bench.h"

#include <stdlib.h>

static void find_linear(const double *cdf, const double *u, const double *x, const double *y, double *new_x, double *new_y,
                        int particles, int queries) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < queries; i++) {
    int index = -1;
    for (int p = 0; p < particles; p++)
      if (cdf[p] >= u[i]) {
        index = p;
        break;
      }
    if (index == -1)
      index = particles - 1;
    new_x[i] = x[index];
    new_y[i] = y[index];
  }
}

static void find_bisect(const double *cdf, const double *u, const double *x, const double *y, double *new_x, double *new_y,
                        int particles, int queries) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < queries; i++) {
    int low = 0, high = particles - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (cdf[middle] >= u[i])
        high = middle;
      else
        low = middle + 1;
    }
    new_x[i] = x[low];
    new_y[i] = y[low];
  }
}

/* Both forms find the same entry; the host bisects. */
static double check(const double *cdf, const double *u, const double *x, const double *y, const double *new_x,
                    const double *new_y, int particles, int queries) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(queries); s++) {
    size_t i = bench_sample(s, queries);
    int low = 0, high = particles - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (cdf[middle] >= u[i])
        high = middle;
      else
        low = middle + 1;
    }
    worst = bench_worse(worst, new_x[i], x[low], 1);
    worst = bench_worse(worst, new_y[i], y[low], 1);
  }
  return worst;
}

/* Weights made into a distribution, and Rodinia's queries: evenly spaced numbers after a first one. */
static void make_input(double *cdf, double *u, double *x, double *y, int particles, int queries) {
  double sum = 0;
  bench_fill_double(cdf, particles, 1);
  bench_fill_double(x, particles, 2);
  bench_fill_double(y, particles, 3);
  for (int p = 0; p < particles; p++)
    cdf[p] = sum += cdf[p] * cdf[p] + 1e-3;
  for (int p = 0; p < particles; p++)
    cdf[p] /= sum;
  for (int i = 0; i < queries; i++)
    u[i] = (i + 0.37) / queries;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("particlefilter", argc, argv);
  int particles = (int)bench_size(&b, "particles", 500, 8192, 32768);
  int queries = (int)bench_option(&b, "queries", particles);
  int bisect = bench_flag(&b, "bisect");
  bench_ready(&b);
  double *cdf = bench_alloc(particles, sizeof *cdf), *u = bench_alloc(queries, sizeof *u);
  double *x = bench_alloc(particles, sizeof *x), *y = bench_alloc(particles, sizeof *y);
  double *moved = bench_alloc(2 * (size_t)queries, sizeof *moved), *new_x = moved, *new_y = moved + queries;
  make_input(cdf, u, x, y, particles, queries);

#pragma omp target data map(to : cdf[0 : particles], u[0 : queries], x[0 : particles], y[0 : particles]) \
    map(from : new_x[0 : queries], new_y[0 : queries])
  while (bench_next(&b)) {
    if (bisect)
      find_bisect(cdf, u, x, y, new_x, new_y, particles, queries);
    else
      find_linear(cdf, u, x, y, new_x, new_y, particles, queries);
  }

  double error = check(cdf, u, x, y, new_x, new_y, particles, queries);
  uint64_t checksum = bench_checksum(moved, 2 * (size_t)queries * sizeof *moved);
  free(cdf);
  free(u);
  free(x);
  free(y);
  free(moved);
  return bench_close(&b, checksum, error, 0);
}

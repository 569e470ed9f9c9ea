/* Particle filter, the resampling step (find_index of Rodinia's particlefilter): each thread looks for the first entry of
 * a cumulative distribution that reaches its number, and takes over that particle's position.
 *   particlefilter [small|paper|large] [--particles N] [--queries N] [bisect] [--launches N]
 * Rodinia has as many queries as particles; more queries than particles load the machine fully. `bisect` searches by
 * bisection instead of from the start. */
#include "problems/particlefilter.h"

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

int main(int argc, char **argv) {
  struct bench b = bench_open("particlefilter", argc, argv);
  struct particlefilter p = particlefilter_open(&b);
  int bisect = bench_flag(&b, "bisect");
  bench_ready(&b);
  int particles = p.particles, queries = p.queries;
  double *cdf = p.cdf, *u = p.u, *x = p.x, *y = p.y, *new_x = p.new_x, *new_y = p.new_y;

#pragma omp target data map(to : cdf[0 : particles], u[0 : queries], x[0 : particles], y[0 : particles]) \
    map(from : new_x[0 : queries], new_y[0 : queries])
  while (bench_next(&b)) {
    if (bisect)
      find_bisect(cdf, u, x, y, new_x, new_y, particles, queries);
    else
      find_linear(cdf, u, x, y, new_x, new_y, particles, queries);
  }

  return particlefilter_close(&p, &b);
}

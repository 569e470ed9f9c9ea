/* The assignment step of k-means: the nearest of k centroids for each of n points with d features. Features lie feature by
 * feature (feature[f * n + i]), centroids point by point (centroid[c * d + f]). Options, input and check of kmeans.c and
 * cuda/kmeans.cu.
 *   [small|paper|large] [--n N] [--clusters K] [--features D] */
#ifndef PLACE_PROBLEM_KMEANS_H
#define PLACE_PROBLEM_KMEANS_H

#include "../common/bench.h"

#include <math.h>

struct kmeans {
  int n, clusters, features;
  float *feature, *centroid;
  int *member;
};

static inline struct kmeans kmeans_open(struct bench *b) {
  struct kmeans p;
  p.n = (int)bench_size(b, "n", 300, 1 << 20, 1 << 22);
  p.clusters = (int)bench_option(b, "clusters", 16);
  p.features = (int)bench_option(b, "features", 34);
  p.feature = bench_floats((size_t)p.n * p.features, 1);
  p.centroid = bench_floats((size_t)p.clusters * p.features, 2);
  p.member = (int *)bench_alloc(p.n, sizeof *p.member);
  return p;
}

static inline double kmeans_distance(const struct kmeans *p, size_t i, size_t c) {
  double sum = 0;
  for (int f = 0; f < p->features; f++) {
    double d = (double)p->feature[(size_t)f * p->n + i] - p->centroid[c * p->features + f];
    sum += d * d;
  }
  return sum;
}

/* How much farther the chosen centroid is than the nearest one: two may be equally near but for rounding. */
static inline double kmeans_error(const struct kmeans *p) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(p->n); s++) {
    size_t i = bench_sample(s, p->n);
    double nearest = INFINITY;
    if (p->member[i] < 0 || p->member[i] >= p->clusters)
      return INFINITY;
    for (int c = 0; c < p->clusters; c++)
      nearest = fmin(nearest, kmeans_distance(p, i, c));
    worst = bench_worse(worst, kmeans_distance(p, i, p->member[i]), nearest, nearest);
  }
  return worst;
}

static inline int kmeans_close(struct kmeans *p, struct bench *b) {
  double error = kmeans_error(p);
  uint64_t checksum = bench_checksum(p->member, p->n * sizeof *p->member);
  return bench_close(b, checksum, error, 1e-5);
}

#endif

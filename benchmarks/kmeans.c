/* K-means, assignment of points to centroids (kmeans_kernel of Rodinia's kmeans).
 *   kmeans [small|paper|large] [--n N] [--clusters K] [--features D] [--launches N] */
#include "problems/kmeans.h"

static void assign(const float *feature, const float *centroid, int *member, int n, int clusters, int features) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int nearest = 0;
    float least = 3.4e38f;
    for (int c = 0; c < clusters; c++) {
      float distance = 0;
      for (int f = 0; f < features; f++) {
        float d = feature[f * n + i] - centroid[c * features + f];
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    member[i] = nearest;
  }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("kmeans", argc, argv);
  struct kmeans p = kmeans_open(&b);
  bench_ready(&b);
  float *feature = p.feature, *centroid = p.centroid;
  int *member = p.member;
  size_t n = p.n, features = p.features, clusters = p.clusters;

#pragma omp target data map(to : feature[0 : n * features], centroid[0 : clusters * features]) map(from : member[0 : n])
  while (bench_next(&b))
    assign(feature, centroid, member, p.n, p.clusters, p.features);

  return kmeans_close(&p, &b);
}

/* All squared distances between two sets of points: rows of both are read by many threads.
 *   pairwise [small|paper|large] [--width N] [--m N] [--n N] [--features D] [--launches N] */
#include "problems/pairwise.h"

static void distances(int m, int n, int features, const float (*left)[features], const float (*right)[features],
                      float (*distance)[n]) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int f = 0; f < features; f++) {
        float d = left[i][f] - right[j][f];
        sum += d * d;
      }
      distance[i][j] = sum;
    }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("pairwise", argc, argv);
  struct pairwise p = pairwise_open(&b);
  bench_ready(&b);
  int m = p.m, n = p.n, features = p.features;
  float(*left)[features] = (float(*)[features])p.left, (*right)[features] = (float(*)[features])p.right;
  float(*distance)[n] = (float(*)[n])p.distance;

#pragma omp target data map(to : left[0 : m], right[0 : n]) map(from : distance[0 : m])
  while (bench_next(&b))
    distances(m, n, features, (const float(*)[features])left, (const float(*)[features])right, distance);

  return pairwise_close(&p, &b);
}

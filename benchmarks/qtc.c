/* Quality-threshold clustering, the kernel of a round (SHOC's QTC): every point grows a candidate cluster, each time by the
 * point that keeps the cluster's diameter least, until the threshold is passed.
 *   qtc [small|paper|large] [--points N] [--launches N] */
#include "common/bench.h"

#include <float.h>
#include <math.h>

#define THRESHOLD 0.2f

/* distance[j * n + k]; reach[j * n + i] is work space: how far j is from the farthest point of the cluster that i grows, or
 * negative if j is in it. */
static void grow(const float *distance, float *reach, int *size, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int members = 0, next = i;
    float nearest = 0;
    for (int j = 0; j < n; j++)
      reach[j * n + i] = 0;
    while (nearest <= THRESHOLD) {
      int last = next;
      members++;
      reach[last * n + i] = -1;
      nearest = FLT_MAX;
      for (int j = 0; j < n; j++) {
        float far = reach[j * n + i];
        if (far < 0)
          continue;
        far = fmaxf(far, distance[last * n + j]);
        reach[j * n + i] = far;
        if (far < nearest) {
          nearest = far;
          next = j;
        }
      }
    }
    size[i] = members;
  }
}

/* The host keeps a list of members and measures the diameter anew for every point. */
static int grow_on_host(const float *distance, int *member, unsigned char *taken, int n, int i) {
  int members = 1;
  for (int j = 0; j < n; j++)
    taken[j] = j == i;
  for (member[0] = i;; members++) {
    float nearest = FLT_MAX;
    int next = -1;
    for (int j = 0; j < n; j++) {
      float far = 0;
      for (int k = 0; k < members && !taken[j]; k++)
        far = fmaxf(far, distance[(size_t)member[k] * n + j]);
      if (!taken[j] && far < nearest) {
        nearest = far;
        next = j;
      }
    }
    if (next < 0 || nearest > THRESHOLD)
      return members;
    taken[next] = 1;
    member[members] = next;
  }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("qtc", argc, argv);
  int n = (int)bench_size(&b, "points", 90, 4096, 16384);
  bench_ready(&b);
  size_t pairs = (size_t)n * n;
  float *x = bench_floats(n, 1), *y = bench_floats(n, 2), *distance = bench_alloc(pairs, sizeof *distance);
  float *reach = bench_alloc(pairs, sizeof *reach);
  int *size = bench_alloc(n, sizeof *size), *member = bench_alloc(n, sizeof *member);
  unsigned char *taken = bench_alloc(n, 1);
  for (size_t i = 0; i < pairs; i++)
    distance[i] = hypotf(x[i / n] - x[i % n], y[i / n] - y[i % n]);

#pragma omp target data map(to : distance[0 : pairs]) map(alloc : reach[0 : pairs]) map(from : size[0 : n])
  while (bench_next(&b))
    grow(distance, reach, size, n);

  double wrong = 0;
  for (int i = 0; i<n; i += n> 512 ? n / 16 : 1)
    wrong += size[i] != grow_on_host(distance, member, taken, n, i);
  return bench_close(&b, bench_checksum(size, n * sizeof *size), wrong, 0);
}

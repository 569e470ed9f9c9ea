/* Particle filter's resampling by hand: the distribution in tiles of 1,024 in shared memory, each scanned by all threads
 * (`tile`); read from global memory (`direct`); or bisected there (`bisect`). */
#include "../problems/particlefilter.h"
#include "cuda.h"

enum { THREADS = 128, TILE = 1024 };

struct arrays {
  const double *cdf, *u, *x, *y;
  double *new_x, *new_y;
};

__device__ inline void take_over(const arrays &at, int i, int index) {
  at.new_x[i] = at.x[index];
  at.new_y[i] = at.y[index];
}

__global__ void find_tile(arrays at, int particles, int queries) {
  __shared__ double tile[TILE];
  int i = blockIdx.x * THREADS + threadIdx.x, index = -1;
  double u = i < queries ? at.u[i] : 0;
  /* the block is done when each of its threads has found its entry */
  for (int first = 0; first < particles && __syncthreads_or(index < 0); first += TILE) {
    int count = min(TILE, particles - first);
    for (int p = threadIdx.x; p < count; p += THREADS)
      tile[p] = at.cdf[first + p];
    __syncthreads();
    for (int p = 0; p < count && index < 0; p++)
      if (tile[p] >= u)
        index = first + p;
  }
  if (i < queries)
    take_over(at, i, index < 0 ? particles - 1 : index);
}

__global__ void find_direct(arrays at, int particles, int queries) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= queries)
    return;
  int index = 0;
  for (double u = at.u[i]; index < particles - 1 && at.cdf[index] < u;)
    index++;
  take_over(at, i, index);
}

__global__ void find_bisect(arrays at, int particles, int queries) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= queries)
    return;
  int low = 0, high = particles - 1;
  for (double u = at.u[i]; low < high;) {
    int middle = (low + high) / 2;
    if (at.cdf[middle] >= u)
      high = middle;
    else
      low = middle + 1;
  }
  take_over(at, i, low);
}

int main(int argc, char **argv) {
  static const char *const words[] = {"tile", "direct", "bisect", nullptr};
  struct bench b = bench_open("particlefilter.cuda", argc, argv);
  struct particlefilter p = particlefilter_open(&b);
  int which = bench_choice(&b, words);
  bench_ready(&b);
  arrays at = {cuda_copy(p.cdf, p.particles), cuda_copy(p.u, p.queries),   cuda_copy(p.x, p.particles),
               cuda_copy(p.y, p.particles),   cuda_new<double>(p.queries), cuda_new<double>(p.queries)};
  unsigned blocks = blocks_for(p.queries, THREADS);
  cuda_measure(&b, [&] {
    if (which == 0)
      find_tile<<<blocks, THREADS>>>(at, p.particles, p.queries);
    else if (which == 1)
      find_direct<<<blocks, THREADS>>>(at, p.particles, p.queries);
    else
      find_bisect<<<blocks, THREADS>>>(at, p.particles, p.queries);
  });
  cuda_fetch(p.new_x, at.new_x, p.queries);
  cuda_fetch(p.new_y, at.new_y, p.queries);
  return particlefilter_close(&p, &b);
}

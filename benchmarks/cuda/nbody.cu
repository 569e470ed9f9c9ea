/* All-pairs n-body by hand: 256 bodies at a time in shared memory (`tile`), or read from global memory (`direct`). */
#include "../problems/nbody.h"
#include "cuda.h"

enum { THREADS = 256 };

struct arrays {
  const float *x, *y, *z, *mass;
  float *ax, *ay, *az;
};

__device__ __forceinline__ void attract(float4 me, float4 other, float softening, float3 &sum) {
  float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
  float pull = other.w * inverse * inverse * inverse;
  sum.x += dx * pull;
  sum.y += dy * pull;
  sum.z += dz * pull;
}

__device__ inline float4 body(const arrays &at, int i) { return make_float4(at.x[i], at.y[i], at.z[i], at.mass[i]); }

template <bool TILE> __global__ void __launch_bounds__(THREADS) accelerate(arrays at, int n, float softening) {
  __shared__ float4 tile[THREADS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  float4 me = body(at, i < n ? i : n - 1);
  float3 sum = {};
  for (int first = 0; first < n; first += THREADS) {
    int count = min(THREADS, n - first);
    if (TILE) {
      if (threadIdx.x < count)
        tile[threadIdx.x] = body(at, first + threadIdx.x);
      __syncthreads();
    }
    if (count == THREADS) {
#pragma unroll 8
      for (int j = 0; j < THREADS; j++)
        attract(me, TILE ? tile[j] : body(at, first + j), softening, sum);
    } else {
      for (int j = 0; j < count; j++)
        attract(me, TILE ? tile[j] : body(at, first + j), softening, sum);
    }
    if (TILE)
      __syncthreads();
  }
  if (i < n) {
    at.ax[i] = sum.x;
    at.ay[i] = sum.y;
    at.az[i] = sum.z;
  }
}

int main(int argc, char **argv) {
  static const char *const words[] = {"tile", "direct", nullptr};
  struct bench b = bench_open("nbody.cuda", argc, argv);
  struct nbody p = nbody_open(&b);
  int direct = bench_choice(&b, words);
  bench_ready(&b);
  arrays at = {cuda_copy(p.x, p.n),  cuda_copy(p.y, p.n),  cuda_copy(p.z, p.n), cuda_copy(p.mass, p.n),
               cuda_new<float>(p.n), cuda_new<float>(p.n), cuda_new<float>(p.n)};
  unsigned blocks = blocks_for(p.n, THREADS);
  cuda_measure(&b, [&] {
    if (direct)
      accelerate<false><<<blocks, THREADS>>>(at, (int)p.n, p.softening);
    else
      accelerate<true><<<blocks, THREADS>>>(at, (int)p.n, p.softening);
  });
  cuda_fetch(p.ax, at.ax, p.n);
  cuda_fetch(p.ay, at.ay, p.n);
  cuda_fetch(p.az, at.az, p.n);
  return nbody_close(&p, &b);
}

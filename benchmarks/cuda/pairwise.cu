/* Pairwise distances by hand: 32 points of either set at a time in shared memory, 32 coordinates of each (`tile`), or none
 * (`direct`). */
#include "../problems/pairwise.h"
#include "cuda.h"

enum { TILE = 32 };

__global__ void distances_direct(const float *left, const float *right, float *distance, int m, int n, int features) {
  int j = blockIdx.x * TILE + threadIdx.x, i = blockIdx.y * TILE + threadIdx.y;
  if (i >= m || j >= n)
    return;
  float sum = 0;
  for (int f = 0; f < features; f++) {
    float d = left[i * features + f] - right[j * features + f];
    sum += d * d;
  }
  distance[(size_t)i * n + j] = sum;
}

__global__ void distances_tile(const float *left, const float *right, float *distance, int m, int n, int features) {
  __shared__ float tile_left[TILE][TILE], tile_right[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * TILE + tx, i = blockIdx.y * TILE + ty;
  int right_row = blockIdx.x * TILE + ty;
  float sum = 0;
  for (int first = 0; first < features; first += TILE) {
    tile_left[ty][tx] = i < m && first + tx < features ? left[i * features + first + tx] : 0;
    tile_right[ty][tx] = right_row < n && first + tx < features ? right[right_row * features + first + tx] : 0;
    __syncthreads();
#pragma unroll
    for (int f = 0; f < TILE; f++) {
      float d = tile_left[ty][f] - tile_right[tx][f];
      sum += d * d;
    }
    __syncthreads();
  }
  if (i < m && j < n)
    distance[(size_t)i * n + j] = sum;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"tile", "direct", nullptr};
  struct bench b = bench_open("pairwise.cuda", argc, argv);
  struct pairwise p = pairwise_open(&b);
  int direct = bench_choice(&b, words);
  bench_ready(&b);
  float *left = cuda_copy(p.left, (size_t)p.m * p.features), *right = cuda_copy(p.right, (size_t)p.n * p.features);
  float *distance = cuda_new<float>((size_t)p.m * p.n);
  dim3 blocks(blocks_for(p.n, TILE), blocks_for(p.m, TILE)), threads(TILE, TILE);
  cuda_measure(&b, [&] {
    if (direct)
      distances_direct<<<blocks, threads>>>(left, right, distance, p.m, p.n, p.features);
    else
      distances_tile<<<blocks, threads>>>(left, right, distance, p.m, p.n, p.features);
  });
  cuda_fetch(p.distance, distance, (size_t)p.m * p.n);
  CUDA_CHECK(cudaFree(left));
  CUDA_CHECK(cudaFree(right));
  return pairwise_close(&p, &b);
}

/* Matrix product by hand: 32 x 32 tiles of both operands in shared memory, an element a thread (`tile`); or tiles of 128 x 8
 * and 8 x 128 and 8 x 8 elements a thread in registers (`register`); or no tile at all (`direct`). */
#include "../problems/mm.h"
#include "cuda.h"

enum { TILE = 32, BLOCK = 128, DEPTH = 8, PER_THREAD = 8 };

__global__ void multiply_direct(const float *a, const float *b, float *c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

__global__ void multiply_tile(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    tile_a[ty][tx] = y < m && first + tx < k ? a[y * k + first + tx] : 0;
    tile_b[ty][tx] = x < n && first + ty < k ? b[(first + ty) * n + x] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++)
      sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  if (x < n && y < m)
    c[y * n + x] = sum;
}

/* Four elements a thread of each operand's next tile: out of global memory into registers, and from there into the tile. A's
 * lies with its columns as rows, so that a thread reads its eight rows side by side. */
struct ahead {
  float a[4], b[4];
};

__device__ __forceinline__ ahead load_ahead(const float *a, const float *b, int m, int n, int k, int first) {
  ahead next;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    int y = blockIdx.y * BLOCK + threadIdx.x / DEPTH + i * 32, at = first + threadIdx.x % DEPTH;
    next.a[i] = y < m && at < k ? a[y * k + at] : 0;
    int x = blockIdx.x * BLOCK + threadIdx.x % BLOCK, row = first + threadIdx.x / BLOCK + i * 2;
    next.b[i] = row < k && x < n ? b[row * n + x] : 0;
  }
  return next;
}

__device__ __forceinline__ void store_ahead(ahead next, float (*tile_a)[BLOCK + 4], float (*tile_b)[BLOCK]) {
#pragma unroll
  for (int i = 0; i < 4; i++) {
    tile_a[threadIdx.x % DEPTH][threadIdx.x / DEPTH + i * 32] = next.a[i];
    tile_b[threadIdx.x / BLOCK + i * 2][threadIdx.x % BLOCK] = next.b[i];
  }
}

/* 256 threads; thread (tx, ty) computes rows 8 ty .. 8 ty + 7, columns 4 tx .. 4 tx + 3 and 64 + 4 tx .. of the block. */
__global__ void __launch_bounds__(256) multiply_register(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ __align__(16) float tile_a[2][DEPTH][BLOCK + 4];
  __shared__ __align__(16) float tile_b[2][DEPTH][BLOCK];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16, now = 0;
  float sum[PER_THREAD][PER_THREAD] = {}, from_a[PER_THREAD], from_b[PER_THREAD];
  store_ahead(load_ahead(a, b, m, n, k, 0), tile_a[0], tile_b[0]);
  __syncthreads();
  for (int first = 0; first < k; first += DEPTH) {
    ahead next = load_ahead(a, b, m, n, k, first + DEPTH);
#pragma unroll
    for (int i = 0; i < DEPTH; i++) {
#pragma unroll
      for (int j = 0; j < PER_THREAD; j++) {
        from_a[j] = tile_a[now][i][ty * PER_THREAD + j];
        from_b[j] = tile_b[now][i][(j < 4 ? 0 : 60) + tx * 4 + j];
      }
#pragma unroll
      for (int r = 0; r < PER_THREAD; r++)
#pragma unroll
        for (int s = 0; s < PER_THREAD; s++)
          sum[r][s] += from_a[r] * from_b[s];
    }
    store_ahead(next, tile_a[!now], tile_b[!now]);
    __syncthreads();
    now = !now;
  }
#pragma unroll
  for (int r = 0; r < PER_THREAD; r++)
#pragma unroll
    for (int s = 0; s < PER_THREAD; s++) {
      int y = blockIdx.y * BLOCK + ty * PER_THREAD + r, x = blockIdx.x * BLOCK + (s < 4 ? 0 : 60) + tx * 4 + s;
      if (y < m && x < n)
        c[y * n + x] = sum[r][s];
    }
}

int main(int argc, char **argv) {
  static const char *const words[] = {"tile", "register", "direct", nullptr};
  struct bench bench = bench_open("mm.cuda", argc, argv);
  struct mm p = mm_open(&bench);
  int which = bench_choice(&bench, words);
  bench_ready(&bench);
  float *a = cuda_copy(p.a, (size_t)p.m * p.k), *b = cuda_copy(p.b, (size_t)p.k * p.n), *c = cuda_new<float>((size_t)p.m * p.n);
  dim3 tiles(blocks_for(p.n, TILE), blocks_for(p.m, TILE)), blocks(blocks_for(p.n, BLOCK), blocks_for(p.m, BLOCK));
  cuda_measure(&bench, [&] {
    if (which == 0)
      multiply_tile<<<tiles, dim3(TILE, TILE)>>>(a, b, c, p.m, p.n, p.k);
    else if (which == 1)
      multiply_register<<<blocks, 256>>>(a, b, c, p.m, p.n, p.k);
    else
      multiply_direct<<<tiles, dim3(TILE, TILE)>>>(a, b, c, p.m, p.n, p.k);
  });
  cuda_fetch(p.c, c, (size_t)p.m * p.n);
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  return mm_close(&p, &bench);
}

/* What the hand-written CUDA counterparts share: device memory, timing by events, tiles with a halo.
 *
 * A counterpart takes the options of the OpenMP program of its name (problems/NAME.h reads them), solves the same problem,
 * checks the result in the same way and prints the same line; the times in it are those between two events around the
 * launch. The first word of `words` in its main is the placement used by default.
 *
 *   gcc -O2 -c common/bench.c && nvcc -O3 -std=c++17 -arch=sm_90 cuda/NAME.cu bench.o -o NAME.cuda
 *
 * Errors: any failing CUDA call prints where and exits with status 2. */
#ifndef PLACE_CUDA_H
#define PLACE_CUDA_H

#include "../common/bench.h"

#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) cuda_check((call), __FILE__, __LINE__)

inline void cuda_check(cudaError_t status, const char *file, int line) {
  if (status == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
  exit(2);
}

/* Device memory of `count` elements, every byte 0xff: what is never written shows up as NaN or -1. */
template <class T> T *cuda_new(size_t count) {
  T *memory;
  bench_gate_enter(); /* filling memory is a kernel as well */
  CUDA_CHECK(cudaMalloc(&memory, (count ? count : 1) * sizeof(T)));
  CUDA_CHECK(cudaMemset(memory, 0xff, count * sizeof(T)));
  return memory;
}

template <class T> T *cuda_copy(const T *host, size_t count) {
  T *memory = cuda_new<T>(count);
  CUDA_CHECK(cudaMemcpy(memory, host, count * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

/* Takes the result back and frees the device memory. */
template <class T> void cuda_fetch(T *host, T *memory, size_t count) {
  CUDA_CHECK(cudaMemcpy(host, memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(memory));
}

/* Calls launch() once, then as often as launches were asked for, each timed by two events. */
template <class Launch> void cuda_measure(struct bench *b, Launch launch) {
  cudaEvent_t start, end;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&end));
  bench_gate_enter();
  for (int i = -1; i < b->launches; i++) {
    float ms;
    CUDA_CHECK(cudaEventRecord(start));
    launch();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, end));
    if (i >= 0)
      b->seconds[i] = ms * 1e-3;
  }
  bench_gate_leave();
  b->launched = b->launches;
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(end));
}

inline unsigned blocks_for(size_t items, size_t per_block) { return (unsigned)((items + per_block - 1) / per_block); }

/* The block's tile of a grid with `columns` columns and `rows` rows, halo of `radius` cells on each side included: tile cell
 * (0, 0) is grid cell (first_row - radius, first_column - radius), and `pitch` cells make a row of the tile. Cells outside of
 * the grid are left alone. Ends with a barrier. */
__device__ inline void load_tile(float *tile, int pitch, int tile_rows, const float *grid, int rows, int columns, int first_row,
                                 int first_column, int radius) {
  for (int j = threadIdx.y; j < tile_rows; j += blockDim.y)
    for (int i = threadIdx.x; i < pitch; i += blockDim.x) {
      int row = first_row - radius + j, column = first_column - radius + i;
      if (row >= 0 && row < rows && column >= 0 && column < columns)
        tile[j * pitch + i] = grid[(size_t)row * columns + column];
    }
  __syncthreads();
}

/* The same in three dimensions, halo of one cell, for blocks of 32 x 4 x 4: the tile has 6 x 6 rows of 34 cells. */
__device__ inline void load_tile_3d(float (*tile)[6][34], const float *grid, int nz, int ny, int nx, int first_z, int first_y,
                                    int first_x) {
  for (int k = threadIdx.z; k < 6; k += blockDim.z)
    for (int j = threadIdx.y; j < 6; j += blockDim.y)
      for (int i = threadIdx.x; i < 34; i += blockDim.x) {
        int z = first_z - 1 + k, y = first_y - 1 + j, x = first_x - 1 + i;
        if (z >= 0 && z < nz && y >= 0 && y < ny && x >= 0 && x < nx)
          tile[k][j][i] = grid[((size_t)z * ny + y) * nx + x];
      }
  __syncthreads();
}

#endif

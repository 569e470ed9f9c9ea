/* Sparse matrix times vector by hand: a row a warp, whose lanes' sums are added by shuffles (`vector`), or a row a thread
 * (`scalar`); values and columns past the read-only cache, x through it. */
#include "../problems/spmv.h"
#include "cuda.h"

enum { THREADS = 256, LANES = 32 };

__global__ void multiply_scalar(const int *row_start, const int *column, const float *value, const float *x, float *y,
                                int rows) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= rows)
    return;
  float sum = 0;
#pragma unroll 1 /* nvcc unrolls it otherwise, and takes three times as long for it */
  for (int k = row_start[i]; k < row_start[i + 1]; k++)
    sum += value[k] * __ldg(x + column[k]);
  y[i] = sum;
}

__global__ void multiply_vector(const int *row_start, const int *column, const float *value, const float *x, float *y,
                                int rows) {
  int i = (blockIdx.x * THREADS + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  if (i >= rows)
    return;
  float sum = 0;
  for (int k = row_start[i] + lane; k < row_start[i + 1]; k += LANES)
    sum += value[k] * __ldg(x + column[k]);
  for (int by = LANES / 2; by > 0; by /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, by);
  if (lane == 0)
    y[i] = sum;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"vector", "scalar", nullptr};
  struct bench b = bench_open("spmv.cuda", argc, argv);
  struct spmv p = spmv_open(&b);
  int scalar = bench_choice(&b, words);
  bench_ready(&b);
  int *row_start = cuda_copy(p.row_start, p.rows + 1), *column = cuda_copy(p.column, p.entries);
  float *value = cuda_copy(p.value, p.entries), *x = cuda_copy(p.x, p.rows), *y = cuda_new<float>(p.rows);
  cuda_measure(&b, [&] {
    if (!scalar)
      multiply_vector<<<blocks_for((size_t)p.rows * LANES, THREADS), THREADS>>>(row_start, column, value, x, y, p.rows);
    else
      multiply_scalar<<<blocks_for(p.rows, THREADS), THREADS>>>(row_start, column, value, x, y, p.rows);
  });
  cuda_fetch(p.y, y, p.rows);
  return spmv_close(&p, &b);
}

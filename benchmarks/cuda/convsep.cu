/* Separable convolution by hand, taps in constant memory: tiles with their halo in shared memory, 128 cells of a row, or 32 x
 * 64 cells for the columns (`tile`); or the image read from global memory (`direct`). */
#include "../problems/convsep.h"
#include "cuda.h"

enum { ROW_CELLS = 128, BLOCK_X = 32, BLOCK_Y = 8, COLUMN_CELLS = 64, MOST_TAPS = 129 };

__constant__ float constant_taps[MOST_TAPS];

/* RADIUS 0: as the argument says */
template <int RADIUS, bool TILE> __global__ void along_rows(const float *in, float *out, int columns, int runtime_radius) {
  __shared__ float tile[TILE ? ROW_CELLS + MOST_TAPS : 1];
  const int radius = RADIUS ? RADIUS : runtime_radius;
  const float *row = in + (size_t)blockIdx.y * columns;
  int first = blockIdx.x * ROW_CELLS, x = first + threadIdx.x;
  if (TILE) {
    for (int i = threadIdx.x; i < ROW_CELLS + 2 * radius; i += ROW_CELLS) {
      int from = first - radius + i;
      tile[i] = from >= 0 && from < columns ? row[from] : 0;
    }
    __syncthreads();
  }
  if (x >= columns)
    return;
  float sum = 0;
#pragma unroll
  for (int k = -radius; k <= radius; k++)
    sum += (TILE ? tile[threadIdx.x + radius + k] : x + k >= 0 && x + k < columns ? row[x + k] : 0) * constant_taps[radius - k];
  out[(size_t)blockIdx.y * columns + x] = sum;
}

/* A thread has COLUMN_CELLS / BLOCK_Y cells. */
template <int RADIUS, bool TILE>
__global__ void along_columns(const float *in, float *out, int rows, int columns, int runtime_radius) {
  __shared__ float tile[TILE ? COLUMN_CELLS + MOST_TAPS : 1][BLOCK_X];
  const int radius = RADIUS ? RADIUS : runtime_radius;
  int first = blockIdx.y * COLUMN_CELLS, x = blockIdx.x * BLOCK_X + threadIdx.x;
  if (TILE) {
    for (int j = threadIdx.y; j < COLUMN_CELLS + 2 * radius; j += BLOCK_Y) {
      int from = first - radius + j;
      tile[j][threadIdx.x] = from >= 0 && from < rows && x < columns ? in[(size_t)from * columns + x] : 0;
    }
    __syncthreads();
  }
  for (int j = threadIdx.y; j < COLUMN_CELLS && x < columns && first + j < rows; j += BLOCK_Y) {
    int y = first + j;
    float sum = 0;
#pragma unroll
    for (int k = -radius; k <= radius; k++)
      sum += (TILE                         ? tile[j + radius + k][threadIdx.x]
              : y + k >= 0 && y + k < rows ? in[(size_t)(y + k) * columns + x]
                                           : 0) *
             constant_taps[radius - k];
    out[(size_t)y * columns + x] = sum;
  }
}

template <int RADIUS, bool TILE> static void launch(const struct convsep *p, const float *in, float *between, float *out) {
  dim3 row_blocks(blocks_for(p->columns, ROW_CELLS), p->rows);
  dim3 column_blocks(blocks_for(p->columns, BLOCK_X), blocks_for(p->rows, COLUMN_CELLS));
  along_rows<RADIUS, TILE><<<row_blocks, ROW_CELLS>>>(in, between, p->columns, p->radius);
  along_columns<RADIUS, TILE><<<column_blocks, dim3(BLOCK_X, BLOCK_Y)>>>(between, out, p->rows, p->columns, p->radius);
}

int main(int argc, char **argv) {
  static const char *const words[] = {"tile", "direct", nullptr};
  struct bench b = bench_open("convsep.cuda", argc, argv);
  struct convsep p = convsep_open(&b);
  int direct = bench_choice(&b, words), fixed = bench_flag(&b, "fixed") && p.radius == 8;
  bench_ready(&b);
  if (p.tap_count > MOST_TAPS) {
    fprintf(stderr, "convsep.cuda: more than %d taps\n", MOST_TAPS);
    return 2;
  }
  float *in = cuda_copy(p.in, p.cells), *between = cuda_new<float>(p.cells), *out = cuda_new<float>(p.cells);
  CUDA_CHECK(cudaMemcpyToSymbol(constant_taps, p.taps, p.tap_count * sizeof *p.taps));
  cuda_measure(&b, [&] {
    if (direct)
      fixed ? launch<8, false>(&p, in, between, out) : launch<0, false>(&p, in, between, out);
    else
      fixed ? launch<8, true>(&p, in, between, out) : launch<0, true>(&p, in, between, out);
  });
  cuda_fetch(p.out, out, p.cells);
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(between));
  return convsep_close(&p, &b);
}

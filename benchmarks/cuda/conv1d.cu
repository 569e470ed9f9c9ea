/* One-dimensional convolution by hand: taps in constant memory (`constant`), with the block's window of the signal in shared
 * memory (`window`), or window and taps in shared memory (`shared`). With `fixed`, 64 or 256 taps are known to the compiler. */
#include "../problems/conv1d.h"
#include "cuda.h"

enum { THREADS = 256, MOST_TAPS = 4096 };

__constant__ __align__(16) float constant_taps[MOST_TAPS];

/* Taps are read four at a time: each read of constant memory costs, however wide it is. TAPS 0: tap_count is known at run
 * time. */
template <int TAPS> __device__ __forceinline__ float convolve(const float *at, const float *taps, int tap_count) {
  constexpr int QUADS = TAPS ? TAPS / 4 : 4; /* unrolled */
  float sum = 0;
  int j = 0;
#pragma unroll QUADS
  for (; j + 4 <= tap_count; j += 4) {
    float4 four = *reinterpret_cast<const float4 *>(taps + j);
    sum += at[j] * four.x;
    sum += at[j + 1] * four.y;
    sum += at[j + 2] * four.z;
    sum += at[j + 3] * four.w;
  }
  for (; j < tap_count; j++)
    sum += at[j] * taps[j];
  return sum;
}

template <int TAPS> __global__ void convolve_constant(const float *signal, float *out, int outputs, int runtime_taps) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < outputs)
    out[i] = convolve<TAPS>(signal + i, constant_taps, TAPS ? TAPS : runtime_taps);
}

/* Shared memory: THREADS + tap_count floats of the signal, behind as many taps if TAPS_SHARED (rounded up to four). */
template <int TAPS, bool TAPS_SHARED>
__global__ void convolve_window(const float *signal, const float *taps, float *out, int outputs, int runtime_taps) {
  const int tap_count = TAPS ? TAPS : runtime_taps;
  extern __shared__ float4 shared[];
  float *shared_taps = (float *)shared, *window = shared_taps + (TAPS_SHARED ? (tap_count + 3) / 4 * 4 : 0);
  int first = blockIdx.x * THREADS, i = first + threadIdx.x;
  for (int j = threadIdx.x; j < THREADS + tap_count; j += THREADS)
    if (first + j < outputs + tap_count)
      window[j] = signal[first + j];
  for (int j = threadIdx.x; TAPS_SHARED && j < tap_count; j += THREADS)
    shared_taps[j] = taps[j];
  __syncthreads();
  if (i < outputs)
    out[i] = convolve<TAPS>(window + threadIdx.x, TAPS_SHARED ? shared_taps : constant_taps, tap_count);
}

struct arrays {
  float *signal, *taps, *out;
};

template <int TAPS> static void launch(int which, const struct conv1d *p, arrays at) {
  unsigned blocks = blocks_for(p->outputs, THREADS);
  size_t window_bytes = (THREADS + p->tap_count) * sizeof(float);
  size_t shared_bytes = window_bytes + (p->tap_count + 3) * sizeof(float);
  if (which == 0)
    convolve_constant<TAPS><<<blocks, THREADS>>>(at.signal, at.out, p->outputs, p->tap_count);
  else if (which == 1)
    convolve_window<TAPS, false><<<blocks, THREADS, window_bytes>>>(at.signal, at.taps, at.out, p->outputs, p->tap_count);
  else
    convolve_window<TAPS, true><<<blocks, THREADS, shared_bytes>>>(at.signal, at.taps, at.out, p->outputs, p->tap_count);
}

int main(int argc, char **argv) {
  static const char *const words[] = {"constant", "window", "shared", nullptr};
  struct bench b = bench_open("conv1d.cuda", argc, argv);
  struct conv1d p = conv1d_open(&b);
  int which = bench_choice(&b, words), fixed = bench_flag(&b, "fixed");
  bench_ready(&b);
  if (p.tap_count > MOST_TAPS) {
    fprintf(stderr, "conv1d.cuda: more than %d taps\n", MOST_TAPS);
    return 2;
  }
  arrays at = {cuda_copy(p.signal, p.n), cuda_copy(p.taps, p.tap_count), cuda_new<float>(p.outputs)};
  CUDA_CHECK(cudaMemcpyToSymbol(constant_taps, p.taps, p.tap_count * sizeof *p.taps));
  cuda_measure(&b, [&] {
    switch (fixed ? p.tap_count : 0) {
    case 64: launch<64>(which, &p, at); break;
    case 256: launch<256>(which, &p, at); break;
    default: launch<0>(which, &p, at);
    }
  });
  cuda_fetch(p.out, at.out, p.outputs);
  CUDA_CHECK(cudaFree(at.signal));
  CUDA_CHECK(cudaFree(at.taps));
  return conv1d_close(&p, &b);
}

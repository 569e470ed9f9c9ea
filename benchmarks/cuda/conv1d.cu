/* One-dimensional convolution by hand: taps in constant memory (`constant`), with the block's window of the signal in shared
 * memory (`window`), or window and taps in shared memory (`shared`). With `fixed`, 64 or 256 taps are known to the compiler. */
#include "../problems/conv1d.h"
#include "cuda.h"

enum { THREADS = 256, MOST_TAPS = 4096 };

__constant__ float constant_taps[MOST_TAPS];

/* TAPS 0: as the argument says */
template <int TAPS> __global__ void convolve_constant(const float *signal, float *out, int outputs, int runtime_taps) {
  const int tap_count = TAPS ? TAPS : runtime_taps;
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= outputs)
    return;
  float sum = 0;
#pragma unroll 16
  for (int j = 0; j < tap_count; j++)
    sum += signal[i + j] * constant_taps[j];
  out[i] = sum;
}

/* Shared memory: THREADS + tap_count floats of the signal, then the taps if TAPS_SHARED. */
template <int TAPS, bool TAPS_SHARED>
__global__ void convolve_window(const float *signal, const float *taps, float *out, int outputs, int runtime_taps) {
  const int tap_count = TAPS ? TAPS : runtime_taps;
  extern __shared__ float window[];
  float *shared_taps = window + THREADS + tap_count;
  int first = blockIdx.x * THREADS, i = first + threadIdx.x;
  for (int j = threadIdx.x; j < THREADS + tap_count; j += THREADS)
    if (first + j < outputs + tap_count)
      window[j] = signal[first + j];
  for (int j = threadIdx.x; TAPS_SHARED && j < tap_count; j += THREADS)
    shared_taps[j] = taps[j];
  __syncthreads();
  if (i >= outputs)
    return;
  float sum = 0;
#pragma unroll 16
  for (int j = 0; j < tap_count; j++)
    sum += window[threadIdx.x + j] * (TAPS_SHARED ? shared_taps[j] : constant_taps[j]);
  out[i] = sum;
}

struct arrays {
  float *signal, *taps, *out;
};

template <int TAPS> static void launch(int which, const struct conv1d *p, arrays at) {
  unsigned blocks = blocks_for(p->outputs, THREADS);
  size_t window_bytes = (THREADS + p->tap_count) * sizeof(float), shared_bytes = window_bytes + p->tap_count * sizeof(float);
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

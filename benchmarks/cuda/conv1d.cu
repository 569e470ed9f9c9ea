/* One-dimensional convolution by hand: taps in constant memory (`constant`), with the block's window of the signal in shared memory
 * (`window`), or window and taps in shared memory (`shared`). */
#include "../problems/conv1d.h"
#include "cuda.h"

enum { THREADS = 256, MOST_TAPS = 4096 };

__constant__ float constant_taps[MOST_TAPS];

__global__ void convolve_constant(const float *signal, float *out, int outputs, int tap_count) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= outputs)
    return;
  float sum = 0;
  for (int j = 0; j < tap_count; j++)
    sum += signal[i + j] * constant_taps[j];
  out[i] = sum;
}

/* Shared memory: THREADS + tap_count floats of the signal, then the taps if TAPS_SHARED. */
template <bool TAPS_SHARED>
__global__ void convolve_window(const float *signal, const float *taps, float *out, int outputs, int tap_count) {
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
  for (int j = 0; j < tap_count; j++)
    sum += window[threadIdx.x + j] * (TAPS_SHARED ? shared_taps[j] : constant_taps[j]);
  out[i] = sum;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"constant", "window", "shared", nullptr};
  struct bench b = bench_open("conv1d.cuda", argc, argv);
  struct conv1d p = conv1d_open(&b);
  int which = bench_choice(&b, words);
  bench_ready(&b);
  if (p.tap_count > MOST_TAPS) {
    fprintf(stderr, "conv1d.cuda: more than %d taps\n", MOST_TAPS);
    return 2;
  }
  float *signal = cuda_copy(p.signal, p.n), *taps = cuda_copy(p.taps, p.tap_count), *out = cuda_new<float>(p.outputs);
  CUDA_CHECK(cudaMemcpyToSymbol(constant_taps, p.taps, p.tap_count * sizeof *p.taps));
  unsigned blocks = blocks_for(p.outputs, THREADS);
  size_t window_bytes = (THREADS + p.tap_count) * sizeof(float), shared_bytes = window_bytes + p.tap_count * sizeof(float);
  cuda_measure(&b, [&] {
    if (which == 0)
      convolve_constant<<<blocks, THREADS>>>(signal, out, p.outputs, p.tap_count);
    else if (which == 1)
      convolve_window<false><<<blocks, THREADS, window_bytes>>>(signal, taps, out, p.outputs, p.tap_count);
    else
      convolve_window<true><<<blocks, THREADS, shared_bytes>>>(signal, taps, out, p.outputs, p.tap_count);
  });
  cuda_fetch(p.out, out, p.outputs);
  CUDA_CHECK(cudaFree(signal));
  CUDA_CHECK(cudaFree(taps));
  return conv1d_close(&p, &b);
}

/* Matrix Q by hand: samples in constant memory (`constant`), 512 of them at a time in shared memory (`shared`), or in global
 * memory (`direct`). */
#include "../problems/mri_q.h"
#include "cuda.h"

enum { THREADS = 256, TILE = 512, MOST_SAMPLES = 4096 };

__constant__ float4 constant_sample[MOST_SAMPLES];

template <int PLACE>
__global__ void compute(const float *x, const float *y, const float *z, const float4 *sample, float *re, float *im, int voxels,
                        int samples) {
  __shared__ float4 tile[PLACE == 1 ? TILE : 1];
  int i = blockIdx.x * THREADS + threadIdx.x, voxel = i < voxels ? i : voxels - 1;
  float at_x = x[voxel], at_y = y[voxel], at_z = z[voxel], sum_re = 0, sum_im = 0;
  for (int first = 0; first < samples; first += TILE) {
    int count = min(TILE, samples - first);
    if (PLACE == 1) {
      __syncthreads();
      for (int k = threadIdx.x; k < count; k += THREADS)
        tile[k] = sample[first + k];
      __syncthreads();
    }
    for (int k = 0; k < count; k++) {
      float4 s = PLACE == 0 ? constant_sample[first + k] : PLACE == 1 ? tile[k] : sample[first + k];
      float angle = MRI_Q_TURN * (s.x * at_x + s.y * at_y + s.z * at_z), sine, cosine;
      sincosf(angle, &sine, &cosine);
      sum_re += s.w * cosine;
      sum_im += s.w * sine;
    }
  }
  if (i < voxels) {
    re[i] = sum_re;
    im[i] = sum_im;
  }
}

int main(int argc, char **argv) {
  static const char *const words[] = {"constant", "shared", "direct", nullptr};
  struct bench b = bench_open("mri_q.cuda", argc, argv);
  struct mri_q p = mri_q_open(&b);
  int which = bench_choice(&b, words);
  bench_ready(&b);
  if (p.samples > MOST_SAMPLES) {
    fprintf(stderr, "mri_q.cuda: more than %d samples\n", MOST_SAMPLES);
    return 2;
  }
  float4 *samples = (float4 *)bench_alloc(p.samples, sizeof *samples);
  for (int k = 0; k < p.samples; k++)
    samples[k] = make_float4(p.kx[k], p.ky[k], p.kz[k], p.magnitude[k]);
  float *x = cuda_copy(p.x, p.voxels), *y = cuda_copy(p.y, p.voxels), *z = cuda_copy(p.z, p.voxels);
  float *re = cuda_new<float>(p.voxels), *im = cuda_new<float>(p.voxels);
  float4 *sample = cuda_copy(samples, p.samples);
  CUDA_CHECK(cudaMemcpyToSymbol(constant_sample, samples, p.samples * sizeof *samples));
  unsigned blocks = blocks_for(p.voxels, THREADS);
  cuda_measure(&b, [&] {
    if (which == 0)
      compute<0><<<blocks, THREADS>>>(x, y, z, sample, re, im, p.voxels, p.samples);
    else if (which == 1)
      compute<1><<<blocks, THREADS>>>(x, y, z, sample, re, im, p.voxels, p.samples);
    else
      compute<2><<<blocks, THREADS>>>(x, y, z, sample, re, im, p.voxels, p.samples);
  });
  cuda_fetch(p.re, re, p.voxels);
  cuda_fetch(p.im, im, p.voxels);
  return mri_q_close(&p, &b);
}

/* Matrix Q of a magnetic resonance reconstruction (Parboil's mri-q): all threads read all samples in the same order.
 *   mri_q [small|paper|large] [--voxels N] [--samples N] [--launches N] */
#include "problems/mri_q.h"

static void compute(const float *x, const float *y, const float *z, const float *kx, const float *ky, const float *kz,
                    const float *magnitude, float *re, float *im, int voxels, int samples) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < voxels; i++) {
    float sum_re = 0, sum_im = 0;
    for (int k = 0; k < samples; k++) {
      float angle = MRI_Q_TURN * (kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i]);
      sum_re += magnitude[k] * cosf(angle);
      sum_im += magnitude[k] * sinf(angle);
    }
    re[i] = sum_re;
    im[i] = sum_im;
  }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("mri_q", argc, argv);
  struct mri_q p = mri_q_open(&b);
  bench_ready(&b);
  int voxels = p.voxels, samples = p.samples;
  float *x = p.x, *y = p.y, *z = p.z, *kx = p.kx, *ky = p.ky, *kz = p.kz, *magnitude = p.magnitude, *re = p.re, *im = p.im;

#pragma omp target data map(to : x[0 : voxels], y[0 : voxels], z[0 : voxels], kx[0 : samples], ky[0 : samples]) \
    map(to : kz[0 : samples], magnitude[0 : samples]) map(from : re[0 : voxels], im[0 : voxels])
  while (bench_next(&b))
    compute(x, y, z, kx, ky, kz, magnitude, re, im, voxels, samples);

  return mri_q_close(&p, &b);
}

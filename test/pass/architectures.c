// Every GPU that LLVM 19 and CUDA 12 compile for: nothing is emitted that one of them lacks.
// RUN: for arch in sm_52 sm_60 sm_70 sm_75 sm_80 sm_86 sm_89 sm_90; do \
// RUN:   %cc1 -O3 -fopenmp --offload-arch=$arch --cuda-path=%place_cuda --offload-device-only -c %s -fplugin=%plugin -o %t.$arch || exit 1; done
// REQUIRES: plugin, cuda
// A strip of operands, fetched ahead where the GPU has asynchronous copies.
void bodies(const float *x, float *f, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) {
      float d = x[j] - x[i];
      s += d * d + 1;
    }
    f[i] = s;
  }
}

void product(const double *a, const double *b, double *c, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

// What a thread may have so that a multiprocessor has room for 1,024 of them, where that keeps no value in memory.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// Few values are alive at a time.
// TABLE: version {{.*}}_few_l{{[0-9]+}}_place{{.*}} loop=natural
// PTX: .entry {{.*}}_few_l{{[0-9]+}}_place_natural_apart(
// PTX: .maxnreg 64
// PTX: End function
void few(float *y, const float *x, float a, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    y[i] = a * x[i] + y[i];
}

// Thirty values of 64 bits are.
// TABLE: version {{.*}}_many_l{{[0-9]+}}_place{{.*}} loop=natural
// PTX: .entry {{.*}}_many_l{{[0-9]+}}_place_natural_apart(
// PTX-NOT: .maxnreg
// PTX: End function
enum { MANY = 30 };
void many(double *y, const double *x, int n, int rounds) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double sum[MANY];
    for (int k = 0; k < MANY; k++)
      sum[k] = 0;
    for (int r = 0; r < rounds; r++) {
      double v = x[r * n + i];
      for (int k = 0; k < MANY; k++)
        sum[k] = sum[k] * v + k;
    }
    for (int k = 0; k < MANY; k++)
      y[k * n + i] = sum[k];
  }
}

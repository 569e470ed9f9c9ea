// A sum along a row of memory for each iteration: strips of the rows are staged, an iteration a thread; where rows are few, by eight threads each.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: grep -o 'version __omp[^\\]*' %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=IR < %t.ll
// RUN: %S/Inputs/device-compile %t.s %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %ptxas -v -arch=sm_90 -c %t.s -o /dev/null 2>&1 | grep -A2 'Compiling.*_rows_.*128p' | %FileCheck %s --check-prefix=REGISTERS
// REQUIRES: plugin, cuda

// CHECK: _rows_{{.*}}_place_gg_128t128k32 {{.*}} tiles=0,1
// CHECK: _rows_{{.*}}_place_gg_32t256k128p {{.*}} block=32 team=32 alike=8 {{.*}} strip=128 pipelined=1 threads=256
// CHECK-NOT: _rows_{{.*}} loop=block
// With the back end's strength reduction 24 bytes do not fit (HiddenSteps.h).
// REGISTERS: 0 bytes spill stores
void rows(float *restrict y, const float *restrict a, const float *restrict x, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += a[i * m + j] * x[j];
    y[i] = s;
  }
}
// Three loops along the row: one tile serves them all, one after the other.
// CHECK: _softened_{{.*}}_place_g_128t128k32 {{.*}} tiles=0
// IR-COUNT-2: @place_tile{{.*}} = internal addrspace(3) global [18432 x i8]
// IR-NOT: @place_tile{{.*}} = internal addrspace(3) global [18432 x i8]
void softened(float *restrict out, const float *restrict in, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float most = 0, sum = 0;
    for (int j = 0; j < m; j++)
      most = in[i * m + j] > most ? in[i * m + j] : most;
    for (int j = 0; j < m; j++)
      sum += most - in[i * m + j];
    for (int j = 0; j < m; j++)
      out[i * m + j] = in[i * m + j] / sum;
  }
}
// Columns lie side by side as they are: several iterations a thread have the vector in common.
// CHECK: _columns_{{.*}}_place_gg_512t128k32a {{.*}} tiles=1
void columns(float *restrict y, const float *restrict a, const float *restrict x, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int i = 0; i < n; i++)
      s += a[i * m + j] * x[i];
    y[j] = s;
  }
}

// Sequential loops below a parallel one that become a dimension of blocks: from another start than 0, in larger steps, with several counters,
// and over an array that is updated, if what an iteration reads of it is what it writes.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: grep -o 'version __omp[^\\]*' %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=IR < %t.ll
// REQUIRES: plugin, cuda

#define LOOP(n) _Pragma("omp target teams distribute parallel for") for (int i = 0; i < (n); i++)

// CHECK: _update_{{.*}}_32x32t256 {{.*}} extents=trunc32(arg0);((-2)+trunc32(arg1)) needs={{.*}}apart
void update(int *restrict a, const int *restrict in, int n, int m) {
  LOOP(n)
    for (int j = 2; j < m; j++)
      a[i * m + j] -= in[i * m + j] - in[i * m + j - 1];
}
// The counter begins at 2, and goes on by 3: 2 + 3 * index. The whole block's and the edge's.
// CHECK: _thirds_{{.*}}_32x32t256 {{.*}} needs={{.*}}reads-unwritten,writes-apart
// IR: define {{.*}}_thirds_l{{[0-9]+}}_place_g_32x32t256(
// IR: mul {{.*}}i{{32|64}} {{.*}}, 3
// IR: ret void
void thirds(int *restrict a, const int *restrict in, int n, int m) {
  LOOP(n)
    for (int j = 2; j < m; j += 3)
      a[i * m + j] = in[i * m + j] * j;
}
// CHECK: _down_{{.*}}_32x32t256 {{.*}} needs={{.*}}apart
void down(int *restrict a, const int *restrict in, int n, int m) {
  LOOP(n) {
    int at = i * m;
    for (int j = m - 1; j >= 0; j--)
      a[at++] += in[i * m + j] ^ j;
  }
}
// Two loops below one, one below two.
// CHECK: _planes_{{.*}}_4x8x32t256 {{.*}} extents=((-1)+trunc32(arg0));((-2)+trunc32(arg1));((-4)+trunc32(arg2)) needs={{.*}}apart
void planes(float *restrict a, const float *restrict in, int n, int m, int l) {
  LOOP(n - 1)
    for (int j = 1; j < m - 1; j++)
      for (int k = 2; k < l - 2; k++)
        a[(i * m + j) * l + k] += in[(i * m + j) * l + k - 1];
}
// CHECK: _pairs_{{.*}}_4x8x32t256 {{.*}} needs={{.*}}reads-unwritten,writes-apart
void pairs(float *restrict a, const float *restrict in, int n, int m, int l) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        a[(i * m + j) * l + k] = in[(i * m + j) * l + k] + k;
}
// What the iteration before has written, the row's first element, an element twice: in order.
// CHECK-NOT: {{(running|from_first|twice)_.*x32t256}}
void running(int *restrict a, const int *restrict in, int n, int m) {
  LOOP(n)
    for (int j = 1; j < m; j++)
      a[i * m + j] = a[i * m + j - 1] + in[i * m + j];
}
void from_first(int *a, int n, int m) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      a[i * m + j] += a[i * m];
}
void twice(int *restrict a, const int *restrict in, int n, int m) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      a[i * m + j / 2] = a[i * m + j / 2] * 5 + in[i * m + j];
}

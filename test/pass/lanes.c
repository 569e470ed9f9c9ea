// Blocks whose neighbouring threads lie along a loop that is not the innermost one, since most accesses run along memory there; and
// collapsed loops whose extents are powers of two, of which the compiler makes shifts and masks.
// RUN: %clang -O3 %s -fplugin=%plugin -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck %s
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// REQUIRES: plugin, cuda
#define N 256

// CHECK: region {{.*}}_columns_l
// CHECK: block=32x8 team=32x8 lanes=1 adjacent=0x0 threads=256
// CHECK: block=32x32 team=32x8 lanes=1 adjacent=0x0 threads=256
void columns(double *a, const double *b, int rows, int columns, int pitch) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int r = 1; r <= rows; r++)
    for (int c = 1; c <= columns; c++)
      a[c * pitch + r] += b[(c - 1) * pitch + r] + b[(c + 1) * pitch + r] + b[c * pitch + r - (c & 1)];
}

// CHECK: region {{.*}}_outermost_l
// CHECK: block=32x1x8 team=32x1x8 lanes=2 adjacent=0x0x0 threads=256
void outermost(float *out, const float *in, int nx, int ny, int nz) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++)
      for (int z = 0; z < nz; z++)
        out[(z * ny + y) * nx + x] += 2 * in[(z * ny + y) * nx + x];
}

// Of three loops the middle one, in two of three accesses.
// CHECK: region {{.*}}_middle_l
// CHECK: block=1x32x8 team=1x32x8 lanes=1 adjacent=0x0x0 threads=256
// CHECK: block=1x32x32 team=1x32x8 lanes=1 adjacent=0x0x0 threads=256
void middle(double *out, const double *in, const double *others, int nx, int ny, int nz) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 0; z < nz; z++)
    for (int x = 0; x < nx; x++)
      for (int y = 0; y < ny; y++)
        out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x] - others[(z * nx + x) * ny + y];
}

// As many accesses along one loop as along the other: a tile turns them.
// CHECK: region {{.*}}_turn_l
// CHECK-NOT: lanes=
// CHECK: turned=1
void turn(const float *in, float *out, int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++)
      out[x * n + y] = in[y * m + x];
}

// CHECK: region {{.*}}_powers_l
// CHECK: block=4x8x32 team=1x8x32
// CHECK-SAME: extents=256;256;256
// CHECK: block=1x32x32
void powers(const double in[][N][N], double out[][N][N]) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 0; z < N; z++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++)
        out[z][y][x] = in[z][y][x] + in[z + 1 > N - 1 ? 0 : z + 1][y][x] + in[z][y + 1 > N - 1 ? 0 : y + 1][x];
}

// The program's own parity is no limit of an index: nothing is left to be checked at launch, and no chunk loop for when that fails.
// CHECK: region {{.*}}_parity_l
// CHECK: block=32x8 team=32x8 lanes=1
// PTX: .entry {{.*}}_parity_l{{[0-9]+}}_place_g_32x8t256l1(
// PTX-COUNT-1: st.global.f32
// PTX-NOT: st.global.f32
// PTX: End function
void parity(float *out, const float *in) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int r = 0; r < N; r++)
    for (int c = 1; c < N + 1; c++)
      out[c * (N + 2) + r] = in[c * (N + 2) + r + (c & 1)] + in[c * (N + 2) + r];
}

// One element each, whatever the loops: a line.
// CHECK: region {{.*}}_line_l
// CHECK-NOT: lanes=
// CHECK: block=512
void line(const double *in, double *out, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    out[i] = in[i] + 1;
}

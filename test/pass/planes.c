// Loads of arrays in textures of two dimensions are fetches by a column and a row, which the texel's number is divided into with what comes
// with the launch; ptxas takes them for all GPUs of today.
// RUN: bash %S/Inputs/device-compile %t.ptx %clang -O3 -fplugin=%plugin -fplugin-arg-place-max-blocks=0 %s
// RUN: %FileCheck --check-prefix=PTX %s < %t.ptx
// RUN: for sm in 60 70 80 90; do %cc1 -O3 -fopenmp --offload-arch=sm_$sm --cuda-path=%place_cuda --offload-device-only -c %s -fplugin=%plugin -o %t.o || exit 1; done
// PTX-LABEL: .entry {{[a-z0-9_]*}}columns{{[a-z0-9_]*}}_place_d(
// PTX: mul.hi.u32 [[HIGH:%r[0-9]+]], [[TEXEL:%r[0-9]+]], %r{{[0-9]+}};
// PTX: shr.u32 [[ROW:%r[0-9]+]], [[HIGH]], %r{{[0-9]+}};
// PTX: tex.2d.v4.u32.s32 {[[VALUE:%r[0-9]+]], {{[^}]*}}}, [%rd{{[0-9]+}}, {[[COLUMN:%r[0-9]+]], [[ROW]]}];
// PTX-NOT: tex.1d
// The table: of which length rows are, whatever type the argument has and whatever else the index is made of. The flag makes versions without
// hints, beside those of one dimension if both are asked for; an array is in such a texture only where a row's length is found.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=TABLE %s
// TABLE: at {{[0-9]+}} columns
// TABLE: array {{[0-9]}} [[#]] a 4 r 0 global,readonly,constant,shared,texture2d texture2d -
// TABLE: _place_d role=plan loop=straight space=d,- texels=4,- pitches=4*sext32(trunc32(arg[[#]]));- threads=128 slice=128 needs=textures,threads:128
// TABLE: at {{[0-9]+}} longs
// TABLE: texels={{(-,)?}}8{{(,-)?}} pitches={{(-;)?}}8*sext32(trunc32(arg[[#]])){{(;-)?}}
// TABLE: at {{[0-9]+}} product
// TABLE: pitches=4*sext32(trunc32(arg2));4*sext32(trunc32(arg1));-
// RUN: %clang -O3 -DHINT= -fplugin=%plugin -fplugin-arg-place-spaces=texture,texture2d -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=FLAG %s
// FLAG: at {{[0-9]+}} columns
// FLAG: array {{.*}} a 4 r 0 global,readonly,constant,shared,texture,texture2d - -
// FLAG-DAG: space=t,- texels=4,- threads=128
// FLAG-DAG: space=d,- texels=4,- pitches=4*sext32(trunc32(arg[[#]]));- threads=128
// FLAG: at {{[0-9]+}} line
// FLAG: array {{.*}} a 4 r 0 global,readonly,constant,shared,texture - -
// None of an array without rows, which is said where a hint asks for it.
// RUN: %clang -O3 -DLINE -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=NONE %s
// NONE: planes.c:[[#@LINE+42]]:25: warning: #pragma place texture2d(a) ignored: no row's number is multiplied by an argument in what the region reads, as n in a[i * n + j]
// REQUIRES: plugin, cuda
#ifndef HINT
#define HINT(...) PRAGMA(place texture2d(__VA_ARGS__))
#else
#undef HINT
#define HINT(...)
#endif
#define PRAGMA(text) _Pragma(#text)

void columns(int rows, int n, const float *a, float *sum) {
  HINT(a)
#pragma omp target teams distribute parallel for map(to : a[0 : rows * n]) map(from : sum[0:n])
  for (int j = 0; j < n; j++) {
    float s = 0;
    for (int i = 0; i < rows; i++)
      s += a[i * n + j];
    sum[j] = s;
  }
}

void longs(long rows, long n, const double *a, double *out) {
  HINT(a)
#pragma omp target teams distribute parallel for map(to : a[0 : rows * n]) map(from : out[0:rows])
  for (long i = 0; i < rows; i++)
    out[i] = a[i * n + 7] + a[(i * n + 8)];
}

void product(int m, int n, int k, const float *a, const float *b, float *c) {
  HINT(a, b)
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : m * k], b[0 : k * n]) map(from : c[0 : m * n])
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < k; p++)
        s += a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
}

#if defined LINE
void line(int n, const float *a, float *out) {
#pragma place texture2d(a)
#else
void line(int n, const float *a, float *out) {
#endif
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(from : out[0:n])
  for (int i = 0; i < n; i++)
    out[i] = a[n - 1 - i];
}

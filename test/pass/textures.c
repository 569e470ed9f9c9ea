// Loads of arrays in textures are unfiltered fetches by a handle that comes with the launch, of 32-bit integers, whatever the type: of as
// many bytes as every load of the array is a whole number of. ptxas takes them for all GPUs of today.
// RUN: bash %S/Inputs/device-compile %t.ptx %clang -O3 -fplugin=%plugin -fplugin-arg-place-max-blocks=0 %s
// RUN: %FileCheck --check-prefix=PTX %s < %t.ptx
// RUN: for sm in 60 70 80 90; do %cc1 -O3 -fopenmp --offload-arch=sm_$sm --cuda-path=%place_cuda --offload-device-only -c %s -DONE -fplugin=%plugin -o %t.o || exit 1; done
// PTX-LABEL: .entry {{[a-z0-9_]*}}floats{{[a-z0-9_]*}}_place_t(
// PTX: ld.param.u64 [[HANDLE:%rd[0-9]+]], [{{[a-z0-9_]*}}_param_8];
// PTX: tex.1d.v4.u32.s32 {[[VALUE:%r[0-9]+]], {{[^}]*}}}, {{\[}}[[HANDLE]], {%r{{[0-9]+}}}];
// PTX: st.global.u32 [{{[^]]*}}], [[VALUE]];
// PTX-LABEL: .entry {{[a-z0-9_]*}}words{{[a-z0-9_]*}}_place_t(
// PTX: tex.1d.v4.u32.s32 {[[VALUE:%r[0-9]+]],
// PTX: st.global.u32 [{{[^]]*}}], [[VALUE]];
// PTX-LABEL: .entry {{[a-z0-9_]*}}doubles{{[a-z0-9_]*}}_place_t(
// PTX: tex.1d.v4.u32.s32 {[[LOW:%r[0-9]+]], [[HIGH:%r[0-9]+]],
// PTX: st.global.v2.u32 [{{[^]]*}}], {[[LOW]], [[HIGH]]};
// PTX-LABEL: .entry {{[a-z0-9_]*}}pairs{{[a-z0-9_]*}}_place_t(
// PTX: tex.1d.v4.u32.s32 {[[X:%r[0-9]+]], [[Y:%r[0-9]+]],
// PTX: st.global.v2.u32 [{{[^]]*}}], {[[X]], [[Y]]};
// PTX-LABEL: .entry {{[a-z0-9_]*}}quads{{[a-z0-9_]*}}_place_t(
// PTX: tex.1d.v4.u32.s32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]},
// PTX: st.global.v4.u32 [{{[^]]*}}], {[[A]], [[B]], [[C]], [[D]]};
// The table: where texels have how many bytes; the flag makes versions without hints, of the other arrays, too, and with effort=3 leaves
// textures open. A vector of three takes three fetches, a structure of a double and an int texels of 4 bytes.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=TABLE %s
// TABLE: array 1 2 a 4 r 0 global,readonly,constant,shared,texture texture -
// TABLE: _place_t role=plan loop=straight space=-,t texels=-,4 threads=128 needs=textures,threads:128
// TABLE: at {{[0-9]+}} doubles
// TABLE: _place_t role=plan loop=straight space=-,t texels=-,8
// TABLE: at {{[0-9]+}} quads
// TABLE: _place_t role=plan loop=straight space=-,t texels=-,16
// TABLE: at {{[0-9]+}} mixed
// TABLE: array {{.*}} other 4 r {{[0-9]}} global,readonly,constant,shared - -
// TABLE: texels=-,4,4,-
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-spaces=texture -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=FLAG %s
// FLAG: at {{[0-9]+}} mixed
// FLAG: array {{.*}} other 4 r {{[0-9]}} global,readonly,constant,shared,texture - -
// FLAG-DAG: role=plan loop=straight space=-,t,t,t texels=-,4,4,4
// FLAG-DAG: role=plan loop=straight space=-,g,g,t texels=-,-,-,4
// FLAG-DAG: role=plan loop=original space=-,*,*,* texels=-,4,4,4 needs=textures,aligned:16
// None is made otherwise, and none of what textures cannot serve, which is said.
// RUN: %clang -O3 -fplugin=%plugin -DHINT=global -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | grep -e ^array -e ^version | %FileCheck --check-prefix=NONE --implicit-check-not=texture --implicit-check-not=texels %s
// NONE: role=plan
// RUN: %clang -O3 -fplugin=%plugin -DNARROW -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=NARROW %s
// NARROW-DAG: textures.c:[[#@LINE+43]]:23: warning: #pragma place texture(a) ignored: a texture is fetched from in units of 4, 8 or 16 aligned bytes, and the array is also read in others
// NARROW-DAG: textures.c:[[#@LINE+42]]:26: warning: #pragma place texture(b) ignored: the array stays in global memory: written by the region
// RUN: %not %clang -O3 -fplugin=%plugin -fplugin-arg-place-spaces=shared -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=BAD %s
// BAD: error: -fplugin-arg-place: spaces takes texture and texture2d, not 'shared'
// REQUIRES: plugin, cuda
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef float float4 __attribute__((ext_vector_type(4)));
struct both {
  double wide;
  int narrow;
};

#ifndef HINT
#define HINT texture
#endif
#define PRAGMA(text) _Pragma(#text)
#define PLACE(hint) PRAGMA(place hint)

#define COPY(name, type)                                                                   \
  void name(int n, const type *a, type *out) {                                             \
    PLACE(HINT(a))                                                                         \
    _Pragma("omp target teams distribute parallel for map(to : a[0:n]) map(from : out[0:n])") for (int i = 0; i < n; i++) \
      out[i] = a[n - 1 - i];                                                               \
  }

COPY(floats, float)
#ifndef ONE
COPY(words, int)
COPY(doubles, double)
COPY(pairs, float2)
COPY(quads, float4)

void mixed(int n, const float3 *three, const struct both *both, const float *other, double *out) {
  PLACE(HINT(three, both))
#pragma omp target teams distribute parallel for map(to : three[0:n], both[0:n], other[0:n]) map(from : out[0:n])
  for (int i = 0; i < n; i++)
    out[i] = three[i].x * three[i].z + both[i].wide * both[i].narrow + other[i];
}
#endif

#ifdef NARROW
void narrow(int n, const unsigned char *a, int *b) {
#pragma place texture(a, b)
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(tofrom : b[0:n])
  for (int i = 0; i < n; i++)
    b[i] += a[i];
}
#endif

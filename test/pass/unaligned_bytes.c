// LLVM 19's back end loads 16 bytes by one instruction wherever they begin, which a GPU cannot: versions load them by halves. The timed copy
// of the original does what the original does.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s
// REQUIRES: plugin, cuda
typedef unsigned char anywhere __attribute__((vector_size(16), aligned(1)));
typedef unsigned char words __attribute__((vector_size(16), aligned(4)));
typedef unsigned char whole __attribute__((vector_size(16)));

// CHECK: .entry {{.*}}_from_anywhere_l{{[0-9]+}}_place_base(
// CHECK: ld.global.v4.u32
// CHECK: End function
// CHECK: .entry {{.*}}_from_anywhere_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: ld.{{.*}}v4
// CHECK-COUNT-16: ld.global.nc.u8
// CHECK: End function
void from_anywhere(whole *restrict out, const unsigned char *restrict in, int n) {
#pragma omp target teams distribute parallel for map(from : out[:n]) map(to : in[:17 * n])
  for (int i = 0; i < n; i++)
    out[i] = *(const anywhere *)(in + 17 * i);
}

// CHECK: .entry {{.*}}_from_words_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: ld.{{.*}}v4
// CHECK-COUNT-4: ld.global.nc.u32
// CHECK: End function
void from_words(whole *restrict out, const unsigned char *restrict in, int n) {
#pragma omp target teams distribute parallel for map(from : out[:n]) map(to : in[:20 * n])
  for (int i = 0; i < n; i++)
    out[i] = *(const words *)(in + 20 * i);
}

// CHECK: .entry {{.*}}_from_wholes_l{{[0-9]+}}_place_natural_apart(
// CHECK: ld.global.nc.v4.u32
// CHECK: End function
void from_wholes(whole *restrict out, const whole *restrict in, int n) {
#pragma omp target teams distribute parallel for map(from : out[:n]) map(to : in[:n])
  for (int i = 0; i < n; i++)
    out[i] = in[i];
}

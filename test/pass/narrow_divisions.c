// Indices of collapsed loops with signed counters of 64 bits are found by unsigned divisions in 32, also the second one: its dividend is a
// remainder, and of the extents, which are greater than 0 where there is an iteration, no sign is looked at.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -Wno-pass-failed
// RUN: %FileCheck %s < %t.s
// REQUIRES: plugin, cuda

// CHECK: .entry {{.*}}_three_l{{[0-9]+}}_place_{{.*}}natural_apart(
// CHECK-NOT: {{(div|rem)}}.{{[us]}}64
// CHECK: div.u32
// CHECK-NOT: {{(div|rem)}}.{{[us]}}64
// CHECK-NOT: div.s32
// CHECK: div.u32
// CHECK-NOT: {{(div|rem)}}.{{([us]64|s32)}}
// CHECK: End function
void three(float *out, const float *a, const float *b, long p, long q, long r) {
#pragma omp target teams distribute parallel for collapse(3) schedule(dynamic) map(from : out[0 : p * q * r]) map(to : a[0 : p], b[0 : q])
  for (long i = 0; i < p; i++)
    for (long j = 0; j < q; j++)
      for (long k = 0; k < r; k++)
        out[(i * q + j) * r + k] = a[i] * b[j] + k;
}

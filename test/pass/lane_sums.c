// An inner loop of a reduction, of constant length, is shared by neighbouring threads, which read neighbours: a thread's copy of an array
// of sums comes to one of them, in a register.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -Wno-pass-failed
// RUN: %FileCheck %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// RUN: %clang -O3 %s -fplugin=%plugin -Wno-pass-failed -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck --check-prefix=RECORD %s
// REQUIRES: plugin, cuda

// Eight iterations a round, with a load and an addition each; the team adds up elements through shared memory, and so do the threads of the
// last team what is in the buffer: no array of a thread's own is left.
// CHECK: .entry {{.*}}_along_l{{[0-9]+}}_place_g(
// CHECK-NOT: .local
// CHECK: and.b32 {{.*}}, 31;
// CHECK: [[ALONG:\$L__BB[0-9_]+]]: {{.*}}Inner Loop
// CHECK-COUNT-8: ld.global.f32
// CHECK-NOT: ld.
// CHECK-NOT: st.
// CHECK: bra [[ALONG]];
// CHECK: st.shared.f32
// CHECK-NOT: {{(ld|st)}}.local
// CHECK: atom.global.add.u32
// CHECK-NOT: {{(ld|st)}}.local
// CHECK: End function
void along(float *sums, const float *a, long n) {
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 32]) map(to : a[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      sums[j] += a[i * 32 + j];
}

// Neighbours along the inner loop are far from each other in an array: it stays as it is, and warps share iterations evenly
// (evenly.c), which they do not where neighbours share one.
// RECORD: region {{.*}}_along_l
// RECORD-NOT: even=
// RECORD: region {{.*}}_across_l
// RECORD: version {{.*}} loop=strided {{.*}} even=1
// CHECK: .entry {{.*}}_across_l{{[0-9]+}}_place_{{g+}}(
// CHECK: shr.u64 {{.*}}, 5;
// CHECK: shl.b64 {{.*}}, 5;
// CHECK-NOT: shr.u64 {{.*}}, 5;
// CHECK: End function
float across(const float *a, const float *b, long n) {
  float sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : a[0 : 32 * n], b[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      sum += a[i * 32 + j] * b[j * n + i];
  return sum;
}

// Loops of a team's part of which nothing is needed but their effects are carried out by its first thread, between two barriers: not each
// effect that something reads between two of its own.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s
// REQUIRES: plugin, cuda

// The first ends where the second begins. (In front of them stands the end of the distributed loop's round.)
// CHECK-LABEL: .entry {{.*}}_filled_l{{[0-9]+}}_place_g(
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: st.shared
// CHECK: bar.sync
// CHECK-NOT: {{bar.sync|st.shared}}
// CHECK: bra
// CHECK: ld.shared
// CHECK-NOT: bar.sync
// CHECK: st.shared
// CHECK: bar.sync
// CHECK: st.shared
// CHECK: bar.sync
// CHECK-NOT: {{bar.sync|st.shared}}
// CHECK: End function
void filled(int n, int m, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float held[40];
    for (int k = 0; k < 40; k++)
      held[k] = a[i * 40 + k];
    for (int k = 1; k < m; k++)
      held[k] += held[k - 1];
#pragma omp parallel for
    for (int j = 0; j < 40; j++)
      held[j] *= o[i * 40 + j];
#pragma omp parallel for
    for (int j = 0; j < 40; j++)
      o[i * 40 + j] = held[j] + held[39 - j];
  }
}

// All threads have the sum, and what one stores the others read one round later.
// CHECK-LABEL: .entry {{.*}}_counted_l{{[0-9]+}}_place_plain(
// CHECK: ld.global
// CHECK: bar.sync
// CHECK: st.global
// CHECK: bar.sync
// CHECK: bra
// CHECK: End function
void counted(int n, int m, float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < m; k++) {
      sum += a[i * m + k];
      a[i * m + k] = sum;
    }
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      o[i * m + j] = sum;
  }
}

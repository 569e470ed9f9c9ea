// The chunk loop of a straight version has the body twice, for whole chunks and for the last one, if that is small; a large one is there
// once, and threads without an iteration leave in front of it.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3
// RUN: %FileCheck --check-prefix=SMALL %s < %t.s
// RUN: %FileCheck --check-prefix=LARGE %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// SMALL: .entry {{.*}}_small_l{{[0-9]+}}_place_gc(
// SMALL-COUNT-2: st.global
// SMALL-NOT: st.global
// SMALL: End function
void small(const float *a, const float *w, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * w[3];
}

#define ONE(k) o[i + k * n] = a[i + k] * w[k] + a[i + 2 * k] / w[k + 1];
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
// LARGE: .entry {{.*}}_large_l{{[0-9]+}}_place_gc(
// LARGE: .reqntid 128
// LARGE-NOT: bar.sync
// LARGE: exit;
// LARGE-COUNT-16: st.global
// LARGE-NOT: st.global
// LARGE: End function
void large(const float *restrict a, const float *restrict w, float *restrict o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    FOUR(0) FOUR(4) FOUR(8) FOUR(12)
  }
}

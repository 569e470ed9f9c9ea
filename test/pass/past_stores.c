// With one iteration a thread, and arrays that the launch shows to be apart, loads stand before the stores that the source has before them:
// ptxas, which does not know that, would wait for what is stored. Where arrays may overlap, they stay behind.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -Wno-pass-failed
// RUN: %FileCheck --check-prefix=APART %s < %t.s
// RUN: %FileCheck --check-prefix=ANY %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// APART: .entry {{.*}}_flux_l{{[0-9]+}}_place_natural_apart(
// APART-COUNT-6: ld.global
// APART-NOT: ld.
// APART-COUNT-3: st.global
// APART: End function
// ANY: .entry {{.*}}_flux_l{{[0-9]+}}_place_natural(
// ANY-COUNT-2: ld.global
// ANY-NOT: ld.
// ANY: st.global
// ANY: ld.global
// ANY: End function
void flux(double *a, double *b, double *c, int n, double t) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n], b[ : n], c[ : n + 1])
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * t + c[i + 1];
    b[i] = b[i] * t + c[i + 1] * c[i + 1];
    c[i] = c[i] - a[i];
  }
}

// An element of the same array may be the one that was just stored.
// APART: .entry {{.*}}_shift_l{{[0-9]+}}_place_natural_apart(
// APART: st.global
// APART: ld.global
// APART: st.global
// APART: End function
void shift(int *a, const int *to, const int *from, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : 2 * n]) map(to : to[ : n], from[ : n])
  for (int i = 0; i < n; i++) {
    a[2 * i + to[i]] = i;
    a[2 * i] += a[2 * i + from[i]];
  }
}

// What is the same for all iterations and stands in memory, LLVM loads once a chunk, between the guard and the inner loop, and asks for
// both parts of the guard one after the other then. Versions have straight loops and blocks all the same, and load it in front of
// their loops where nothing that they write can be it.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=access 2> %t.summary
// RUN: %FileCheck --check-prefix=SUMMARY %s < %t.summary
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// RUN: %clang -O3 %s -fplugin=%plugin -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck %s
// RUN: %S/Inputs/device-compile %t.plain.s %clang -O3 %s
// RUN: grep -vE '^(//|$)' %t.plain.s | sed -n '/entry.*_scaled_l[0-9]*(/,/^}/p' | sed -E 's/BB[0-9]+/BB/g' > %t.plain
// RUN: grep -vE '^(//|$)' %t.s | sed -n '/entry.*_scaled_l[0-9]*(/,/^}/p' | sed -E 's/BB[0-9]+/BB/g' | diff %t.plain -
// REQUIRES: plugin, cuda

// SUMMARY-LABEL: kernel {{.*}}_scaled_l
// SUMMARY: chunks of 128
// CHECK: region {{.*}}_scaled_l
// CHECK-DAG: loop=straight
// CHECK-DAG: loop=block
// PTX: .entry {{.*}}_scaled_l{{[0-9]+}}_place_gg_512t128a(
// PTX: ld.global.nc.v2.f64
// PTX: st.global.v2.f64
// PTX: End function
void scaled(const double *x, const int *by, double *y, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    y[i] = x[i] * by[1];
}

// Two loops collapsed.
// SUMMARY-LABEL: kernel {{.*}}_two_l
// SUMMARY: chunks of 128
// CHECK: region {{.*}}_two_l
// CHECK: loop=block
void two(const double *x, const int *by, double *y, int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[j * n + i] * by[1];
}

// A pointer.
// SUMMARY-LABEL: kernel {{.*}}_held_l
// SUMMARY: chunks of 128
// CHECK: region {{.*}}_held_l
// CHECK: loop=block
struct held {
  const double *in;
};
void held(const struct held *h, double *y, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    y[i] = h->in[i];
}

// It may be the memory that is written, with what was loaded.
// SUMMARY-LABEL: kernel {{.*}}_filled_l
// SUMMARY: chunks of 128
// CHECK: region {{.*}}_filled_l
// CHECK: loop=block
void filled(const double *from, double *y, long n, long at) {
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    y[i] = from[at];
}

// The end of a sequential loop, a scalar that is mapped by itself, is better in front of all loops, for launches whose arrays are apart.
// CHECK: region {{.*}}_ended_l
// CHECK: _apart role=plan loop=block {{.*}} strip=32
void ended(const double *x, const double *w, double *y, int n, int m) {
#pragma omp target teams distribute parallel for map(to : m, x[ : n + m], w[ : m]) map(from : y[ : n])
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
      sum += x[i + j] * w[j];
    y[i] = sum;
  }
}

// The chunk loop of a plain combined construct is rebuilt in special versions: whole chunks without guard and barriers, in control
// flow that is uniform over the team; copies are read 16 bytes at a time. What cannot be rebuilt keeps clang's form.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=access 2> %t.summary
// RUN: %FileCheck --check-prefix=SUMMARY %s < %t.summary
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// SUMMARY-LABEL: kernel {{.*}}_conv_l
// SUMMARY: threads 128, teams open, chunks of 128
// PTX: .entry {{.*}}_conv_l{{[0-9]+}}_place_gc(
// PTX: .reqntid 128
// PTX-NOT: bar.sync
// PTX: ld.const.v4.f32
// PTX: End function
// PTX: .entry {{.*}}_conv_l{{[0-9]+}}_place_gs(
// PTX: bar.sync
// PTX-NOT: bar.sync
// PTX: ld.shared.v4.f32
// PTX: End function
void conv(const float *a, const float *w, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += a[i + j] * w[j];
    o[i] = s;
  }
}

// 64-bit counters of a collapsed loop.
// SUMMARY-LABEL: kernel {{.*}}_two_l
// SUMMARY: chunks of 128
void two(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      o[y * n + x] = a[x * n + y];
}

// Another team size.
// SUMMARY-LABEL: kernel {{.*}}_wide_l
// SUMMARY: threads 256, teams open, chunks of 256
void wide(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for thread_limit(256)
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// A reduction's threads talk to each other behind the loop.
// SUMMARY-LABEL: kernel {{.*}}_sum_l
// SUMMARY-NOT: chunks of
// SUMMARY: loop L0
float sum(const float *a, int n) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// One iteration a thread by teams of a warp, where a launch may be small: by the code for large teams. Nothing in front of its loop turns
// teams away.
// RUN: %clang -O3 %s -fplugin=%plugin -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck %s
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=1 -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck --check-prefix=ONE %s
// RUN: %S/Inputs/device-compile %t.one.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=1
// RUN: %FileCheck --check-prefix=FIXED %s < %t.one.s
// REQUIRES: plugin, cuda

// CHECK: region {{.*}}_any_l
// CHECK: _natural_apart {{.*}} threads=512 each=1 short=8 needs=open-threads,trips-most:2147481599,apart
// CHECK: _natural_warp {{.*}} kernel={{.*}}_any_l{{[0-9]+}}_place_natural_apart threads=32 each=1 short=8 needs=open-threads,trips-most:65536,apart
// PTX-NOT: natural_warp
// PTX: .entry {{.*}}_any_l{{[0-9]+}}_place_natural_apart(
// PTX: .maxntid 512
// PTX: [[TEAM:%r[0-9]+]], %ctaid.x
// PTX: [[THREADS:%r[0-9]+]], %ntid.x
// PTX-NOT: shl.b32
// PTX: mad.lo.s32 {{.*}}, [[THREADS]],
// PTX: End function
// ONE: region {{.*}}_any_l
// ONE-NOT: natural_warp
// FIXED: .entry {{.*}}_any_l{{[0-9]+}}_place_natural_apart(
// FIXED: .reqntid 512
void any(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] + 1;
}

// The source's own limit, in whose chunks it is compiled.
// CHECK: region {{.*}}_limited_l
// CHECK: _natural_warp {{.*}} threads=32 each=1 short=8 needs=open-threads,trips-most:32768,apart
void limited(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for thread_limit(256)
  for (int i = 0; i < n; i++)
    o[i] = a[i] + 1;
}

// An iteration with a loop of its own takes long: as many as a GPU holds at once in teams of a warp.
// CHECK: region {{.*}}_sums_l
// CHECK: _natural_apart {{.*}} threads=128 each=1 {{.*}}
// CHECK: _natural_warp {{.*}} threads=32 each=1 {{.*}}trips-most:131072,apart
void sums(const float *a, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < m; j++)
      sum += a[j] * a[i];
    o[i] = sum;
  }
}

// Never few.
// CHECK: region {{.*}}_many_l
// CHECK-NOT: natural_warp
// CHECK: region {{.*}}_known_l
// CHECK: _natural_warp
void many(const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100000; i++)
    o[i] = a[i] + 1;
}

void known(const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000; i++)
    o[i] = a[i] + 1;
}

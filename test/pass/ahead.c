// Loops that end early where a value is found: several iterations are looked at together, with loads side by side, as far as the launch
// finds arrays mapped.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// RUN: grep -o 'version __omp[^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// RUN: %S/Inputs/device-compile %t.ptx %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s --check-prefix=PTX < %t.ptx
// REQUIRES: plugin, cuda

// TABLE: _search_{{.*}}_place_natural_apart {{.*}} ahead=8*zext32(((-1)+trunc32(arg1)));-;- needs={{.*}}reads-mapped,{{.*}}reads-aligned:16
// TABLE: _search_{{.*}}_place_natural_warp {{.*}} kernel={{.*}}_place_natural_apart {{.*}} ahead={{.*}} needs={{.*}}reads-mapped
// TABLE: _beyond_{{.*}}_place_natural_apart {{.*}} ahead=((-4)+12*umin64(1099511627776,((-1)+arg1)));- needs=
// TABLE: _beyond_{{.*}}_place_natural_warp {{.*}} ahead=
// TABLE-NOT: ahead=
void search(int *restrict found, const double *a, const double *x, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < m; i++) {
    int at = -1;
    for (int p = 0; p < n; p++)
      if (a[p] >= x[i]) {
        at = p;
        break;
      }
    found[i] = at;
  }
}
// CHECK: define {{.*}}_search_l{{[0-9]+}}_place_natural_apart(
// CHECK-COUNT-8: load <2 x double>, ptr {{.*}}, align 16
// CHECK-NOT: load
// CHECK: br i1
// One by one it finds out which.
// CHECK: load double,
// CHECK-NEXT: fcmp ult double
// CHECK: {{^}}}
// Sixteen comparisons, not a maximum of doubles.
// PTX: .entry {{.*}}_search_l{{[0-9]+}}_place_natural_apart(
// PTX-COUNT-8: ld.global.nc.v2.f64
// PTX-NOT: max.f64
// PTX-COUNT-16: setp.ge.f64
// PTX: ret;

struct edge { float length; int from, to; };

// The bound has 64 bits: beyond 2^40 it is more than can be mapped.
void beyond(float *restrict out, const struct edge *edges, long n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < m; i++) {
    float sum = 0;
    for (long p = 0; p < n; p++) {
      if (edges[p].from == i) break;
      sum += edges[p].length;
    }
    out[i] = sum;
  }
}

// No bound that the launch knows; a store; another loop inside; elements that depend on what was read; nothing is left to find out.
void others(int *restrict found, const int *a, const int *ends, int *restrict log, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < m; i++) {
    int p = 0;
    while (a[p] != i) p++;
    found[i] = p;
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < m; i++) {
    int p = 0;
    for (; p < ends[i]; p++)
      if (a[p] == i) break;
    found[i] = p;
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < m; i++) {
    int p = 0;
    for (; p < n; p++) {
      if (a[p] == i) break;
      log[i] = p;
    }
    found[i] = p;
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < m; i++) {
    int p = 0;
    for (; p < n; p++)
      if (a[ends[p]] == i) break;
    found[i] = p;
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < m; i++) {
    int sum = 0;
    for (int p = 0; p < n; p++)
      sum += a[p] ^ i;
    found[i] = sum;
  }
}

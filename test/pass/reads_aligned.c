// What is only read is known to be aligned in the version with one iteration a thread, where members of one element are read: they are loaded
// at once, three of four with the fourth.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: grep -o 'version [^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// RUN: %FileCheck %s < %t.ll
// REQUIRES: plugin, cuda
typedef struct { float x, y, z, w; } quad;
typedef struct { double e[3][6]; } matrix;

// TABLE: version {{.*}}_apart_members_{{.*}}loop=natural{{.*}},apart,reads-aligned:16
// CHECK-LABEL: define {{.*}}_apart_members_l{{[0-9]+}}_place_natural_apart(
// CHECK: load <4 x float>{{.*}} align 16
// CHECK-NOT: load float
// CHECK: ret void
void apart_members(float *o, const quad *p, const int *from, int n) {
#pragma omp target teams distribute parallel for map(to : p[0 : n], from[0 : n]) map(from : o[0 : n])
  for (int i = 0; i < n; i++) {
    quad q = p[from[i]];
    o[i] = q.x * q.y + q.z;
  }
}

// TABLE: version {{.*}}_large_members_{{.*}}loop=natural{{.*}}reads-aligned:16
// CHECK-LABEL: define {{.*}}_large_members_l{{[0-9]+}}_place_natural_apart(
// CHECK: load <2 x double>{{.*}} align 16
// CHECK: ret void
void large_members(double *o, const matrix *a, int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(from : o[0 : n])
  for (int i = 0; i < n; i++) o[i] = a[i].e[0][0] * a[i].e[0][1] + a[i].e[2][4] * a[i].e[2][5];
}

// One element an iteration, and the same elements for all: nothing is asked of the launch.
// TABLE: version {{.*}}_single_{{.*}}loop=natural
// TABLE-NOT: reads-aligned
// CHECK-LABEL: define {{.*}}_single_l{{[0-9]+}}_place_natural_apart(
void single(double *o, const double *a, const double *c, int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n], c[0 : 2]) map(from : o[0 : n])
  for (int i = 0; i < n; i++) o[i] = a[i] * c[0] + c[1];
}

// A structure that one array's element is given from another's is copied word by word in versions, so that its arrays can be anywhere and its
// loops can be in blocks. What is long, or of a length that is not known, stays a call.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: grep -o '\(region\|array\|version\) [^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// RUN: %FileCheck %s < %t.ll
// REQUIRES: plugin, cuda
int omp_get_thread_num(void), omp_get_team_num(void);
typedef struct { double re, im; } complex;
typedef struct { float v[9]; } matrix;
typedef struct { float v[64]; } block;

// TABLE-LABEL: region {{.*}}_turn_
// TABLE: array {{.*}} a 16 r 0 global,readonly,constant,shared
// TABLE: version {{.*}}_turn_{{.*}} loop=block
// CHECK-LABEL: define {{.*}}_turn_l{{[0-9]+}}(
// CHECK: @llvm.memcpy.
// CHECK-LABEL: define {{.*}}_turn_l{{[0-9]+}}_place_natural
// CHECK-NOT: @llvm.memcpy.
// CHECK: load i64{{.*}} align 8
// CHECK-NOT: @llvm.memcpy.
// CHECK: ret void
void turn(complex *restrict o, const complex *restrict a, int n) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : n * n]) map(from : o[0 : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) o[j * n + i] = a[i * n + j];
}

// TABLE-LABEL: region {{.*}}_pick_
// TABLE: array {{.*}} a 36 r 0 global,readonly,constant,shared
void pick(matrix *o, const matrix *a, const int *from, int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n], from[0 : n]) map(from : o[0 : n])
  for (int i = 0; i < n; i++) o[i] = a[from[i]];
}

// TABLE-LABEL: region {{.*}}_stay_
// TABLE: array {{.*}} a {{.*}} copied as a whole
void stay(block *o, const block *a, const int *from, int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n], from[0 : n]) map(from : o[0 : n])
  for (int i = 0; i < n; i++) o[i] = a[from[i]];
}

// A packed structure in an array of the team's: byte by byte, as its type has it, would take four times as long as what the back end makes
// of a copy whose ends it knows to be aligned.
typedef struct __attribute__((packed)) { float x, y, z, w; } packed;

// CHECK-LABEL: define {{.*}}_swap_l{{[0-9]+}}_place_{{(plain|g)}}
// CHECK: @llvm.memcpy.
// CHECK-NOT: load i8
// CHECK-NOT: load <4 x i8>
// CHECK: ret void
void exchange(packed *a, packed *b) {
  packed kept = *b;
  *b = *a;
  *a = kept;
}
void swap(packed *o, int n) {
#pragma omp target teams num_teams(n) thread_limit(256) map(from : o[0 : 256 * n])
  {
    packed buffer[512];
#pragma omp parallel
    {
      int t = omp_get_thread_num();
      buffer[t] = (packed){t, 1, 2, 3}, buffer[t + 256] = (packed){4, t, 5, 6};
#pragma omp barrier
      for (int k = 0; k < n; k++) {
        exchange(buffer + t, buffer + 256 + t);
#pragma omp barrier
      }
      o[omp_get_team_num() * 256 + t] = buffer[t];
    }
  }
}

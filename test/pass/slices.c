// Which versions may be launched in slices: teams in the order of the space, nobody to wait for, a number of iterations that the host
// knows, and a loop in the body. A slice adds its first team to a team's number, and takes the number of all teams from the launch.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=SUMS < %t.ll
// RUN: grep -o 'version __omp[^\\]*' %t.ll | %FileCheck %s --check-prefix=TABLE
// REQUIRES: plugin, cuda

// TABLE: _sums_{{.*}}_place_base role=base {{.*}} slice=128{{$}}
// TABLE: _sums_{{.*}}_place_natural_apart {{.*}} each=1 slice=128 needs=
// TABLE: _sums_{{.*}}_place_natural_warp {{.*}} kernel={{.*}}_place_natural_apart threads=32 each=1 slice=32 needs=
// TABLE: _product_{{.*}}_place_base {{.*}} slice=128{{$}}
// TABLE: _product_{{.*}} loop=block {{.*}} slice=4096 origin=8 extents=
// TABLE: _distinct_{{.*}}_place_base role=base {{.*}} slice=128{{$}}
// TABLE: _distinct_{{.*}} loop=strided {{.*}} fill=2048 even=1 slice=1 needs=
// TABLE: _none_{{.*}}_place_base role=base loop=original space=-{{$}}
// TABLE-NOT: slice=
void sums(float *restrict out, const float *in, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += in[i * m + j];
    out[i] = s;
  }
}
// CHECK: define {{.*}}_sums_l{{[0-9]+}}_place_natural_apart({{.*}}, i64 [[FIRST:%[0-9]+]], i64 [[TEAMS:%[0-9]+]])
// CHECK: atomicrmw umax
// CHECK: [[OWN:%[0-9]+]] = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(){{$}}
// CHECK-NEXT: [[ALL:%[0-9]+]] = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
// CHECK-NEXT: [[TOLD:%[0-9]+]] = trunc i64 [[TEAMS]] to i32
// CHECK-NEXT: [[FROM:%[0-9]+]] = trunc i64 [[FIRST]] to i32
// CHECK-NEXT: add nuw nsw i32 [[OWN]], [[FROM]]
// CHECK-NEXT: [[WHOLE:%[0-9]+]] = icmp eq i32 [[TOLD]], 0
// CHECK-NEXT: select i1 [[WHOLE]], i32 [[ALL]], i32 [[TOLD]]
// CHECK: {{^}}}

// Blocks begin where the slice before them ended, in eights of the outermost loop's iterations. Those that the launch turns out not to suit
// are left to another version.
// CHECK: define {{.*}}_product_l{{[0-9]+}}_place_gg_64x64t256k16a({{.*}}, i64 [[FIRST:%[0-9]+]], i64 [[TEAMS:%[0-9]+]])
// CHECK: [[EIGHTS:%[0-9]+]] = lshr i64 [[FIRST]], 29
// CHECK-NEXT: [[WORD:%[0-9]+]] = trunc i64 [[EIGHTS]] to i32
// CHECK-NEXT: and i32 [[WORD]], -8
// CHECK: [[WHOLE:%[0-9]+]] = icmp eq i64 [[TEAMS]], 0
// CHECK-NEXT: br i1 [[WHOLE]], label {{%[0-9]+}}, label %[[DECLINED:[0-9]+]]
// CHECK: {{^}}[[DECLINED]]:
// CHECK: store i64 1, ptr addrspace(1)

void product(const float *a, const float *b, float *c, int n, int m, int k) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int l = 0; l < k; l++) s += a[i * k + l] * b[l * m + j];
      c[i * m + j] = s;
    }
}

// A reduction of integers, whose length is in memory: an interval of the iterations, 0 for all that are left. The base's chunks begin at those of
// a later team, and the next ones lie as far away as the launch says; what it reduces goes by the teams' own numbers.
// SUMS: define {{.*}}_distinct_l{{[0-9]+}}_place_base({{.*}}, i64 [[FIRST:%[0-9]+]], i64 [[TEAMS:%[0-9]+]])
// SUMS-DAG: [[TOLD:%[0-9]+]] = trunc i64 [[TEAMS]] to i32
// SUMS-DAG: [[FROM:%[0-9]+]] = trunc i64 [[FIRST]] to i32
// SUMS-DAG: [[OWN:%[0-9]+]] = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// SUMS-DAG: [[LATER:%[0-9]+]] = add nuw nsw i32 [[OWN]], [[FROM]]
// SUMS-DAG: [[STEPS:%[0-9]+]] = select i1 {{%[0-9]+}}, i32 {{%[0-9]+}}, i32 [[TOLD]]
// SUMS: [[MINE:%[0-9]+]] = tail call {{.*}} @llvm.nvvm.read.ptx.sreg.ctaid.x()
// SUMS: shl nuw nsw i32 [[LATER]], 7
// SUMS: shl nuw nsw i32 [[STEPS]], 7
// SUMS: phi i32 {{.*}}[[MINE]]
// SUMS: {{^}}}
// SUMS: define {{.*}}_distinct_l{{[0-9]+}}_place_gg({{.*}}, i64 [[FIRST:%[0-9]+]], i64 [[END:%[0-9]+]])
// SUMS: [[BEHIND:%[0-9]+]] = sub i64 -9223372036854775808, [[END]]
// SUMS: [[ALL:%[0-9]+]] = icmp eq i64 [[END]], 0
// SUMS: call i64 @llvm.smin.i64(
// SUMS: {{^}}}
struct length {
  int n;
};
long distinct(const int *a, struct length *length, int m) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : length[0 : 1])
  for (int i = 0; i < length->n; i++) {
    int d = 0;
    for (int j = 1; j < m; j++) d += a[i * m + j] != a[i * m + j - 1];
    s += d;
  }
  return s;
}

// No loop: over before a slice could tell anything.
void none(float *a, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] += 1;
}

// Somebody may wait for another team.
void none_waits(float *a, volatile int *flag, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i * m + j] += flag[j];
}

void none_counts(float *a, int *next, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int at;
#pragma omp atomic capture
      at = (*next)++;
      a[at] = i;
    }
}

// All teams have to be in one launch.
double none_reduces(const float *a, int n, int m) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sum += a[i * m + j];
  return sum;
}

// The device's number may be another than the host's.
void none_reads(float *a, int *n, int m) {
#pragma omp target teams distribute parallel for map(to : n[0 : 1])
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < m; j++) a[i * m + j] += 1;
}

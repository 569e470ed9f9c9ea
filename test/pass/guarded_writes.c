// Generic kernels that openmp-opt turns into SPMD ones: in a copy, thread 0 waits before it writes what others may not have read yet, and reads
// alone what it alone needs (GuardedWrites.cpp). With barriers of the program's own there is no such copy.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table -Wno-pass-failed 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck %s < %t.s
// REQUIRES: plugin, cuda
enum { N = 64 };
static unsigned depth_of(unsigned x, unsigned y) { return (x & 7) == 0 || y == 0 ? x : depth_of(x & 6 ? (x - 1) & 7 : x / 8, y / 2) + 1; }

/* The sum of a row up to where it is beyond the limit. A function's would be no variable of the team's. */
#define SUM_UP(row)                                           \
  int sum = 0;                                                \
  for (int k = 0; k < n; k++) {                               \
    sum += (int)depth_of((unsigned)(row)[k], (unsigned)a[k]); \
    if (sum > limit) break;                                   \
  }

// TABLE: version {{.*}}_decided_{{.*}} loop=isolated
// The sum is read, all wait, thread 0 writes it, and all wait.
// CHECK: .entry {{.*}}_decided_l{{[0-9]+}}_place_plain(
// CHECK: ld.shared.u32 [[SUM:%r[0-9]+]], [_shared_$_0];
// CHECK-NEXT: add.s32 {{.*}}, [[SUM]];
// CHECK-NOT: bra
// CHECK: __kmpc_barrier_simple_spmd,
// CHECK: @%p{{[0-9]+}} bra
// CHECK-NOT: st.shared
// CHECK: __kmpc_barrier_simple_spmd,
// CHECK: End function
void decided(const int *a, int *o, int n, int limit) {
#pragma omp target teams distribute map(to : a[0 : N * N]) map(tofrom : o[0 : N * N])
  for (int i = 0; i < n; i++) {
    SUM_UP(a + i * N)
#pragma omp parallel for
    for (int j = 0; j < n; j++) o[i * N + j] += sum * j;
  }
}

// TABLE: region {{.*}}_own_barrier_l
// TABLE-NOT: version {{.*}}_own_barrier_{{.*}} loop=isolated
// TABLE: region {{.*}}_end_l
void own_barrier(const int *a, int *o, int n, int limit) {
#pragma omp target teams distribute map(to : a[0 : N * N]) map(tofrom : o[0 : N * N])
  for (int i = 0; i < n; i++) {
    SUM_UP(a + i * N)
#pragma omp parallel
    {
#pragma omp for
      for (int j = 0; j < n; j++) o[i * N + j] += sum * j;
#pragma omp for
      for (int j = 0; j < n; j++) o[i * N + n - 1 - j] += sum;
    }
  }
}

void end(int *o, int n) {
#pragma omp target teams distribute parallel for map(tofrom : o[0 : n])
  for (int i = 0; i < n; i++) o[i] += i;
}

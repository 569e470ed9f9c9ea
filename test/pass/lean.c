// Kernels whose loops have not clang's chunk form are rebuilt to do without the device runtime: no call of it, none of its state, no
// barrier that the program does not need. What stands in the way of that is the region's reason, and gone it is not.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %FileCheck --check-prefix=ROUTE %s < %t.s
// REQUIRES: plugin, cuda
int omp_get_thread_num(void);
int omp_get_level(void);
int omp_get_team_num(void);

// A schedule of the program's: an iteration a thread all the same.
// TABLE-LABEL: region {{.*}}_dynamic_l
// TABLE: version {{.*}}_place_natural_apart {{.*}}loop=natural
// PTX: .entry {{.*}}_dynamic_l{{[0-9]+}}_place_natural_apart(
// PTX-NOT: bar.sync
// PTX-NOT: call
// PTX-NOT: .shared
// PTX-NOT: .local
// PTX-NOT: div
// PTX: End function
// What nothing writes is loaded so where that is known of the launch, and only there.
// ROUTE: .entry {{.*}}_dynamic_l{{[0-9]+}}_place_natural_apart(
// ROUTE: ld.global.nc.f32
// ROUTE: End function
// ROUTE: .entry {{.*}}_dynamic_l{{[0-9]+}}_place_natural(
// ROUTE-NOT: ld.global.nc
// ROUTE: End function
void dynamic(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// The team's iteration stays its own, the inner loop walks in steps of the team: no state, and the one barrier is for a[i], which
// the inner loop may write.
// TABLE-LABEL: region {{.*}}_rows_l
// TABLE: version {{.*}}_place_g role=plan loop=straight
// PTX: .entry {{.*}}_rows_l{{[0-9]+}}_place_g(
// PTX-NOT: .shared
// PTX: bar.sync
// PTX-NOT: bar.sync
// PTX: add.s32 {{.*}}, 128;
// PTX: End function
void rows(int n, int m, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float s = a[i];
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      o[i * m + j] = s;
  }
}

// One thread of a region has its number, and a team its own.
// TABLE-LABEL: region {{.*}}_one_l
// TABLE: version {{.*}}_place_g role=plan loop=straight
// PTX: .entry {{.*}}_one_l{{[0-9]+}}_place_g(
// PTX-NOT: call
// PTX: End function
void one(int n, int m, const float *a, float *o) {
#pragma omp target teams distribute map(to : a[ : n * m]) map(tofrom : o[ : n])
  for (int i = 0; i < n; i++) {
    float s = omp_get_team_num();
#pragma omp parallel
    {
#pragma omp single
      s += a[i];
#pragma omp masked filter(2)
      o[i] += s;
    }
  }
}

// TABLE-LABEL: region {{.*}}_flat_l
// TABLE-NEXT: at
// TABLE-NEXT: kind spmd
// TABLE-NOT: level
// TABLE: loop=natural
void flat(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    o[i] = a[i] + omp_get_thread_num();
}

// TABLE-LABEL: region {{.*}}_levels_l
// TABLE-NEXT: at
// TABLE-NEXT: kind spmd it asks for the level of nested parallel regions
// TABLE-NOT: loop={{natural|straight}}
// TABLE-LABEL: region {{.*}}_team_l
void levels(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    float s = a[i];
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < 3; j++)
      s += omp_get_level();
    o[i] = s;
  }
}

// An atomic value that decides what the team does is the first thread's alone.
// TABLE-NEXT: at
// TABLE-NEXT: kind spmd an atomic value between teams and parallel
// TABLE-NOT: loop=straight
// TABLE: end
void team(int n, int *next, float *o) {
#pragma omp target teams
  {
    int i;
#pragma omp atomic capture
    i = (*next)++;
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = i;
  }
}

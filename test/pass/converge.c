// In front of a version's barriers that parts of a warp may reach stands a way out (transform/Converge.h), in front of others none: what
// leads to them from the barrier before is no branch that threads of a warp take differently, and nothing that ptxas makes branches of.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.s
// REQUIRES: plugin, cuda
int omp_get_thread_num(void), omp_get_team_num(void);

// The first barrier is that of the parallel region's begin, behind the timer's branches.
// CHECK-LABEL: .entry {{.*}}together{{.*}}_place_{{(g|plain)+}}(
// CHECK: st.shared
// CHECK-NOT: exit;
// CHECK: bar.sync
// CHECK-NOT: exit;
// CHECK: bar.sync
// CHECK: End function
void together(float *o, const float *a, int n) {
#pragma omp target teams num_teams(n) thread_limit(128) map(to : a[0 : 128 * n]) map(from : o[0 : 128 * n])
  {
    float row[128];
#pragma omp parallel
    {
      int t = omp_get_thread_num(), at = omp_get_team_num() * 128 + t;
      row[t] = a[at];
#pragma omp barrier
      for (int k = 0; k < n; k++) {
        float of = row[t ^ 1];
#pragma omp barrier
        row[t] = of + row[t] * 2;
#pragma omp barrier
      }
      o[at] = row[t];
    }
  }
}

// CHECK-LABEL: .entry {{.*}}parted{{.*}}_place_{{(g|plain)+}}(
// CHECK: ld.global
// CHECK: exit;
// CHECK: bar.sync
// CHECK: End function
void parted(float *o, const float *a, int n) {
#pragma omp target teams num_teams(n) thread_limit(128) map(to : a[0 : 128 * n]) map(from : o[0 : 128 * n])
  {
    float row[128];
#pragma omp parallel
    {
      int t = omp_get_thread_num(), at = omp_get_team_num() * 128 + t;
      row[t] = t;
      if (t % 3 == 0)
        for (int k = 0; k < t; k++)
          row[t] += a[at + k];
#pragma omp barrier
      o[at] = row[t ^ 1];
    }
  }
}

// A division takes a branch for operands out of the ordinary.
// CHECK-LABEL: .entry {{.*}}divided{{.*}}_place_{{(g|plain)+}}(
// CHECK: rcp.rn
// CHECK: exit;
// CHECK: bar.sync
// CHECK: End function
void divided(float *o, const float *a, int n) {
#pragma omp target teams num_teams(n) thread_limit(128) map(to : a[0 : 128 * n]) map(from : o[0 : 128 * n])
  {
    float row[128];
#pragma omp parallel
    {
      int t = omp_get_thread_num(), at = omp_get_team_num() * 128 + t;
      row[t] = 1 / a[at];
#pragma omp barrier
      o[at] = row[t ^ 1];
    }
  }
}

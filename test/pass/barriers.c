// The device runtime's barriers around each chunk of a loop that teams and threads share are in no version: its iterations are
// independent of each other. Barriers between a team's loops, and behind what a team copies, stay, with a way out in front of those
// that a warp may reach in parts, which no thread takes (Converge.h). The base version is as the original.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %S/Inputs/device-compile %t.old.s %clang -O3 %s -fplugin=%plugin --offload-arch=sm_70
// RUN: %FileCheck --check-prefix=OLD %s < %t.old.s
// REQUIRES: plugin, cuda

// TABLE: version {{.*}}_scattered_l{{[0-9]+}}_place_agnostic role=plan loop=original
// TABLE: version {{.*}}_scattered_l{{[0-9]+}}_place_profile role=profile loop=original
// OLD-NOT: @never exit
// PTX: .entry {{.*}}_scattered_l{{[0-9]+}}_place_base(
// PTX-NOT: @never exit
// PTX: bar.sync
// PTX-NOT: @never exit
// PTX: .entry {{.*}}_scattered_l{{[0-9]+}}_place_gg(
// PTX-NOT: bar.sync
// PTX: .entry {{.*}}_scattered_l{{[0-9]+}}_place_natural_apart(
// PTX: .entry {{.*}}_scattered_l{{[0-9]+}}_place_agnostic(
// PTX: st.shared
// PTX: setp.eq.u32 never, depth, 0; @never exit;
// PTX: bar.sync
// PTX-NOT: bar.sync
// PTX: .entry {{.*}}_scattered_l{{[0-9]+}}_place_profile(
// PTX-NOT: bar.sync
// PTX: .entry {{.*}}_waits_l{{[0-9]+}}_place_g(
// PTX-COUNT-5: bar.sync
// PTX: End function
void scattered(int n, const float *a, const int *t, float *b) {
#pragma omp target teams distribute parallel for dist_schedule(static, 128) map(to : a[:n + 9], t[:n]) map(tofrom : b[:n])
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 4; k >= 0; k--)
      if (a[i + k] > sum)
        sum += a[t[k]];
    b[i] = sum;
  }
}

// PTX: .entry {{.*}}_two_l{{[0-9]+}}_place_g(
// PTX: @never exit;
// PTX: bar.sync
// PTX: @never exit;
// PTX: bar.sync
// PTX: End function
void two(int n, const float *a, float *b, float *c) {
#pragma omp target teams num_teams(1) map(to : a[:n]) map(tofrom : b[:n], c[:n])
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i] + 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      c[i] = b[n - 1 - i];
  }
}

// The program's own barrier, and so all.
void waits(int n, const float *a, float *b, float *c) {
#pragma omp target teams distribute parallel for map(to : a[:n]) map(tofrom : b[:n], c[:n])
  for (int i = 0; i < n; i++) {
    b[i] = a[i] + 1;
#ifdef __NVPTX__
    __nvvm_bar_sync(0);
#endif
    c[i] = b[i ^ 1] + a[i / 2] * a[3];
  }
}

void elsewhere(void);
void neighbour(void) {
#pragma omp target
  elsewhere();
}

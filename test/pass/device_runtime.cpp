// Names that look like the device runtime's, and do not, are told from it (llvm-pass/facts/DeviceRuntime.h).
// RUN: %S/Inputs/device-compile %t.s %clangxx -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=access 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda
#include <ompx.h>
extern "C" int omp_get_team_num(), omp_is_initial_device();

// ompx.h's C++ functions show which team carries out an iteration.
// CHECK-LABEL: kernel {{.*}}asks_which_team
// CHECK: threads 128, teams observed
// CHECK: no blocks: {{.*}}[teams-observed]
void asks_which_team(float *a, const float *b, int n) {
#pragma omp target teams distribute parallel for map(from : a[:n]) map(to : b[:n])
  for (int i = 0; i < n; i++)
    a[i] = b[i] + ompx::block_id(ompx::dim_x);
}

// The program's own function, in spite of its name.
#pragma omp begin declare target
extern "C" __attribute__((noinline)) float omp_mine(float x) { return x + omp_get_team_num(); }
#pragma omp end declare target
// CHECK-LABEL: kernel {{.*}}asks_in_own_function
// CHECK: teams observed
void asks_in_own_function(float *a, const float *b, int n) {
#pragma omp target teams distribute parallel for map(from : a[:n]) map(to : b[:n])
  for (int i = 0; i < n; i++)
    a[i] = omp_mine(b[i]);
}

// CHECK-LABEL: kernel {{.*}}asks_nothing
// CHECK: teams open
// CHECK: blocks of a nest
void asks_nothing(float *a, const float *b, int n) {
#pragma omp target teams distribute parallel for map(from : a[:n]) map(to : b[:n])
  for (int i = 0; i < n; i++)
    a[i] = b[i] + omp_is_initial_device();
}

// The runtime has variables in a namespace without a name, and so may a program.
namespace {
#pragma omp begin declare target
int last[2];
#pragma omp end declare target
} // namespace
// CHECK-LABEL: kernel {{.*}}writes_unnamed
// CHECK: array b {{.*}}it writes the global variable {{.*}}last [global-variable-written]
void writes_unnamed(float *a, const float *b, int n) {
#pragma omp target teams distribute parallel for map(from : a[:n]) map(to : b[:n])
  for (int i = 0; i < n; i++) {
    a[i] = b[i];
    last[i & 1] = i;
  }
}

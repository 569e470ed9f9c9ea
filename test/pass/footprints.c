// What a team touches of an array, with so many loops that the number of one begins as that of another: loop 20 moves the last access,
// loop 2 around it does not.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=access 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda

#define SUM(N) \
  for (int j = 0; j < m; j++) \
    s = s * 3 + w[j + N];
#define SIX(N) SUM(N) SUM(N + 1) SUM(N + 2) SUM(N + 3) SUM(N + 4) SUM(N + 5)

void many(int n, int m, int rounds, const float *w, float *o) {
#pragma omp target teams distribute parallel for map(to : w[:m + 18]) map(from : o[:n])
  for (int i = 0; i < n; i++) {
    float s = i;
    for (int r = 0; r < rounds; r++) {
      SIX(0) SIX(6) SIX(12)
    }
    o[i] = s;
  }
}

// CHECK: array w (
// CHECK-NEXT: team footprint 4 + 4*(

// What is repeated in code stays small: strips of loops with divisions and roots are unrolled less, and iterations with long bodies are
// not carried out several at a time.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin
// RUN: awk '/\.entry/ { kernel = $0 } /div\.rn\.f32/ { count[kernel]++ } END { for (k in count) print count[k], k }' %t.s | sort -n > %t.count
// RUN: %FileCheck --check-prefix=COUNT %s < %t.count
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | grep -E '^(version|region)' | %FileCheck --check-prefix=TABLE %s
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | grep -E '^(version|region)' | %FileCheck --check-prefix=ALL %s
// REQUIRES: plugin, cuda
#include <math.h>
#include <omp.h>

// Four iterations, 32 times eight divisions and roots: more than 1,024 divisions stood there before.
// COUNT: {{^[1-5]?[0-9]?[0-9]}} {{.*}}_attract_l{{.*}}_place_g_512t128k32a
void attract(float *restrict force, const float *x, int n) {
#pragma omp target teams distribute parallel for map(from : force[:n]) map(to : x[:n])
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++) {
      float d = x[j] - x[i], r = sqrtf(d * d + 0.1f);
#define TERM(k) d / (r + k) + sqrtf(r + k)
      sum += TERM(1) + TERM(2) + TERM(3) + TERM(4) + TERM(5) + TERM(6) + TERM(7) + TERM(8);
    }
    force[i] = sum;
  }
}

// A body of some 1,000 instructions.
// TABLE: region {{.*}}_long_body_l
// TABLE-NOT: loop=block
// ALL: region {{.*}}_long_body_l
// ALL: loop=block
void long_body(float *restrict out, const float *in, int n) {
#pragma omp target teams distribute parallel for map(from : out[:n]) map(to : in[:n])
  for (int i = 0; i < n; i++) {
    float d = in[i], r = d * d, sum = 0;
#define EIGHT(k) TERM(k) + TERM(k + 1) + TERM(k + 2) + TERM(k + 3) + TERM(k + 4) + TERM(k + 5) + TERM(k + 6) + TERM(k + 7)
    sum += EIGHT(1.f) + EIGHT(11.f) + EIGHT(21.f) + EIGHT(31.f) + EIGHT(41.f) + EIGHT(51.f) + EIGHT(61.f) + EIGHT(71.f);
    out[i] = sum;
  }
}

// Read-only loads are no reason for a version, of elements that data tells either.
// TABLE: region {{.*}}_walked_l
// TABLE-NOT: space={{[a-z,-]*}}r
// TABLE: region {{.*}}_picked_l
// TABLE-NOT: space={{[a-z,-]*}}r
// ALL: region {{.*}}_picked_l
// ALL: space=-,s,r
void walked(float *a, const float *t, const float *u, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      a[i] += t[k + i] * u[2 * k + i] + omp_get_team_num();
}

void picked(float *a, const float *t, const int *index, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      a[i] += t[index[k + i]] + omp_get_team_num();
}

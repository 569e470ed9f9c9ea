// #pragma place assume(noalias): a version made for arrays that lie apart is launched where the runtime knows nothing of them, and the
// original, with the reason in the report, where it sees that the promise is broken.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin %s -o %t
// RUN: env SIMT_TRACE=1 PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_FORCE='*:version=natural' %t 2>&1 | %FileCheck --check-prefixes=BOTH,FORCED %s
// RUN: env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 %t 2>&1 | %FileCheck --check-prefixes=BOTH,REPORT %s
// REQUIRES: plugin, runtime
// FORCED: launch 1 of {{.*}}_promised_{{.*}}_place_natural_apart:
// FORCED: launch 2 of {{.*}}_plain_l{{[0-9]+}}:
// FORCED: launch 3 of {{.*}}_broken_l{{[0-9]+}}:
// REPORT-DAG: out and in overlap, though #pragma place assume(noalias) promises that no arrays of the region do
// BOTH-DAG: {{^}}0 wrong
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 2000, FIRST = 5000 };

/* Arrays whose first element has the number FIRST: their pointers lead to memory of which nothing is known. */
static void promised(int n, const int *in, int *out) {
#pragma place assume(noalias)
#pragma omp target teams distribute parallel for is_device_ptr(in, out)
  for (int i = 0; i < n; i++)
    out[FIRST + i] = in[FIRST + i] + 1;
}

static void plain(int n, const int *in, int *out) {
#pragma omp target teams distribute parallel for is_device_ptr(in, out)
  for (int i = 0; i < n; i++)
    out[FIRST + i] = in[FIRST + i] + 1;
}

static void broken(int n, const int *in, int *out) {
#pragma place assume(noalias)
#pragma omp target teams distribute parallel for is_device_ptr(in, out)
  for (int i = 0; i < n; i++)
    out[i] = in[i] + 1;
}

static int *numbered_from_first(int *begin) { return (int *)((uintptr_t)begin - FIRST * sizeof(int)); }

int main(void) {
  static int host[N];
  int device = omp_get_default_device(), wrong = 0;
  int *d = omp_target_alloc(sizeof host, device), *other = omp_target_alloc(sizeof host, device);
  int *in = numbered_from_first(d), *out = numbered_from_first(other);
  for (int round = 0; round < 40; round++) {
    for (int i = 0; i < N; i++)
      host[i] = i + round;
    omp_target_memcpy(d, host, sizeof host, 0, 0, device, omp_get_initial_device());
    promised(N, in, out);
    plain(N, out, in);
    broken(N, d, d);
    omp_target_memcpy(host, d, sizeof host, 0, 0, omp_get_initial_device(), device);
    for (int i = 0; i < N; i++)
      wrong += host[i] != i + round + 3;
  }
  omp_target_free(d, device);
  omp_target_free(other, device);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

// cp.async arrives when the thread waits for its group: waiting for all but the latest leaves that one under way.
// RUN: %simt_cc -O2 -g -fsimt-check %s -o %t && %t | %FileCheck %s
// RUN: %not %t early 2>&1 | %FileCheck %s --check-prefix=EARLY
// CHECK: 0 wrong
// EARLY: simt: shared-unwritten: {{.*}}async.c:[[@LINE+39]]: reads byte 1024 of shared {{.*}}stage{{.*}}, which no thread of the team has written
#include "Inputs/device.h"
#include <stdio.h>

#ifdef __NVPTX__
#define COPY(BYTES, TO, FROM)                                                                                          \
  __nvvm_cp_async_ca_shared_global_##BYTES((__attribute__((address_space(3))) void *)(TO),                              \
                                           (__attribute__((address_space(1))) const void *)(FROM))
#define COMMIT() __nvvm_cp_async_commit_group()
#define WAIT(GROUPS) __nvvm_cp_async_wait_group(GROUPS)
#define WAIT_ALL() __nvvm_cp_async_wait_all()
#else
#define COPY(BYTES, TO, FROM) ((void)(TO), (void)(FROM))
#define COMMIT() ((void)0)
#define WAIT(GROUPS) ((void)0)
#define WAIT_ALL() ((void)0)
#endif

int main(int argc, char **argv) {
  (void)argv;
  static double in[3 * 128], out[3 * 64];
  int wrong = 0;
  for (int i = 0; i < 3 * 128; i++)
    in[i] = i;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(64) map(to : in) map(from : out)
  {
    SHARED double stage[3 * 128] __attribute__((aligned(16)));
    int t = THREAD();
    COPY(8, &stage[t], &in[t]);
    COMMIT();
    if (t < 32)
      COPY(16, &stage[128 + 2 * t], &in[128 + 2 * t]);
    COMMIT();
    COPY(4, (int *)&stage[256 + t], (int *)&in[256 + t]);
    COPY(4, (int *)&stage[256 + t] + 1, (int *)&in[256 + t] + 1);
    WAIT(1);
    BARRIER();
    out[t] = stage[63 - t];
    if (argc > 1)
      out[64 + t] = stage[128];
    WAIT(0);
    BARRIER();
    out[64 + t] = stage[128 + 63 - t];
    WAIT_ALL();
    BARRIER();
    out[128 + t] = stage[256 + 63 - t];
  }
  for (int t = 0; t < 64; t++)
    wrong += (out[t] != 63 - t) + (out[64 + t] != 128 + 63 - t) + (out[128 + t] != 256 + 63 - t);
  printf("%d wrong\n", wrong);
  return 0;
}

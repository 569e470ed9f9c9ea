// Which loads take the read-only path: those that the NVPTX back end makes ld.global.nc of, and no others.
// RUN: %simt_cc -O2 -g -fsimt-count %s -o %t && env SIMT_COUNT_FILE=%t.counts %t && %FileCheck %s < %t.counts
#include "Inputs/device.h"

#pragma omp begin declare target
static const int fixed[8] = {1, 2, 3, 5, 8, 13, 21, 34};
int open[64];
#pragma omp end declare target

int main(void) {
  static float plain[64], asked[64], out[64];
  static int at[64];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(64) map(to : plain, asked, at) map(from : out)
  {
    int t = THREAD();
    // CHECK-DAG: array=asked space=readonly access=load file={{[^ ]*}}readonly_path.c line=[[@LINE+1]]
    float sum = LOAD_READONLY(&asked[t]);
    // CHECK-DAG: array=plain space=global access=load file={{[^ ]*}}readonly_path.c line=[[@LINE+1]]
    sum += plain[t];
    // CHECK-DAG: array=fixed space=readonly access=load file={{[^ ]*}}readonly_path.c line=[[@LINE+1]]
    sum += (float)fixed[at[t]];
    // CHECK-DAG: array=open space=global access=load file={{[^ ]*}}readonly_path.c line=[[@LINE+1]]
    sum += (float)open[t];
    out[t] = sum;
  }
  return 0;
}

// The arrays of a version under their own names, whichever space it reads them from.
// REQUIRES: plugin, runtime
// RUN: %simt_cc -O3 -g -fsimt-check -fsimt-count -fplugin=%plugin -fplugin-arg-place-effort=3 %s -o %t
// RUN: env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE=off SIMT_COUNT_FILE=%t.off %t && %FileCheck %s --check-prefix=ORIGINAL < %t.off
// RUN: env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_FORCE='*:w=constant,in=shared' SIMT_COUNT_FILE=%t.cs %t && %FileCheck %s --check-prefix=COPIES < %t.cs
// RUN: env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl PLACE_FORCE='*:version=agnostic,w=shared,in=global' SIMT_COUNT_FILE=%t.sg %t && %FileCheck %s --check-prefix=AGNOSTIC < %t.sg
// 32 teams of 128 threads: 128 warps with 4 taps each; w[k] is the same address for all lanes.
// ORIGINAL: launch launch=1 kernel=[[KERNEL:[^ ]*]] version=original teams=32 threads=
// ORIGINAL-DAG: place launch=1 kernel=[[KERNEL]] version=original array=in space=global access=load file={{[^ ]*}}count_versions.c line=[[#]] {{.*}} lane-accesses=16384
// ORIGINAL-DAG: array launch=1 kernel=[[KERNEL]] version=original array=out space=global access=store warp-accesses=128 lane-accesses=4096 transactions=512
// COPIES: launch launch=1 kernel=[[KERNEL:[^ ]*]] version=cs teams=32 threads=128
// COPIES-DAG: array launch=1 kernel=[[KERNEL]] version=cs array=w space=constant access=load {{.*}} cL1-transactions=
// COPIES-DAG: array launch=1 kernel=[[KERNEL]] version=cs array=in space=shared access=load {{.*}} lane-accesses=16384 transactions=512{{$}}
// COPIES-DAG: array launch=1 kernel=[[KERNEL]] version=cs array=in space=shared access=store
// COPIES-DAG: array launch=1 kernel=[[KERNEL]] version=cs array=in space=global access=load
// COPIES-DAG: array launch=1 kernel=[[KERNEL]] version=cs array=out space=global access=store warp-accesses=128 lane-accesses=4096 transactions=512
// AGNOSTIC-DAG: array launch=1 kernel={{[^ ]*}} version=agnostic array=w space=shared access=load {{.*}} lane-accesses=16384 transactions=512{{$}}
// AGNOSTIC-DAG: array launch=1 kernel={{[^ ]*}} version=agnostic array=in space=global access=load {{.*}} lane-accesses=16384
enum { N = 4096, TAPS = 4 };

int main(void) {
  static float w[TAPS] = {1, 2, 3, 4}, in[N + TAPS], out[N];
#pragma omp target teams distribute parallel for thread_limit(128) map(to : w, in) map(from : out)
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
      sum += w[k] * in[i + k];
    out[i] = sum;
  }
  return 0;
}

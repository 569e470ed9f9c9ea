// Blocks of kernels whose iterations must not be carried out twice: what they need of a launch, and the two ways of a block.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=access 2> %t.summary
// RUN: %FileCheck --check-prefix=SUMMARY %s < %t.summary
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %clang -O3 %s -fplugin=%plugin -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck --check-prefix=TABLE %s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// Four iterations together; at the end of the space, one by one.
// SUMMARY-LABEL: kernel {{.*}}_inplace_l
// SUMMARY: blocks of a nest of 1: 512t128
// TABLE: region {{.*}}_inplace_l
// TABLE: version {{.*}}_512t128 role=plan loop=block {{.*}} needs=open-teams,open-threads,apart{{$}}
// PTX: .entry {{.*}}_inplace_l{{[0-9]+}}_place_g_512t128(
// PTX: ld.global.f32
// PTX: st.global.f32
// PTX: End function
void inplace(float *a, const float *t, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] = a[i] * t[2 * i];
}

// What else is written is not known: nothing is said of overlaps, nor has it to hold.
// SUMMARY-LABEL: kernel {{.*}}_through_l
// SUMMARY: blocks of a nest of 1: 512t128
// TABLE: region {{.*}}_through_l
// TABLE: version {{.*}}_512t128 role=plan loop=block {{.*}} needs=open-teams,open-threads{{$}}
void through(float **rows, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    rows[i][0] += 1;
}

// Counters.
// SUMMARY-LABEL: kernel {{.*}}_counts_l
// SUMMARY: blocks of a nest of 1: 512t128
void counts(const int *t, int *cell, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
#pragma omp atomic update
    cell[t[i]] += 1;
}

// An atomic load keeps iterations apart.
// SUMMARY-LABEL: kernel {{.*}}_seen_l
// SUMMARY: no blocks: the body has private memory or calls
void seen(int *flag, int *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int now;
#pragma omp atomic read
    now = *flag;
    o[i] = now;
  }
}

// Columns of what is only read go through a tile, those of what is read and written do not.
// SUMMARY-LABEL: kernel {{.*}}_accumulated_l
// SUMMARY: blocks of a nest of 2: 32x32t128c 64x32t256c 64x64t256c 32x32t256 64x32t256
// TABLE: region {{.*}}_accumulated_l
// TABLE: version {{.*}}_32x32t128c role=plan loop=block {{.*}} tiles=1 needs=open-teams,open-threads,apart{{$}}
void accumulated(float *a, const float *b, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      a[y * n + x] += b[x * n + y];
}

// SUMMARY-LABEL: kernel {{.*}}_turned_l
// SUMMARY: blocks of a nest of 2: 32x8t256l1 32x32t256l1 32x32t256 64x32t256
void turned(float *a, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      a[x * n + y] += 1;
}

// Four iterations' loads, then each on its own way: four copies of the branch beside the chunk loop's own (its two stores are joined).
// SUMMARY-LABEL: kernel {{.*}}_ways_l
// SUMMARY: blocks of a nest of 1: 512t128
// PTX: .entry {{.*}}_ways_l{{[0-9]+}}_place_g_512t128(
// PTX-COUNT-5: st.global.f32
// PTX-NOT: st.global.f32
// PTX: End function
void ways(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      o[i] = __builtin_sqrtf(a[i]) + a[i + 1];
    else
      o[i + n] = 1;
}

// Who waits for another iteration of its own thread would wait for ever.
// SUMMARY-LABEL: kernel {{.*}}_waits_l
// SUMMARY: no blocks: threads may take different branches in the body
void waits(int *lock, int *sum, const int *a, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int taken = 1;
    while (taken) {
#pragma omp atomic capture
      { taken = lock[a[i]]; lock[a[i]] = 1; }
    }
    sum[a[i]] += i;
#pragma omp atomic update
    lock[a[i]] &= 0;
  }
}

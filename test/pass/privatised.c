// Atomic updates of an array with which a kernel does nothing else are collected in the team's shared memory.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fopenmp-version=51 -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// An index of 8 bits: 256 cells, and no question whether it is one of them. A thread's neighbouring iterations are loaded at once.
// TABLE: region {{.*}}_histogram_l
// Where it is not aligned for that, the second version loads them one by one.
// TABLE: version {{.*}}_place_privatised_wide role=plan loop=privatised space=-,g threads=512 fill=2048 needs=open-threads,apart,reads-aligned:16
// TABLE: version {{.*}}_place_privatised role=plan loop=privatised space=-,g threads=512 fill=2048 needs=open-threads,apart{{$}}
// PTX: .entry {{.*}}_histogram_l{{[0-9]+}}_place_privatised_wide(
// PTX: .shared {{.*}} place_cells{{[0-9]*}}[1024];
// PTX: bar.sync
// PTX: ld.global.nc.v4.u32
// PTX-NOT: ld.
// PTX-COUNT-16: atom.shared.add.u32
// PTX: bar.sync
// PTX: atom.global.add.u32
// PTX: End function
// PTX: .entry {{.*}}_histogram_l{{[0-9]+}}_place_privatised(
// PTX-COUNT-16: ld.global.nc.u8
// PTX-NOT: ld.
// PTX-COUNT-16: atom.shared.add.u32
// PTX: End function
void histogram(const unsigned char *b, unsigned *h, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    h[b[i]]++;
  }
}

// A counter is a register until the end; of other cells, those beyond the first 2,048 are updated at once. To add 64 bits in shared memory
// would be a loop of the assembler's: the low half is added, then the high one with what is carried.
// TABLE: region {{.*}}_mixed_l
// TABLE: loop=privatised
// PTX: .entry {{.*}}_mixed_l{{[0-9]+}}_place_privatised(
// PTX: atom.shared.add.f64
// PTX: setp.lt.u32 %p{{[0-9]+}}, %r{{[0-9]+}}, 2048
// PTX: atom.global.add.f64
// PTX: atom.shared.add.u32
// PTX: add.s64 {{.*}}, 4;
// PTX-NEXT: atom.shared.add.u32
// PTX: atom.global.add.u64
// PTX-NOT: atom.{{shared|global}}.add.u{{32|64}}
// PTX: End function
void mixed(const int *k, double *h, long *count, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    if (k[i] >= 0) {
#pragma omp atomic update
      h[k[i]] += 1;
#pragma omp atomic update
      *count += k[i];
    }
}

// Counters may have an operator each.
// TABLE: region {{.*}}_several_l
// TABLE: loop=privatised
// PTX: .entry {{.*}}_several_l{{[0-9]+}}_place_privatised(
// PTX-NOT: atom.global.{{[a-z]+}}.{{[su]}}32
// PTX: atom.shared.add.u32
// PTX: atom.shared.max.s32
void several(const int *k, int *h, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    h[0] += k[i];
#pragma omp atomic compare
    if (h[1] < k[i]) h[1] = k[i];
  }
}

// Not collected: an update whose old value is asked for, one that orders others, cells that are read, two operators.
// TABLE: region {{.*}}_visible_l
// TABLE-NOT: loop=privatised
void visible(int *a, int *b, int *c, int *d, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int t;
#pragma omp atomic capture
    t = a[0]++;
    b[t] = i;
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update seq_cst
    a[i & 7]++;
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    if (c[i & 7] < 3) {
#pragma omp atomic update
      c[i & 7]++;
    }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    d[i & 7] += 2;
#pragma omp atomic update
    d[i & 7] |= 1;
  }
}

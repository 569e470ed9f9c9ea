// Iterations in blocks: which nests are told apart, the shapes that are tried, why there are none, the table's lines, and the
// code of a transposition and of a matrix product. The original kernel stays as without the plugin.
// RUN: %S/Inputs/device-compile %t.plain.s %clang -O3 %s
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=access 2> %t.summary
// RUN: %FileCheck --check-prefix=SUMMARY %s < %t.summary
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: for k in turn product; do \
// RUN:   sed -n "/^.weak .entry [^ ]*_$k"'_l[0-9]*($/,/End function/p' %t.plain.s > %t.plain && \
// RUN:   sed -n "/^.weak .entry [^ ]*_$k"'_l[0-9]*($/,/End function/p' %t.s > %t.original && \
// RUN:   test -s %t.plain && diff %t.plain %t.original || exit 1; \
// RUN: done
// RUN: %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -c -o %t.o && grep -aE '^(region|version|array) ' %t.o | %FileCheck --check-prefix=TABLE %s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// A transposition: loads and stores of neighbouring threads lie beside each other, by way of a tile whose rows are padded.
// PTX: .entry {{.*}}_turn_l{{[0-9]+}}_place_g_64x32t256c(
// PTX: .reqntid 256
// PTX: mul.wide.u32 %rd{{[0-9]+}}, %r{{[0-9]+}}, 260;
// PTX-COUNT-8: ld.global.f32
// PTX-COUNT-8: st.shared.f32
// PTX: bar.sync 0;
// PTX-COUNT-8: ld.shared.f32
// PTX-COUNT-8: st.global.f32
// PTX: End function

// A matrix product: both operands strip by strip from registers into tiles between two barriers, the next strip's loaded before the work on
// this one; four elements of a row at a time, and those of a thread's neighbouring columns.
// PTX: .entry {{.*}}_product_l{{[0-9]+}}_place_gg_64x64t256k16a(
// PTX: .reqntid 256
// PTX-COUNT-8: ld.global.f32
// PTX: bar.sync 0;
// PTX-COUNT-8: st.shared.f32
// PTX: bar.sync 0;
// PTX-COUNT-8: ld.global.f32
// PTX: ld.shared.v2.f32
// PTX: End function
// PTX: .entry {{.*}}_product_l{{[0-9]+}}_place_gg_64x128t256k16a(
// PTX-COUNT-12: ld.global.f32
// PTX: bar.sync 0;
// PTX-COUNT-12: st.shared.f32
// PTX: bar.sync 0;
// PTX-COUNT-12: ld.global.f32
// PTX-COUNT-48: ld.shared.v4.f32
// PTX: End function

// SUMMARY-LABEL: kernel {{.*}}_turn_l
// SUMMARY: blocks of a nest of 2: 32x32t128c 64x32t256c 64x64t256c 32x32t256 64x32t256
// SUMMARY-NEXT: no strips: no sequential loop in the body
// TABLE: region {{.*}}_turn_l
// TABLE: version {{.*}}_place_g_32x32t128c role=plan loop=block space=-,g block=32x32 team=4x32 adjacent=0x0 turned=1 threads=128
// TABLE-SAME: teams=udiv64([[Y:[^ ;]+]]+32-1,32)*udiv64([[X:[^ ;]+]]+32-1,32) extents=[[Y]];[[X]] tiles=0
// TABLE-SAME: needs=open-teams,open-threads,reads-unwritten,writes-apart{{$}}
// TABLE: version {{.*}}_place_g_64x32t256c role=plan loop=block space=-,g block=64x32 team=8x32 adjacent=0x0 turned=1 threads=256
// TABLE-SAME: teams=udiv64([[Y]]+64-1,64)*udiv64([[X]]+32-1,32) extents=[[Y]];[[X]] tiles=0 needs=
// TABLE: version {{.*}}_place_g_64x64t256c role=plan loop=block space=-,g block=64x64 team=8x32 adjacent=0x0 turned=1 threads=256
// TABLE-SAME: teams=udiv64([[Y]]+64-1,64)*udiv64([[X]]+64-1,64) extents=[[Y]];[[X]] tiles=0 needs=
// TABLE: version {{.*}}_place_g_32x32t256 role=plan loop=block space=-,g block=32x32 team=8x32 adjacent=1x0 threads=256
// TABLE-SAME: teams=udiv64({{.*}} extents=[[Y]];[[X]] needs=
// TABLE: version {{.*}}_place_g_64x32t256 role=plan loop=block space=-,g block=64x32 team=8x32 adjacent=1x0 threads=256
void turn(const float *a, float *o, int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++)
      o[x * n + y] = a[y * m + x];
}

// SUMMARY-LABEL: kernel {{.*}}_product_l
// SUMMARY: blocks of a nest of 2: 64x64t256k16 64x128t256k16 32x32t256 64x32t256
// SUMMARY-NOT: no strips
// TABLE: region {{.*}}_product_l
// TABLE: version {{.*}}_place_gg_64x64t256k16a role=plan loop=block space=g,g,- block=64x64 team=8x32 adjacent=1x1 strip=16
// TABLE-SAME: threads=256 teams=udiv64({{[^ ]+}} slice=4096 origin=8 extents={{[^ ]+}} tiles=0,1 needs=
// TABLE: version {{.*}}_place_gg_64x128t256k16a role=plan loop=block space=g,g,- block=64x128 team=8x32 adjacent=1x1 strip=16
void product(const float *a, const float *b, float *c, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    }
}

// SUMMARY-LABEL: kernel {{.*}}_filter_l
// SUMMARY: blocks of a nest of 1: 512t128k32 512t128k32p 512t128
// TABLE: region {{.*}}_filter_l
// TABLE: version {{.*}}_place_gg_512t128k32a role=plan loop=block space=g,g,- block=512 team=128 adjacent=1 strip=32 threads=128
// TABLE-SAME: teams=udiv64(trunc32(arg0)+512-1,512) slice={{[0-9]+}} origin=8 extents=trunc32(arg0) tiles=0,1 needs={{[a-z,-]+$}}
// TABLE: version {{.*}}_place_gc_512t128k32a role=plan loop=block space=g,c,- block=512 team=128 adjacent=1 strip=32 threads=128
// TABLE-SAME: teams=udiv64(trunc32(arg0)+512-1,512) slice={{[0-9]+}} origin=8 extents=trunc32(arg0) tiles=0,1 needs={{.*}},aligned:16{{$}}
// TABLE: version {{.*}}_place_gg_512t128k32pa role=plan loop=block space=g,g,- block=512 team=128 adjacent=1 strip=32 pipelined=1
void filter(const double *a, const double *w, double *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[i + k] * w[k];
    o[i] = sum;
  }
}

// SUMMARY-LABEL: kernel {{.*}}_cube_l
// SUMMARY: blocks of a nest of 3: 4x8x32t256 1x32x32t256 1x64x32t256
void cube(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 1; z < n; z++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        o[(z * n + y) * n + x] = a[(z * n + y) * n + x] - a[((z - 1) * n + y) * n + x];
}

// Elements of one and two bytes have no tiles.
// SUMMARY-LABEL: kernel {{.*}}_bytes_l
// SUMMARY: blocks of a nest of 2: 32x32t256 64x32t256
void bytes(const char *a, char *o, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      o[x * n + y] = a[y * n + x];
}

// A division by the program, not by clang.
// SUMMARY-LABEL: kernel {{.*}}_halves_l
// SUMMARY: blocks of a nest of 2: 32x32t256 64x32t256
void halves(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      o[y * n + x] = a[(y / 2) * n + x / 2];
}

/* ---- no blocks ---- */

// The runtime refuses blocks at each launch that asks for teams.
// SUMMARY-LABEL: kernel {{.*}}_some_teams_l
// SUMMARY: teams open
// TABLE: region {{.*}}_some_teams_l
void some_teams(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for num_teams(7) collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      o[x * n + y] = a[y * n + x];
}

// SUMMARY-LABEL: kernel {{.*}}_sum_l
// SUMMARY: no blocks: it has a reduction
float sum(const float *a, int n) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// Read through pointers that are not the kernel's own: no iteration twice.
// SUMMARY-LABEL: kernel {{.*}}_rows_l
// SUMMARY: blocks of a nest of 2: 32x32t256 64x32t256
void rows(float *const *row, const float *w, float *o, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      o[y * n + x] = row[y][x] * w[x];
}

// SUMMARY-LABEL: kernel {{.*}}_private_memory_l
// SUMMARY: no blocks: the body has private memory or calls
void private_memory(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float mine[16];
    for (int k = 0; k < 16; k++)
      mine[k] = a[i + k];
    o[i] = mine[(int)a[i] & 15];
  }
}

/* ---- blocks, but no strips ---- */

// SUMMARY-LABEL: kernel {{.*}}_parted_l
// SUMMARY: blocks of a nest of 1: 512t128
// SUMMARY-NEXT: no strips: threads may take different branches in the body
void parted(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; a[i + k] > 0; k++)
      s += a[k];
    o[i] = s;
  }
}

// SUMMARY-LABEL: kernel {{.*}}_triangle_l
// SUMMARY: blocks of a nest of 2: 8x128t256 8x256t256
void triangle(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float s = 0;
      for (int k = 0; k < y; k++)
        s += a[k * n + x];
      o[y * n + x] = s;
    }
}

// The counter is frozen where quotient and remainder are taken under a condition (Thaw.h).
// SUMMARY-LABEL: kernel {{.*}}_parted_nest_l
// SUMMARY: chunks of 128
// SUMMARY: blocks of a nest of 2: 8x32t256 32x32t256
void parted_nest(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      if (a[y * n + x] > 0)
        o[y * n + x] = a[x] + a[y];
}

// SUMMARY-LABEL: kernel {{.*}}_deeper_l
// SUMMARY: blocks of a nest of 1: 512t128
// SUMMARY-NEXT: no strips: its loop has another form than counting to an end that is the same for all iterations
void deeper(const float *a, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) {
      s = s * 2;
      for (int k = 0; k < m; k++)
        s += a[i + k];
    }
    o[i] = s;
  }
}

// SUMMARY-LABEL: kernel {{.*}}_scattered_l
// SUMMARY: blocks of a nest of 1: 512t128
// SUMMARY-NEXT: no strips: no read in its loop moves evenly with the loop and at most one dimension
void scattered(const float *a, const int *at, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[(i * k) & 255];
    o[i] = s + at[i];
  }
}

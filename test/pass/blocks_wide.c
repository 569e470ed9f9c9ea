// Neighbouring iterations of one thread: their elements go in one access, which the launch is checked for.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=access 2> %t.summary
// RUN: %FileCheck --check-prefix=SUMMARY %s < %t.summary
// RUN: %S/Inputs/device-compile %t.all.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=access 2> %t.all
// RUN: %FileCheck --check-prefix=ALL %s < %t.all
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %clang -O3 %s -fplugin=%plugin -c -o %t.o && grep -aE '^(region|version) ' %t.o | %FileCheck --check-prefix=TABLE %s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// SUMMARY-LABEL: kernel {{.*}}_add_l
// SUMMARY: blocks of a nest of 1: 512t128{{$}}
// ALL-LABEL: kernel {{.*}}_add_l
// ALL: blocks of a nest of 1: 512t128 512t128{{$}}
// TABLE: region {{.*}}_add_l
// TABLE-NOT: version {{.*}}_512t128 role
// TABLE: version {{.*}}_512t128a role=plan loop=block {{.*}} adjacent=1 wide=1 threads=128 {{.*}} needs=open-teams,open-threads,apart,arrays-aligned:16{{$}}
// PTX: .entry {{.*}}_add_l{{[0-9]+}}_place_gg_512t128a(
// PTX-DAG: ld.global{{(.nc)?}}.v4.f32
// PTX-DAG: ld.global{{(.nc)?}}.v4.f32
// PTX: st.global.v4.f32
// PTX: End function
void add(const float *a, const float *b, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] + b[i];
}

// Eight elements of 2 bytes.
// SUMMARY-LABEL: kernel {{.*}}_halves_l
// SUMMARY: blocks of a nest of 1: 1024t128{{$}}
// PTX: .entry {{.*}}_halves_l{{[0-9]+}}_place_{{g|plain}}_1024t128a(
// PTX: ld.global{{(.nc)?}}.v4
// PTX: End function
void halves(const short *a, short *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = (short)(a[i] * 3);
}

// Eight single bytes.
// SUMMARY-LABEL: kernel {{.*}}_copied_l
// SUMMARY: blocks of a nest of 1: 1024t128{{$}}
void copied(const char *a, char *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = (char)-a[i];
}

// Beside wider elements: iterations a team apart have been faster.
// SUMMARY-LABEL: kernel {{.*}}_bytes_l
// SUMMARY: blocks of a nest of 1: 512t128{{$}}
// ALL-LABEL: kernel {{.*}}_bytes_l
// ALL: blocks of a nest of 1: 512t128 1024t128{{$}}
// TABLE: version {{.*}}_bytes_l{{.*}}_512t128 role=plan loop=block {{.*}} adjacent=0 threads=128 {{.*}} needs=open-teams,open-threads,reads-unwritten,writes-apart{{$}}
void bytes(const char *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// So have they where not all lies side by side.
// SUMMARY-LABEL: kernel {{.*}}_gathered_l
// SUMMARY: blocks of a nest of 1: 512t128{{$}}
// TABLE: version {{.*}}_gathered_l{{.*}}_512t128 role=plan loop=block {{.*}} adjacent=0
void gathered(const float *a, const int *from, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[from[i]];
}

// Wider elements of two sizes: both.
// SUMMARY-LABEL: kernel {{.*}}_widened_l
// SUMMARY: blocks of a nest of 1: 512t128 512t128{{$}}
void widened(const float *a, double *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// Side by side, but not all of it aligned: both.
// SUMMARY-LABEL: kernel {{.*}}_pairs_l
// SUMMARY: blocks of a nest of 1: 512t128 512t128{{$}}
void pairs(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] + a[i + 1];
}

// Every other element: nothing lies side by side.
// SUMMARY-LABEL: kernel {{.*}}_apart_l
// SUMMARY: blocks of a nest of 1: 512t128{{$}}
void apart(const float *a, float *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[2 * i] = a[i];
}

// From an index on that nobody knows: not aligned.
// SUMMARY-LABEL: kernel {{.*}}_from_l
// SUMMARY: blocks of a nest of 1: 512t128{{$}}
void from(const float *a, float *o, int n, int first) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[first + i] = a[first + i];
}

/* ---- guards of the space's borders ---- */

// Four rows of a thread: 4 centres, 4 to the left, 4 to the right, one above and one below, without a branch; five each in
// the chunk loop and at the edge.
// SUMMARY-LABEL: kernel {{.*}}_zeros_l
// SUMMARY: blocks of a nest of 2: 32x32t256 64x32t256 8x32t256
// TABLE: version {{.*}}_zeros_l{{.*}}_32x32t256 {{.*}} needs=open-teams,open-threads,apart{{$}}
// PTX: .entry {{.*}}_zeros_l{{[0-9]+}}_place_{{g|plain}}_32x32t256(
// PTX-COUNT-24: ld.global{{(.nc)?}}.f32
// PTX-NOT: ld.global{{(.nc)?}}.f32
// PTX: End function
void zeros(const float *a, float *o, int h, int w) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int i = y * w + x;
      o[i] = a[i] + (x > 0 ? a[i - 1] : 0) + (x < w - 1 ? a[i + 1] : 0) + (y > 0 ? a[i - w] : 0) + (y < h - 1 ? a[i + w] : 0);
    }
}

// A condition on data is none on the space.
// SUMMARY-LABEL: kernel {{.*}}_data_l
// SUMMARY: blocks of a nest of 2: 8x32t256 32x32t256
void data(const float *a, float *o, int h, int w) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      if (a[y * w + x] > 0)
        o[y * w + x] = a[y * w];
}

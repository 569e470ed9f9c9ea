// Loops of one level: one team's, or of one thread in each team. A version spreads them over the whole grid, where nothing else can be seen.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table -Wno-pass-failed 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE --implicit-check-not=_spread %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 -c %t.s -o %t.cubin
// REQUIRES: plugin, cuda
int omp_get_thread_num(void);

// TABLE-LABEL: region {{.*}}_one_team_l
// TABLE: launch 128 open - - open-threads
// TABLE: _place_base role=base
// TABLE-NEXT: version {{.*}}_place_g_spread role=plan loop=strided space=-,g threads=128 fill=2048 needs=open-threads,threads-least:2,one-team
// PTX-LABEL: .entry {{.*}}_one_team_l{{[0-9]+}}_place_g_spread(
// PTX-DAG: %ctaid.x
// PTX-DAG: %nctaid.x
// PTX: ret;
void one_team(double *a, const double *b, int n) {
#pragma omp target parallel for map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// TABLE-LABEL: region {{.*}}_in_two_lines_l
// TABLE: _spread {{.*}} needs=open-threads,threads-least:2,one-team
void in_two_lines(double *a, const double *b, int n) {
#pragma omp target map(tofrom : a[0 : n]) map(to : b[0 : n])
#pragma omp parallel
#pragma omp for schedule(static)
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// TABLE-LABEL: region {{.*}}_teams_l
// TABLE: _spread {{.*}} threads=128 {{.*}}needs=open-threads,several-teams
void teams(double *a, const double *b, int n) {
#pragma omp target teams distribute map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// TABLE-LABEL: region {{.*}}_lanes_l
// TABLE: launch 1 open - - open-threads
// TABLE: _spread {{.*}} threads=128 {{.*}}needs=open-threads,several-teams
// PTX-LABEL: .entry {{.*}}_lanes_l{{[0-9]+}}_place_g_spread(
// PTX: .reqntid 128, 1, 1
void lanes(double *a, const double *b, int n) {
#pragma omp target teams distribute simd map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// Updates that each team can collect.
// TABLE-LABEL: region {{.*}}_cells_l
// TABLE-DAG: _place_privatised_spread {{.*}} loop=privatised
// TABLE-DAG: _place_g_spread {{.*}} loop=strided
void cells(int *cell, const unsigned char *b, int n) {
#pragma omp target parallel for map(tofrom : cell[0 : 256]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
#pragma omp atomic
    cell[b[i]]++;
}

// A partial result in each thread.
// TABLE-LABEL: region {{.*}}_sums_of_teams_l
// TABLE: _place_g_spread role=plan loop=strided space=-,g threads=512 fill=2048 needs=open-threads,several-teams
// PTX-LABEL: .entry {{.*}}_sums_of_teams_l{{[0-9]+}}_place_g_spread(
// A warp, by halves, ...
// PTX: .reqntid 512, 1, 1
// PTX: shfl.sync.down.b32 {{.*}}, 16, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 8, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 4, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 2, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 1, 31, -1;
// PTX: bar.sync
// ... and what 16 warps have.
// PTX: bar.sync
// PTX-NOT: , 16, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 8, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 4, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 2, 31, -1;
// PTX: shfl.sync.down.b32 {{.*}}, 1, 31, -1;
// PTX: atom.
// PTX: ret;
double sums_of_teams(const double *b, int n) {
  double s = 0;
#pragma omp target teams distribute reduction(+ : s) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    s += b[i];
  return s;
}

// The team's buffer is the launch's: clang's kernel has none.
// TABLE-LABEL: region {{.*}}_sums_of_threads_l
// TABLE: _place_g_spread role=plan loop=strided space=-,g,- threads=512 fill=2048 needs=open-threads,threads-least:2,one-team
// PTX-LABEL: .entry {{.*}}_sums_of_threads_l{{[0-9]+}}_place_g_spread(
// PTX: .reqntid 512, 1, 1
// PTX: shfl.sync.down.b32 {{.*}}, 16, 31, -1;
// PTX: bar.sync
// PTX: atom.
// PTX: ret;
double sums_of_threads(const double *b, int n) {
  double s = 0;
  unsigned char odd = 0;
#pragma omp target parallel for reduction(+ : s) reduction(^ : odd) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    s += b[i], odd ^= b[i] > 0;
  return s + odd;
}

// Sections of arrays: of teams of one thread, and of one team.
// TABLE-LABEL: region {{.*}}_cells_of_teams_l
// TABLE: _place_g_spread role=plan loop=strided {{.*}} threads=512 {{.*}}needs=open-threads,several-teams
double cells_of_teams(const double *b, int n) {
  double s[7] = {0};
#pragma omp target teams distribute reduction(max : s[2 : 5]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    s[2 + i % 5] = s[2 + i % 5] > b[i] ? s[2 + i % 5] : b[i];
  return s[2];
}

// However much stands in the loop.
// TABLE-LABEL: region {{.*}}_cells_of_many_loops_l
// TABLE: _place_g_spread role=plan loop=strided {{.*}} threads=512 {{.*}}needs=open-threads,several-teams
int cells_of_many_loops(const int *b, int n) {
  int s[5] = {0}, odd[5] = {0};
#pragma omp target teams distribute reduction(+ : s[0 : 5]) reduction(&& : odd[0 : 5]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 13; j++) {
      for (int k = 0; k < 5; k++)
        s[k] += b[i + j + k];
      for (int k = 0; k < 5; k++)
        odd[k] = odd[k] && (b[i + j + k] & 1);
    }
  return s[2] + odd[1];
}

// TABLE-LABEL: region {{.*}}_cells_of_threads_l
// TABLE: _place_g_spread role=plan loop=strided {{.*}} threads=512 {{.*}}needs=open-threads,threads-least:2,one-team
double cells_of_threads(const double *b, int n) {
  double s[7] = {0};
#pragma omp target parallel for reduction(+ : s[2 : 5]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    s[2 + i % 5] += b[i];
  return s[2];
}

//===-- Not spread ------------------------------------------------------------===//

// TABLE-LABEL: region {{.*}}_looks_l
void looks(int *a, int n) {
#pragma omp target parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++)
    a[i] = omp_get_thread_num();
}

// What a thread has in front of the loop is part of the result as often as there are threads.
// TABLE-LABEL: region {{.*}}_counts_threads_l
double counts_threads(const double *b, int n) {
  double s = 0;
#pragma omp target parallel reduction(+ : s) map(to : b[0 : n])
  {
    s += 1;
#pragma omp for
    for (int i = 0; i < n; i++)
      s += b[i];
  }
  return s;
}

// How many teams there are is part of the result.
// TABLE-LABEL: region {{.*}}_counts_teams_l
double counts_teams(const double *b, int n) {
  double s = 0;
#pragma omp target teams reduction(+ : s) map(to : b[0 : n])
  {
    s += 1;
#pragma omp distribute
    for (int i = 0; i < n; i++)
      s += b[i];
  }
  return s;
}

// Code of another file may look at threads.
// TABLE-LABEL: region {{.*}}_calls_elsewhere_l
#pragma omp declare target
double elsewhere(double);
#pragma omp end declare target
void calls_elsewhere(double *a, int n) {
#pragma omp target parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++)
    a[i] = elsewhere(a[i]);
}

// TABLE-LABEL: region {{.*}}_two_loops_l
void two_loops(double *a, double *b, int n) {
#pragma omp target parallel map(tofrom : a[0 : n], b[0 : n])
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = b[i];
#pragma omp for
    for (int i = 0; i < n; i++)
      b[i] = a[n - 1 - i];
  }
}

// TABLE-LABEL: region {{.*}}_beside_l
void beside(double *a, double *b, int n) {
#pragma omp target teams map(tofrom : a[0 : n], b[0 : n])
  {
    b[0] = 1;
#pragma omp distribute
    for (int i = 0; i < n; i++)
      a[i] = b[i];
  }
}

// In chunks that the program knows, its iterations follow each other.
// TABLE-LABEL: region {{.*}}_in_chunks_l
void in_chunks(double *a, int n) {
#pragma omp target parallel for schedule(static, 4) map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++)
    if (i % 4)
      a[i] = a[i - 1];
}

// TABLE-LABEL: region {{.*}}_of_pieces_l
void of_pieces(double *a, int n) {
#pragma omp target teams distribute dist_schedule(static, 4) map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++)
    if (i % 4)
      a[i] = a[i - 1];
}

// The first thread of the team alone carries out what stands in front of it.
// TABLE-LABEL: region {{.*}}_prologue_l
void prologue(double *a, const double *b, int n) {
#pragma omp target map(tofrom : a[0 : n]) map(to : b[0 : n])
  {
    int last = n - 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] = b[last - i];
  }
}

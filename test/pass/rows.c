// Loops in two levels, whose inner one a team shares: also with larger teams, and with a warp for each iteration of the outer one,
// where nothing outside of the distributed loop can be seen and nothing looks at teams or threads.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE --implicit-check-not=loop=rows %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %S/Inputs/device-compile %t.one.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=1 -fplugin-arg-place-dump=table 2>&1 | %FileCheck --check-prefix=ONE %s
// REQUIRES: plugin, cuda
int omp_get_num_threads(void);

// ONE-NOT: loop=rows

// TABLE-LABEL: region {{.*}}_sums_l
// TABLE: version {{.*}}_place_g {{.*}}loop=straight {{.*}}threads=128 needs=threads:128
// TABLE-NEXT: version {{.*}}_place_rows_512 role=plan loop=rows {{.*}}threads=512 rows=1 needs=open-threads,apart
// TABLE-NEXT: version {{.*}}_place_rows_warp role=plan loop=rows {{.*}}threads=128 rows=4 needs=open-threads,apart
// PTX: .entry {{.*}}_sums_l{{[0-9]+}}_place_g(
// PTX: .reqntid 128,
// PTX: .entry {{.*}}_sums_l{{[0-9]+}}_place_rows_512(
// PTX: .reqntid 512,
// PTX: bar.sync
// Of the team's loop four iterations at a time, of the one around it one.
// PTX-COUNT-4: ld.global.nc.f32
// PTX: .entry {{.*}}_sums_l{{[0-9]+}}_place_rows_warp(
// PTX: .reqntid 128,
// The team's sum, for each of four warps.
// PTX: .shared .align 16 .b8 team_variable{{.*}}[64];
// PTX-NOT: bar.sync
// PTX: bar.warp.sync
// PTX-NOT: bar.sync
// PTX: End function
void sums(int rows, int n, const float *a, float *s) {
#pragma omp target teams distribute map(to : a[:rows * n]) map(from : s[:rows])
  for (int i = 0; i < rows; i++) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < n; j++)
      sum += a[i * n + j];
    s[i] = sum;
  }
}

// The source's number of threads is a wish, and says what is larger.
// TABLE-LABEL: region {{.*}}_limited_l
// TABLE: version {{.*}}_place_rows_1024 {{.*}}threads=1024 rows=1
// TABLE-NEXT: version {{.*}}_place_rows_warp {{.*}}threads=128 rows=4
void limited(int rows, int n, const float *a, float *o) {
#pragma omp target teams distribute thread_limit(256) map(to : a[:rows * n]) map(from : o[:rows * n])
  for (int i = 0; i < rows; i++) {
#pragma omp parallel for num_threads(200)
    for (int j = 0; j < n; j++)
      o[i * n + j] = 2 * a[i * n + j];
  }
}

// Each team does all of it: as many times as there are teams.
// TABLE-LABEL: region {{.*}}_each_team_l
void each_team(int n, float *o) {
#pragma omp target teams num_teams(1) map(tofrom : o[:n])
  {
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[j] += 1;
  }
}

// So does it with what stands beside the loop.
// TABLE-LABEL: region {{.*}}_beside_l
void beside(int rows, int n, float *o, float *count) {
#pragma omp target teams num_teams(1) map(tofrom : o[:rows * n], count[:1])
  {
    count[0] += 1;
#pragma omp distribute
    for (int i = 0; i < rows; i++) {
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        o[i * n + j] += i;
    }
  }
}

// TABLE-LABEL: region {{.*}}_looks_l
void looks(int rows, int n, float *o) {
#pragma omp target teams distribute map(tofrom : o[:rows * n])
  for (int i = 0; i < rows; i++) {
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = omp_get_num_threads();
  }
}

// TABLE-LABEL: region {{.*}}_asked_l
void asked(int rows, int n, float *o) {
#pragma place team(64)
#pragma omp target teams distribute map(tofrom : o[:rows * n])
  for (int i = 0; i < rows; i++) {
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] += 1;
  }
}

// A loop that counts in 64 bits is unrolled as one in 32 bits is: four stores, and the one of what is left over; for a warp likewise.
// TABLE-LABEL: region {{.*}}_wide_l
// TABLE: version {{.*}}_place_rows_512 {{.*}}threads=512 rows=1
// TABLE-NEXT: version {{.*}}_place_rows_warp {{.*}}threads=128 rows=4
// PTX: .entry {{.*}}_wide_l{{[0-9]+}}_place_rows_512(
// PTX-COUNT-5: st.global.f32
// PTX: .entry {{.*}}_wide_l{{[0-9]+}}_place_rows_warp(
// PTX-COUNT-5: st.global.f32
void wide(long rows, long n, const float *a, float *o) {
#pragma omp target teams distribute map(to : a[:rows * n]) map(from : o[:rows * n])
  for (long i = 0; i < rows; i++) {
#pragma omp parallel for
    for (long j = 0; j < n; j++)
      o[i * n + j] = 2 * a[i * n + j];
  }
}

// Rows of collapsed loops: a team's number is the first one, and what it is divided by is divided in 32 bits.
// TABLE-LABEL: region {{.*}}_collapsed_l
// TABLE: version {{.*}}_place_rows_512 {{.*}}threads=512 rows=1 needs=open-threads,trips-most:1073741824,apart
// TABLE-NEXT: version {{.*}}_place_rows_warp {{.*}}threads=128 rows=4 needs=open-threads,trips-most:1073741824,apart
// PTX: .entry {{.*}}_collapsed_l{{[0-9]+}}_place_rows_512(
// PTX-NOT: {{(div|rem)}}.{{[us]}}64
// PTX: div.u32
// PTX-NOT: {{(div|rem)}}.{{[us]}}64
// PTX: .entry {{.*}}_collapsed_l{{[0-9]+}}_place_rows_warp(
// PTX-NOT: {{(div|rem)}}.{{[us]}}64
// PTX: End function
void collapsed(int planes, int rows, int n, const float *a, float *o) {
#pragma omp target teams distribute collapse(2) map(to : a[:planes * rows * n]) map(from : o[:planes * rows * n])
  for (int h = 0; h < planes; h++)
    for (int i = 0; i < rows; i++) {
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        o[(h * rows + i) * n + j] = 2 * a[(h * rows + i) * n + j];
    }
}

// A reduction over teams becomes a grid-stride loop: a thread's partial result stays in a register over all of its iterations, the
// team reduces once, and all threads of the team that comes last form the result from the teams' slots.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table -Wno-pass-failed 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// TABLE: region {{.*}}_sum_l
// TABLE: launch 128 open reduction - open-threads
// TABLE: version {{.*}}_place_g role=plan loop=strided space=-,g threads=512 short=12 fill=2048 needs=open-threads
// PTX: .entry {{.*}}_sum_l{{[0-9]+}}_place_g(
// PTX: .reqntid 512
// PTX-NOT: call
// Eight iterations a round, whose loads do not wait for each other; the counter runs down.
// PTX: [[LOOP:\$L__BB[0-9_]+]]: {{.*}}Inner Loop
// PTX-COUNT-8: ld.global.f32
// PTX-NOT: ld.
// PTX: @%p{{[0-9]+}} bra [[LOOP]];
// PTX: shfl.sync.down.b32
// The team's slot before the count, and one count a team.
// PTX: membar.gl;
// PTX-NEXT: atom.global.add.u32
// PTX: bar.red.or.pred
// PTX: membar.gl;
// PTX: shfl.sync.down.b32
// PTX-NOT: atom.inc
// PTX: End function
float sum(const float *a, int n) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// What the program asks for is a wish where nothing looks at what it got.
// TABLE: region {{.*}}_asked_l
// TABLE: loop=strided {{.*}}threads=512
int asked(const int *a, int n, int teams, int threads) {
  int s = 0;
#pragma omp target teams distribute parallel for num_teams(teams) num_threads(threads) reduction(max : s)
  for (int i = 0; i < n; i++)
    s = a[i] > s ? a[i] : s;
  return s;
}

// A loop's variable has a last value in simd loops: the thread that has the last iteration is still known.
// TABLE: region {{.*}}_vector_l
// TABLE: loop=strided
double vector(const double *a, long n) {
  double s = 1;
#pragma omp target teams distribute parallel for simd reduction(* : s)
  for (long i = 0; i < n; i++)
    s *= a[i];
  return s;
}

// An if clause is such a wish, too.
// TABLE: region {{.*}}_wide_l
// TABLE: loop=strided
int wide(const int *a, int n, int wide) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) if (parallel : wide)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// Neighbouring elements are loaded as one where arrays are known to be aligned at the launch.
// TABLE: region {{.*}}_four_l
// TABLE: version {{.*}}_place_g_wide role=plan loop=strided {{.*}}needs=open-threads,reads-aligned:16
// TABLE: version {{.*}}_place_g role=plan loop=strided
// PTX: .entry {{.*}}_four_l{{[0-9]+}}_place_g_wide(
// PTX-COUNT-4: ld.global.v4.u32
// PTX: End function
long four(const int *a, int n) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[4 * i] + a[4 * i + 1] + a[4 * i + 2] + a[4 * i + 3];
  return s;
}

// A long body may want more registers than a thread of 512 can have.
// TABLE: region {{.*}}_heavy_l
// TABLE: loop=strided {{.*}}threads=128
#define STEP(k) x = x * y + a[i + k * n], y = y * z + x, z = z * x + y * a[i * 3 + k]; if (z > 2 * x) x -= y;
double heavy(const double *a, int n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    double x = a[i], y = 1, z = 2;
    STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10)
    s += x + y + z;
  }
  return s;
}

// `continue` behind a variable of the body: a switch, with a default that is never reached.
// TABLE: region {{.*}}_skips_l
// TABLE: loop=strided {{.*}}threads=512
double skips(const double *a, const int *skip, int n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[ : n], skip[ : n])
  for (int i = 0; i < n; i++) {
    double pair[2] = {a[i], a[0]};
    if (skip[i])
      continue;
    s += pair[i & 1];
  }
  return s;
}

// Not of that form: the program's own chunks; threads that the region looks at.
// TABLE: region {{.*}}_chunks_l
// TABLE-NOT: loop=strided
int omp_get_thread_num(void);
int chunks(const int *a, int n) {
  int s = 0, t = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) schedule(static, 4)
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma omp target teams distribute parallel for reduction(+ : t)
  for (int i = 0; i < n; i++)
    t += a[i] + omp_get_thread_num();
  return s + t;
}

// What the iterations write overlaps nothing else, as the launch shows: two of them are carried out together, and the second's loads wait for
// no store of the first's. The collapsed loops' indices go along with the counter.
// TABLE: region {{.*}}_update_l
// TABLE: version {{.*}}_place_gg role=plan loop=strided space=-,g,-,g,- threads=512 {{.*}}needs=open-threads,apart
// TABLE-NEXT: version {{.*}}_place_gg_any role=plan loop=strided space=-,g,-,g,- threads=512 {{.*}}needs=open-threads{{$}}
// TABLE-NOT: version
// PTX: .entry {{.*}}_update_l{{[0-9]+}}_place_gg(
// PTX: [[LOOP:\$L__BB[0-9_]+]]: {{.*}}Inner Loop
// PTX-NOT: div
// PTX-COUNT-8: ld.global.{{(nc.)?}}f64
// PTX-NOT: ld.
// PTX-COUNT-4: st.global.f64
// PTX-NOT: {{ld|st|div}}.
// PTX: @%p{{[0-9]+}} bra [[LOOP]];
// PTX: End function
double update(int x, int y, double *u, const double *p, double *r, const double *w, double alpha) {
  double s = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)
  for (int j = 1; j < y - 1; j++)
    for (int k = 1; k < x - 1; k++) {
      u[j * x + k] += alpha * p[j * x + k];
      r[j * x + k] -= alpha * w[j * x + k];
      s += r[j * x + k] * r[j * x + k];
    }
  return s;
}

// Reductions over teams do without the device runtime whatever loops they are of: all threads of the team that comes last form the
// result. A team that asks how many there are keeps them.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// REQUIRES: plugin, cuda
int omp_get_num_teams(void);

// TABLE-LABEL: region {{.*}}_rows_l
// TABLE: version {{.*}}_place_g role=plan loop=straight
// PTX: .entry {{.*}}_rows_l{{[0-9]+}}_place_g(
// PTX-NOT: call
// The team's slot before the count, and one count a team.
// PTX: membar.gl;
// PTX-NEXT: atom.global.add.u32
// PTX: bar.red.or.pred
// PTX: membar.gl;
// PTX-NOT: call
// PTX: shfl.sync
// PTX-NOT: call
// PTX: End function
float rows(int n, int m, const float *a) {
  float s = 0;
#pragma omp target teams distribute reduction(+ : s) map(to : a[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++)
      s += a[i * m + j];
  }
  return s;
}

// Of a loop with a counter that is unsigned and has 64 bits, four loads are in flight at a time: only so many teams take part.
// TABLE-LABEL: region {{.*}}_beside_l
// PTX: .entry {{.*}}_beside_l{{[0-9]+}}_place_g(
// PTX: ld.global.f64 {{.*}}+-2048];
// PTX-NEXT: ld.global.f64 {{.*}}+-1024];
// PTX-NEXT: ld.global.f64
// PTX-NEXT: ld.global.f64 {{.*}}+1024];
// PTX-NEXT: add.rn.f64
// PTX: End function
double beside(unsigned long n, const double *a) {
  double s = 0;
#pragma omp target map(tofrom : s) map(to : a[ : n])
#pragma omp teams reduction(+ : s)
  {
#pragma omp distribute parallel for reduction(+ : s)
    for (unsigned long i = 0; i < n; i++)
      s += a[i];
#pragma omp parallel
    if (n == 1)
      s += 1;
  }
  return s;
}

// So they are in the second of two loops. What its reduction asks of a thread's number is asked there: conditions that stay alive from the
// first loop on leave ptxas no predicate registers, and it has each load wait for the one before.
// TABLE-LABEL: region {{.*}}_twice_l
// PTX: .entry {{.*}}_twice_l{{[0-9]+}}_place_g(
// PTX: ld.global.f64 {{.*}}+-2048];
// PTX-NEXT: ld.global.f64
// PTX: ld.global.f64 {{.*}}+-2048];
// PTX-NEXT: ld.global.f64 {{.*}}+-1024];
// PTX-NEXT: ld.global.f64
// PTX-NEXT: ld.global.f64 {{.*}}+1024];
// PTX-NEXT: setp.lt.f64
// PTX: setp.gt.u32 {{%p[0-9]+}}, {{%r[0-9]+}}, 31;
// PTX: End function
double twice(unsigned long n, const double *a) {
  double s = 0, m = a[0];
#pragma omp target map(tofrom : s, m) map(to : a[ : n])
#pragma omp teams reduction(+ : s) reduction(max : m)
  {
#pragma omp distribute parallel for reduction(+ : s)
    for (unsigned long i = 0; i < n; i++)
      s += a[i];
#pragma omp distribute parallel for reduction(max : m)
    for (unsigned long i = 0; i < n; i++)
      m = m < a[i] ? a[i] : m;
  }
  return s + m;
}

// Without threads, where teams do more than the loop (else it is spread: spread.c): a sum stays in a register, and no barrier is in the loop.
// TABLE-LABEL: region {{.*}}_alone_l
// TABLE: version {{.*}}_place_g role=plan loop=straight
// PTX: .entry {{.*}}_alone_l{{[0-9]+}}_place_g(
// PTX: Loop Header: Depth=1
// PTX-NOT: {{bar.sync|shared}}
// PTX: ld.global.f32
// PTX-NOT: {{bar.sync|shared}}
// PTX: add.rn.f32
// PTX-NOT: {{bar.sync|shared}}
// PTX: bra
// PTX: End function
float alone(int n, const float *a) {
  float s = 0;
#pragma omp target teams reduction(+ : s) map(to : a[ : n])
  {
#pragma omp distribute
    for (int i = 0; i < n; i++)
      s += a[i];
    if (n == 1)
      s += 1;
  }
  return s;
}

// TABLE-LABEL: region {{.*}}_counted_l
// TABLE-NOT: loop=straight
// TABLE: end
int counted(void) {
  int s = 0;
#pragma omp target teams reduction(+ : s)
  s += omp_get_num_teams();
  return s;
}

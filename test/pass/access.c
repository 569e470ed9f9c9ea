// The access summary of each kind of array and access.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=access -c %s -o %t.o 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda

typedef struct {
  float x, y;
  int k;
} Point;

// CHECK-LABEL: kernel {{.*}}_conv_l
// CHECK: at conv line [[#@LINE+12]]
// CHECK: threads 128, teams open
// CHECK: loop L0 in kernel (chunks), trips udiv64(
// CHECK: loop L1 in L0 (chunks), trips udiv64(128 + threads - 1, threads) - 1 + 1
// CHECK: loop L2 in L1, trips zext32(((-1) + trunc32(arg0))) + 1
// CHECK: array a (arg 2, 4 B elements): read
// CHECK-NEXT: team footprint 4*(threads - 1) + 4 + 4*(zext32(((-1) + trunc32(arg0)))) B
// CHECK-NEXT: read 4 B in L2: offset {{.*}}128*team + tid{{.*}}4*L2{{.*}} lane stride 4
// CHECK: array w (arg 3, 4 B elements): read
// CHECK: read 4 B in L2: offset 4*L2, uniform
// CHECK: array o (arg 4, 4 B elements): written; global: written by the region
void conv(const float *a, const float *w, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n - m; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += a[i + j] * w[j];
    o[i] = s;
  }
}

// CHECK-LABEL: kernel {{.*}}_spmv_l
// CHECK: loop L2 in L1, trips unknown
// CHECK: array rp {{.*}}: read
// CHECK: lane stride 4
// CHECK: array x (arg {{[0-9]}}, 8 B elements): read
// CHECK-NEXT: read 8 B in L2: irregular via ci, offset 8*sext32(any), log
void spmv(int n, const int *rp, const int *ci, const double *x, double *y) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = rp[i]; k < rp[i + 1]; k++)
      s += x[ci[k]];
    y[i] = s;
  }
}

// A remainder bounds what is irregular.
// CHECK-LABEL: kernel {{.*}}_table_l
// CHECK: array w (arg {{[0-9]}}, 4 B elements): read
// CHECK-NEXT: read 4 B in L1: irregular via idx, offset 4*urem64(zext32(any), zext32(trunc32(arg{{[0-9]}}))), log 0
void table(int n, const unsigned *idx, const float *w, unsigned m, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = w[idx[i] % m];
}

// Structs of scalars, and a stride of their size.
// CHECK-LABEL: kernel {{.*}}_points_l
// CHECK: array p (arg {{[0-9]}}, 12 B elements): read
// CHECK: read 4 B in L1: offset {{.*}} lane stride 12
// CHECK: read 4 B in L1: offset {{.*}} lane stride -12
void points(int n, const Point *p, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = p[i].x + p[n - 1 - i].k;
}

// Two dimensions, and char elements.
// CHECK-LABEL: kernel {{.*}}_matrix_l
// CHECK: array m (arg {{[0-9]+}}, 1 B elements): read
// CHECK: read 1 B
void matrix(int n, signed char m[][64], int *o) {
#pragma omp target teams distribute parallel for collapse(2) map(to : m[0 : n][0 : 64]) map(from : o[0 : n * 64])
  for (int y = 0; y < n; y++)
    for (int x = 0; x < 64; x++)
      o[y * 64 + x] = m[y][x];
}

// CHECK-LABEL: kernel {{.*}}_histogram_l
// CHECK: array h {{.*}}: atomic; global: accessed atomically or as volatile
void histogram(int n, const int *k, int *h) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
#pragma omp atomic
    h[k[i]]++;
}

// CHECK-LABEL: kernel {{.*}}_merged_l
// CHECK: array a {{.*}}: read; global: a pointer may lead to it or to another array
// CHECK: array b {{.*}}: read; global: a pointer may lead to it or to another array
void merged(int n, const float *a, const float *b, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    const float *p = o[i] > 0 ? a : b;
    o[i] = p[i] + p[2 * i];
  }
}

// CHECK-LABEL: kernel {{.*}}_indirect_l
// CHECK: unknown writes: it writes through a pointer that it finds in rows [pointer-in-memory]
void indirect(int n, float **rows, const float *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    rows[i][0] = a[i];
}

// The program looks at the number of teams.
// CHECK-LABEL: kernel {{.*}}_observed_l
// CHECK: teams observed
extern int omp_get_num_teams(void);
void observed(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * omp_get_num_teams();
}

// The device runtime's own buffers are no arrays of the program.
// CHECK-LABEL: kernel {{.*}}_sum_l
// CHECK: teams open, reduction
// CHECK-NOT: unknown writes
// CHECK: array s {{.*}} written
// CHECK: array a {{.*}}: read{{$}}
float sum(int n, const float *a) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

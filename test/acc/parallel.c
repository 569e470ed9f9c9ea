// The parallel construct and its clauses.
// RUN: %acc_run %s %t
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

enum { N = 1000 };
static double a[N], b[N], c[N];

static void combined(void) {
  double scale = 2, t;
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < N; i++) {
    t = a[i] * scale; // each iteration's own
    b[i] = t + 1;
  }
  for (int i = 0; i < N; i++)
    CHECK(b[i] == 2 * i + 1);
}

static void loopInside(int n) {
#pragma acc parallel num_gangs(4) num_workers(2) vector_length(32) copyin(a[0:n]) copy(b[:n])
  {
#pragma acc loop gang vector
    for (int i = 0; i < n; i++)
      b[i] = a[i] + 1;
  }
  for (int i = 0; i < n; i++)
    CHECK(b[i] == i + 1);
}

// Two loops: the second reads what the first one wrote.
static void twoLoops(int n) {
#pragma acc parallel copyin(a) copyout(b, c)
  {
#pragma acc loop gang
    for (int i = 0; i < n; i++)
      b[i] = a[i] + 1;
#pragma acc loop gang vector
    for (int i = 0; i < n; i++)
      c[i] = b[i] * 2;
  }
  CHECK(c[0] == 2 && c[n - 1] == 2 * n);
}

// Code between loops is executed by every gang.
static void redundant(void) {
  int gangs = 0, rows[16] = {0};
#pragma acc parallel num_gangs(2) copy(gangs, rows)
  {
    int one = 1;
#pragma acc atomic update
    gangs += one;
#pragma acc loop gang
    for (int i = 0; i < 16; i++)
      rows[i] += i;
  }
  CHECK(gangs >= 1 && gangs <= 2);
  for (int i = 0; i < 16; i++)
    CHECK(rows[i] == i);
}

static void privates(void) {
  int x = 5, y = 7, seen[8];
#pragma acc parallel loop private(x) firstprivate(y) copyout(seen)
  for (int i = 0; i < 8; i++) {
    x = i;
    y = y + x;
    seen[i] = x;
  }
  CHECK(x == 5 && y == 7);
  for (int i = 0; i < 8; i++)
    CHECK(seen[i] == i);
}

// A scalar that a gang loop writes with vectors inside, in a region that has a copy of it for each gang.
static void gang_scalars(void) {
  double b[8][N], w = -1, first[1];
  int i, j, k;
  for (i = 0; i < 8; i++)
    for (j = 0; j < N; j++)
      b[i][j] = i + j;
#pragma acc parallel copy(b) copyout(first) num_gangs(4)
  {
    first[0] = 7;
#pragma acc loop gang
    for (i = 0; i < 8; i++) {
      w = 0;
      for (k = 0; k < 3; k++)
        w += i + k;
#pragma acc loop vector
      for (j = 0; j < N; j++)
        b[i][j] += w;
    }
  }
  CHECK(first[0] == 7 && w == -1);
  for (i = 0; i < 8; i++)
    for (j = 0; j < N; j++)
      CHECK(b[i][j] == i + j + 3 * i + 3);
}

static int runs_on_host(void) { return 1; }
#pragma omp begin declare variant match(device = {kind(nohost)})
static int runs_on_host(void) { return 0; }
#pragma omp end declare variant

static void conditions(int n) {
  int on_host = -1;
#pragma acc parallel if (n < 0) copy(on_host)
  on_host = runs_on_host();
  CHECK(on_host == 1);
#pragma acc parallel if (n > 0) copy(on_host)
  on_host = runs_on_host();
  CHECK(on_host == 0);
#pragma acc parallel self(n > 0) copy(on_host)
  on_host = runs_on_host();
  CHECK(on_host == 1);
#pragma acc serial self copy(on_host)
  on_host = runs_on_host() + 1;
  CHECK(on_host == 2);
}

static void reductions(int n) {
  double sum = 10;
  long product = 1;
  int largest = -1, smallest = 9999, all = 1, any = 0;
  unsigned bits = 0, mask = ~0u, odd = 0;
#pragma acc parallel loop reduction(+ : sum) reduction(max : largest) reduction(min : smallest) reduction(&& : all) reduction(|| : any)
  for (int i = 0; i < n; i++) {
    sum += a[i];
    largest = i > largest ? i : largest;
    if (i < smallest)
      smallest = i;
    all = all && a[i] >= 0;
    any = any || a[i] == 3;
  }
  CHECK(sum == 10 + n * (n - 1) / 2.0 && largest == n - 1 && smallest == 0 && all && any);
#pragma acc parallel loop reduction(* : product) reduction(| : bits) reduction(& : mask) reduction(^ : odd)
  for (int i = 1; i < 10; i++) {
    product *= i;
    bits |= 1u << i;
    mask &= ~(1u << i);
    odd ^= (unsigned)i;
  }
  CHECK(product == 362880 && bits == 0x3fe && mask == ~0x3feu && odd == (1 ^ 2 ^ 3 ^ 4 ^ 5 ^ 6 ^ 7 ^ 8 ^ 9));
  int gangs = 0;
#pragma acc parallel num_gangs(3) reduction(+ : gangs)
  gangs += 1;
  CHECK(gangs >= 1 && gangs <= 3);
}

static void defaults(void) {
  int n = N;
#pragma acc data copyin(a) copyout(b)
  {
#pragma acc parallel loop default(present)
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma acc parallel loop default(none) present(a, b) firstprivate(n)
    for (int i = 0; i < n; i++)
      b[i] += a[i];
  }
  CHECK(b[10] == 20);
}

static void pointers(void) {
  double *p = malloc(N * sizeof *p), *d = acc_malloc(N * sizeof *d), *row;
  for (int i = 0; i < N; i++)
    p[i] = i;
#pragma acc parallel loop copy(p[0:N])
  for (int i = 0; i < N; i++) {
    row = &p[i];
    *row += 1;
  }
  CHECK(p[N - 1] == N);
#pragma acc parallel loop deviceptr(d) copyin(p[0:N])
  for (int i = 0; i < N; i++)
    d[i] = p[i];
  double back[N];
  acc_memcpy_from_device(back, d, sizeof back);
  CHECK(back[7] == 8);
  acc_free(d);
  free(p);
}

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i;
  combined();
  loopInside(N);
  twoLoops(N);
  redundant();
  privates();
  conditions(1);
  gang_scalars();
  reductions(N);
  defaults();
  pointers();
  return RESULT();
}

// data, enter data, exit data, update, host_data, declare.
// RUN: %acc_run %s %t
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

enum { N = 256 };
static double a[N], b[N];
double table[4] = {1, 2, 3, 4};
int counter;
#pragma acc declare copyin(table) create(counter)

static void structured(void) {
  int x = 1;
#pragma acc data copyin(a) copyout(b) copy(x)
  {
    CHECK(acc_is_present(a, sizeof a) && acc_is_present(b, sizeof b) && acc_is_present(&x, sizeof x));
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++)
      b[i] = a[i] + x;
#pragma acc parallel
    x = 17; // the device's, since the data construct has it
    CHECK(x == 1);
  }
  CHECK(b[3] == 4 && x == 17);
  CHECK(!acc_is_present(a, sizeof a));
#pragma acc data create(b) if (x < 0)
  CHECK(!acc_is_present(b, sizeof b));
}

static void counted(void) {
  double *p = malloc(N * sizeof *p);
  for (int i = 0; i < N; i++)
    p[i] = i;
#pragma acc enter data copyin(p[0:N])
#pragma acc enter data create(p[0:N])
#pragma acc parallel loop present(p)
  for (int i = 0; i < N; i++)
    p[i] *= 2;
#pragma acc exit data delete (p[0:N])
  CHECK(acc_is_present(p, sizeof *p) && p[1] == 1);
#pragma acc exit data copyout(p[0:N])
  CHECK(!acc_is_present(p, sizeof *p) && p[1] == 2);
#pragma acc enter data copyin(p[0:N])
#pragma acc enter data copyin(p[0:N])
#pragma acc exit data copyout(p[0:N]) finalize
  CHECK(!acc_is_present(p, sizeof *p));
#pragma acc enter data copyin(p[0:N]) if (N < 0)
  CHECK(!acc_is_present(p, sizeof *p));
  free(p);
}

// What a structured construct holds stays.
static void held(void) {
#pragma acc data copy(a)
  {
#pragma acc exit data delete (a) finalize
    CHECK(acc_is_present(a, sizeof a));
  }
  CHECK(!acc_is_present(a, sizeof a));
}

static void updates(void) {
  double *p = malloc(N * sizeof *p);
  for (int i = 0; i < N; i++)
    p[i] = 0;
#pragma acc update self(p[0:N]) if_present
#pragma acc data create(p[0:N])
  {
#pragma acc update device(p[0 : N / 2])
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      p[i] = i < N / 2 ? p[i] + 1 : 3;
    CHECK(p[0] == 0);
#pragma acc update host(p[0:N]) if (p[0] != 0)
    CHECK(p[0] == 0);
#pragma acc update self(p[0:N]) async(2)
#pragma acc wait(2)
    CHECK(p[0] == 1 && p[N - 1] == 3);
  }
  free(p);
}

static void hostData(void) {
  double *p = malloc(N * sizeof *p);
#pragma acc data create(p[0:N]) copyin(a)
  {
    void *device = acc_deviceptr(p);
#pragma acc host_data use_device(p, a) if_present
    {
      CHECK((void *)p == device && (void *)p != NULL);
      CHECK((void *)a == acc_deviceptr(a) || (void *)&a[0] != NULL);
    }
    CHECK((void *)p != device);
  }
  free(p);
}

static double declared(int n) {
  double local[8];
#pragma acc declare copy(local)
  for (int i = 0; i < 8; i++)
    local[i] = i;
#pragma acc update device(local)
#pragma acc parallel loop present(local)
  for (int i = 0; i < 8; i++)
    local[i] += table[i & 3];
  CHECK(acc_is_present(local, sizeof local));
  if (n < 0)
    return -1;
#pragma acc update self(local)
  return local[5];
}

static void globals(void) {
  counter = 5;
#pragma acc update device(counter)
#pragma acc serial
  counter += 2;
  CHECK(counter == 5);
#pragma acc update self(counter)
  CHECK(counter == 7);
}

static void absent(void) {
  double *p = malloc(N * sizeof *p), x[4] = {1, 1, 1, 1};
#pragma acc data no_create(p[0:N])
  CHECK(!acc_is_present(p, sizeof *p));
#pragma acc enter data create(p[0:N])
#pragma acc parallel loop no_create(p[0:N])
  for (int i = 0; i < N; i++)
    p[i] = i;
#pragma acc exit data copyout(p[0:N])
  CHECK(p[9] == 9);
#pragma acc data copyout(zero : x)
  {
  }
  CHECK(x[0] == 0 && x[3] == 0);
#pragma acc enter data create(zero : p[0:N])
#pragma acc exit data copyout(p[0:N])
  CHECK(p[0] == 0 && p[N - 1] == 0);
  free(p);
}

struct vector {
  int n;
  double *x;
};

static void members(void) {
  struct vector v = {N, malloc(N * sizeof(double))};
  for (int i = 0; i < N; i++)
    v.x[i] = i;
#pragma acc enter data copyin(v)
#pragma acc enter data copyin(v.x[0 : v.n])
#pragma acc parallel loop present(v)
  for (int i = 0; i < v.n; i++)
    v.x[i] += 1;
#pragma acc exit data copyout(v.x[0 : v.n])
#pragma acc exit data delete (v)
  CHECK(v.x[10] == 11);
#pragma acc enter data copyin(v.x[0 : v.n])
#pragma acc enter data copyin(v) attach(v.x)
#pragma acc parallel loop present(v)
  for (int i = 0; i < v.n; i++)
    v.x[i] += 1;
#pragma acc exit data detach(v.x) delete (v)
#pragma acc exit data copyout(v.x[0 : v.n])
  CHECK(v.x[10] == 12);
  free(v.x);
}

static void rows(int n, int m) {
  double **p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++) {
    p[i] = malloc(m * sizeof **p);
    for (int j = 0; j < m; j++)
      p[i][j] = i;
  }
#pragma acc parallel loop copy(p[0:n][0:m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i][j] += j;
  CHECK(p[2][3] == 5);
#pragma acc enter data copyin(p[0:n][0:m])
#pragma acc parallel loop present(p)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i][j] += 1;
#pragma acc update self(p[0:n][0:m])
  CHECK(p[2][3] == 6);
#pragma acc exit data delete (p[0:n][0:m])
  for (int i = 0; i < n; i++)
    free(p[i]);
  free(p);
}

// Of a structure that is not on the device, what its member points to is updated, and copied out at the end.
static void members_alone(void) {
  struct { int *x, n; } s, *q = &s;
  s.n = 10;
  s.x = malloc(10 * sizeof(int));
  for (int i = 0; i < 10; i++)
    s.x[i] = i;
#pragma acc enter data create(q->x[0:10])
#pragma acc update device(q->x[0:10])
  int *x = s.x;
#pragma acc parallel loop present(x)
  for (int i = 0; i < 10; i++)
    x[i] += 1;
#pragma acc update self(s.x[0:10])
  CHECK(s.x[9] == 10);
#pragma acc parallel loop present(x)
  for (int i = 0; i < 10; i++)
    x[i] += 1;
#pragma acc exit data copyout(s.x[0:10]) finalize
  CHECK(s.x[9] == 11);
  free(s.x);
}

// A parameter that is declared as an array stands for its elements, not for a pointer; its first bound may be an expression.
static void parameters(int n, double a[4][N], double b[n], double out[restrict N], double c[(n - 1) / 2 + 1][2]) {
#pragma acc data copyin(a, b) copyout(out) copy(c)
  {
    CHECK(acc_is_present(a, 4 * sizeof a[0]) && acc_is_present(b, n * sizeof b[0]) && acc_is_present(out, N * sizeof out[0]));
    CHECK(acc_is_present(c, ((n - 1) / 2 + 1) * sizeof c[0]) && !acc_is_present(c, ((n - 1) / 2 + 2) * sizeof c[0]));
    a[3][N - 1] = b[n - 1] = 10;
#pragma acc update device(b)
#pragma acc parallel loop present(a, b, out)
    for (int i = 0; i < N; i++)
      out[i] = a[3][i] + b[i % n];
    out[N - 1] = -1;
#pragma acc update self(out)
    CHECK(out[N - 1] == 1 + b[(N - 1) % n]);
  }
  CHECK(!acc_is_present(a, 1) && !acc_is_present(b, 1) && !acc_is_present(out, 1));
#pragma acc enter data create(zero : out)
  out[0] = 5;
#pragma acc exit data copyout(out)
  CHECK(out[0] == 0 && out[N - 1] == 0);
}

static void with_parameters(void) {
  static double a[4][N], b[N / 2], out[N], c[N][2];
  for (int i = 0; i < N; i++)
    a[3][i] = 1, b[i / 2] = 2;
  parameters(N / 2, a, b, out, c);
}

int main(void) {
  members_alone();
  for (int i = 0; i < N; i++)
    a[i] = i;
  structured();
  counted();
  held();
  updates();
  hostData();
  CHECK(declared(1) == 7);
  CHECK(declared(-1) == -1);
  globals();
  absent();
  members();
  rows(5, 6);
  with_parameters();
  return RESULT();
}

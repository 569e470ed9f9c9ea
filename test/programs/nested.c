/* Nested data environments: an inner one that maps what the outer one has already, or a part of it; enter and exit data
 * across functions; an array whose host copy and device copy differ on purpose. */
// RUN: %check_program %s %t
// MODES: no-fallback (host and device copies differ on purpose)
#include "check.h"

enum { N = 900, TABLE = 77 };

static int in[N], table[TABLE], out[N], want[N];

static void use(const int *t, const int *x, int *y, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = x[i];
    for (int j = 0; j < 20; j++)
      sum += t[j] * x[j];
    y[i] = sum;
  }
}

static void use_and_map(const int *t, const int *x, int *y, int n) {
#pragma omp target data map(to : t[0 : TABLE], x[0 : n]) map(from : y[0 : n])
  use(t, x, y, n);
}

static void reference(const int *t, const int *x, int n) {
  for (int i = 0; i < n; i++) {
    want[i] = x[i];
    for (int j = 0; j < 20; j++)
      want[i] += t[j] * x[j];
  }
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    int kept[TABLE];
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = kept[i] = value(i, r + 2);

    use_and_map(table, in, out, N); /* not mapped outside */
    reference(table, in, N);
    expect_bytes("alone", out, want, sizeof out);

#pragma omp target data map(to : table, in) map(from : out)
    {
      for (int i = 0; i < TABLE; i++)
        table[i] = -1; /* on the host only: the device keeps what it got */
      use_and_map(table, in, out, N);
#pragma omp target data map(to : in[0 : 100])
      use(table, in, out, N);
    }
    reference(kept, in, N);
    expect_bytes("nested", out, want, sizeof out);

    memcpy(table, kept, sizeof table);
#pragma omp target enter data map(to : table)
    use_and_map(table, in, out, 300);
#pragma omp target enter data map(to : table) /* a second reference */
#pragma omp target exit data map(release : table)
    use_and_map(table, in, out, N);
#pragma omp target exit data map(delete : table)
    reference(table, in, N);
    expect_bytes("enter and exit", out, want, sizeof out);
  }
  return check_done("nested");
}

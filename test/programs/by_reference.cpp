/* Scalars in map clauses come to a kernel by reference. One of them may lie in an array that the kernel writes: then it changes. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 96 };
static int a[N * N], b[N * N], c[N * N], want[N * N], row[N + 1], want_row[N + 1];

static void product(int n) {
#pragma omp target teams distribute parallel for map(to : n, a[ : n * n], b[ : n * n]) map(from : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

/* One iteration, so nothing races: it shortens its own loop. */
static void shortens(int *r, int m) {
  int &n = r[N];
#pragma omp target teams distribute parallel for map(to : m, n) map(tofrom : r[ : N + 1])
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) {
      r[N - k] = 5;
      r[k] += 1;
    }
}

int main() {
  for (int t = 0; t < rounds(); t++) {
    int n = N - t % 3 * 7;
    for (int i = 0; i < n * n; i++)
      a[i] = value(i, t) % 100, b[i] = value(i + 3, t) % 100;
    memset(want, 0, sizeof want);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          want[i * n + j] += a[i * n + k] * b[k * n + j];
    product(n);
    expect_bytes("product", c, want, size_t(n) * n * sizeof *c);
    memset(row, 0, sizeof row);
    memset(want_row, 0, sizeof want_row);
    row[N] = 40;
    for (int k = 0; k < 5; k++)
      want_row[N - k] = 5, want_row[k] += 1;
#pragma omp target data map(tofrom : row)
    shortens(row, 1);
    expect_bytes("shortened", row, want_row, sizeof row);
  }
  return check_done("by_reference");
}

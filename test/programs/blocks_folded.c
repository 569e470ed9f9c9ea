/* Single parallel loops whose body is a sequential loop: it becomes a dimension of its own where the order of its iterations does
 * not matter, and stays a loop where it does. */
// RUN: %check_program %s %t
#include "check.h"

static int seed;

static void fill(int *a, long n) {
  seed++;
  for (long i = 0; i < n; i++)
    a[i] = value(i, seed);
}

/* Rows and columns: coalesced along j only if j is spread over threads. */
static void scale(const int *in, const int *factor, int *out, int n, int m) {
#pragma omp target teams distribute parallel for map(to : in[0 : n * m], factor[0 : m]) map(from : out[0 : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] = in[i * m + j] * factor[j] + i - j;
}

static void transpose(const int *in, int *out, int n, int m) {
#pragma omp target teams distribute parallel for map(to : in[0 : n * m]) map(from : out[0 : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[j * n + i] = in[i * m + j];
}

static void multiply(const int *a, const int *b, int *c, int n, int m, int k) {
#pragma omp target teams distribute parallel for map(to : a[0 : n * k], b[0 : k * m]) map(from : c[0 : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i * k + l] * b[l * m + j];
      c[i * m + j] = sum;
    }
}

/* The last j wins: not to be folded. */
static void last(const int *in, int *out, int n, int m) {
#pragma omp target teams distribute parallel for map(to : in[0 : n * m]) map(tofrom : out[0 : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (in[i * m + j] > 40)
        out[i] = j;
}

/* Two stores that meet at neighbouring j: the order matters. */
static void overlap(const int *in, int *out, int n, int m) {
#pragma omp target teams distribute parallel for map(to : in[0 : n * m]) map(from : out[0 : n * (m + 1)])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      out[i * (m + 1) + j] = in[i * m + j];
      out[i * (m + 1) + j + 1] = -in[i * m + j];
    }
}

/* As many columns as the row says, and something behind the loop. */
static void triangle(const int *in, int *out, int *count, int n) {
#pragma omp target teams distribute parallel for map(to : in[0 : n * n]) map(tofrom : out[0 : n * n]) map(from : count[0 : n])
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      out[i * n + j] = in[j * n + i];
    count[i] = i;
  }
}

static void check_rows(int n, int m) {
  long cells = (long)n * m, edge = (long)n * (m + 1);
  int *in = malloc((cells + 1) * sizeof *in), *factor = malloc((m + 1) * sizeof *factor);
  int *out = calloc(edge + 1, sizeof *out), *expected = calloc(edge + 1, sizeof *expected);
  fill(in, cells);
  fill(factor, m);
  scale(in, factor, out, n, m);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      expected[i * m + j] = in[i * m + j] * factor[j] + (int)i - (int)j;
  expect_bytes("scale", out, expected, cells * sizeof *out);
  transpose(in, out, n, m);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      expected[j * n + i] = in[i * m + j];
  expect_bytes("transpose", out, expected, cells * sizeof *out);
  overlap(in, out, n, m);
  for (long i = 0; i < n && m; i++)
    for (long j = 0; j <= m; j++)
      expected[i * (m + 1) + j] = j < m ? in[i * m + j] : -in[i * m + m - 1];
  if (m)
    expect_bytes("overlap", out, expected, edge * sizeof *out);
  for (long i = 0; i < n; i++)
    out[i] = expected[i] = -1;
  last(in, out, n, m);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      if (in[i * m + j] > 40)
        expected[i] = (int)j;
  expect_bytes("last", out, expected, n * sizeof *out);
  free(in);
  free(factor);
  free(out);
  free(expected);
}

static void check_multiply(int n, int m, int k) {
  int *a = malloc((n * k + 1) * sizeof *a), *b = malloc((k * m + 1) * sizeof *b);
  int *c = calloc(n * m + 1, sizeof *c), *expected = calloc(n * m + 1, sizeof *expected);
  fill(a, (long)n * k);
  fill(b, (long)k * m);
  multiply(a, b, c, n, m, k);
  for (int i = 0; i < n; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++)
        expected[i * m + j] += a[i * k + l] * b[l * m + j];
  expect_bytes("multiply", c, expected, (size_t)n * m * sizeof *c);
  free(a);
  free(b);
  free(c);
  free(expected);
}

static void check_triangle(int n) {
  int *in = malloc((n * n + 1) * sizeof *in), *out = calloc(n * n + 1, sizeof *out);
  int *expected = calloc(n * n + 1, sizeof *expected), *count = calloc(n + 1, sizeof *count);
  fill(in, (long)n * n);
  triangle(in, out, count, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      expected[i * n + j] = in[j * n + i];
  expect_bytes("triangle", out, expected, (size_t)n * n * sizeof *out);
  for (int i = 0; i < n; i++)
    expected[i] = i;
  expect_bytes("count", count, expected, n * sizeof *count);
  free(in);
  free(out);
  free(count);
  free(expected);
}

int main(void) {
  static const int sizes[][2] = {{0, 5}, {5, 0}, {1, 1}, {31, 64}, {32, 32}, {33, 31}, {64, 129}, {67, 130}, {7, 1000}, {300, 3}};
  for (int r = 0; r < rounds(); r++) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      check_rows(sizes[s][0], sizes[s][1]);
    check_multiply(65, 131, 33);
    check_multiply(70, 64, 16);
    check_triangle(67);
  }
  return check_done("blocks_folded");
}

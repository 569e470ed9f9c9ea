/* Reductions over two collapsed loops of which the inner one strides through memory: grid-stride versions let the loops change places. Extents
 * that are constants, powers of two, known at the launch, 0 and 1; counters of 32 and 64 bits; and divisions of a counter that are the
 * program's own, by a divisor of the number of iterations and by another number. */
// RUN: %check_program %s %t
#include "check.h"

enum { ROWS = 37, COLUMNS = 53, WIDE = 64, SIZE = 4096 };

static int in[SIZE], out[SIZE], want[SIZE], linear[SIZE], want_linear[SIZE];

static long device, host;

static void constants(void) {
  long a = 0, b = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : a, b)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int at = j * ROWS + i;
      out[at] = in[at] + 1;
      a += in[at], b += in[at] * (long)(at % 1009 + 1);
    }
  device += a + 3 * b;
  for (int at = 0; at < ROWS * COLUMNS; at++) {
    want[at] = in[at] + 1;
    host += in[at] + 3 * (in[at] * (long)(at % 1009 + 1));
  }
}

static void powers(void) {
  long a = 0, b = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : a) reduction(max : b)
  for (unsigned i = 0; i < WIDE; i++)
    for (unsigned j = 0; j < WIDE; j++) {
      a += in[j * WIDE + i] * (long)(i + 3 * j);
      b = in[j * WIDE + i] > b ? in[j * WIDE + i] : b;
    }
  device += a + b;
  long most = 0;
  for (unsigned at = 0; at < WIDE * WIDE; at++) {
    host += in[at] * (long)(at % WIDE + 3 * (at / WIDE));
    most = in[at] > most ? in[at] : most;
  }
  host += most;
}

static void variables(int n, int m) {
  long a = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      out[j * n + i] = i - j;
      a += in[j * n + i] * (long)(i * 5 + j);
    }
  device += a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      want[j * n + i] = i - j;
      host += in[j * n + i] * (long)(i * 5 + j);
    }
}

static void longs(long from, long n, long m) {
  long a = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : a)
  for (long i = from; i < from + n; i++)
    for (long j = 2; j < m + 2; j++)
      a += in[(j - 2) * n + i - from] * (i + 7 * j);
  device += a;
  for (long i = from; i < from + n; i++)
    for (long j = 2; j < m + 2; j++)
      host += in[(j - 2) * n + i - from] * (i + 7 * j);
}

/* The program's own division, of one loop. */
static void divided(int n) {
  long a = 0, b = 0;
#pragma omp target teams distribute parallel for reduction(+ : a)
  for (int k = 0; k < n; k++)
    a += in[k % 7 * 500 + k / 7] * (long)(k + 1);
#pragma omp target teams distribute parallel for reduction(+ : b)
  for (int k = 0; k < 3000; k++)
    b += in[k % 8 * 400 + k / 8] + k;
  device += a + 5 * b;
  for (int k = 0; k < n; k++)
    host += in[k % 7 * 500 + k / 7] * (long)(k + 1);
  for (int k = 0; k < 3000; k++)
    host += 5l * (in[k % 8 * 400 + k / 8] + k);
}

/* The iteration's number itself: LLVM widens it, and so has two counters. */
static void numbered(int n) {
  long a = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++) {
      if (in[j * n + i] % 3)
        linear[i * 3 + j] = in[j * n + i] + i;
      a += in[j * n + i + 5] + in[j * n + i + 9];
    }
  device += a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++) {
      if (in[j * n + i] % 3)
        want_linear[i * 3 + j] = in[j * n + i] + i;
      host += in[j * n + i + 5] + in[j * n + i + 9];
    }
}

int main(void) {
  static const int rows[] = {1, 31, 64, 0, 40, 7}, columns[] = {50, 33, 64, 9, 0, 1};
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < SIZE; i++)
      in[i] = value(i, r), out[i] = want[i] = 0;
    device = host = 0;
#pragma omp target data map(to : in) map(tofrom : out, linear)
    {
      constants();
      powers();
      variables(rows[r % 6], columns[r % 6]);
      longs(-5, columns[r % 6], rows[(r + 1) % 6]);
      divided(3000 + r % 5);
      numbered(1000 + 37 * (r % 9));
    }
    expect_long("sums", device, host);
    expect_bytes("out", out, want, sizeof out);
    expect_bytes("linear", linear, want_linear, sizeof linear);
  }
  return check_done("interchanged");
}

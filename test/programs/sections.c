/* Mapped sections that do not begin at the array's first element, and pointers into the middle of a mapped array. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 2000, LO = 300, LEN = 701, TAPS = 12 };

static int in[N], weight[N], out[N], want[N];

static void by_section(void) {
  memset(out, 0, sizeof out), memset(want, 0, sizeof want);
#pragma omp target teams distribute parallel for map(to : in[LO : LEN], weight[40 : TAPS]) map(from : out[LO : LEN])
  for (int i = LO; i < LO + LEN; i++) {
    int sum = in[i];
    for (int j = 0; j < TAPS; j++)
      sum += weight[40 + j] * j;
    out[i] = sum;
  }
  for (int i = LO; i < LO + LEN; i++) {
    want[i] = in[i];
    for (int j = 0; j < TAPS; j++)
      want[i] += weight[40 + j] * j;
  }
  expect_bytes("section", out, want, sizeof out);
}

static void by_pointer(const int *p, const int *w, int *o, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = -2; j <= 2; j++)
      sum += p[i + j] * w[j];
    o[i] = sum;
  }
}

static void enclosing(void) {
  memset(out, 0, sizeof out), memset(want, 0, sizeof want);
#pragma omp target data map(to : in[100 : 1000], weight[0 : 64]) map(tofrom : out[100 : 1000])
  {
    by_pointer(in + 200, weight + 10, out + 200, 333); /* negative offsets, still inside of the section */
    by_pointer(in + 700, weight + 50, out + 700, 7);
  }
  for (int i = 0; i < 333; i++)
    for (int j = -2; j <= 2; j++)
      want[200 + i] += in[200 + i + j] * weight[10 + j];
  for (int i = 0; i < 7; i++)
    for (int j = -2; j <= 2; j++)
      want[700 + i] += in[700 + i + j] * weight[50 + j];
  expect_bytes("pointers", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r), weight[i] = value(i, r + 7);
    by_section();
    enclosing();
  }
  return check_done("sections");
}

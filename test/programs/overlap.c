/* Pointers into one mapped array, some of them written: what is read through one is what was written through the
 * other, so no copy made before the kernel may be read instead. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 4096 };

/* Each iteration reads what it has written itself, through another pointer. */
static void write_then_read(int *written, const int *seen, int *out, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    written[i] = i * 2 + 1;
    out[i] = seen[i];
  }
}

/* Disjoint halves of one array: legal to place, as long as nobody takes them for the whole. */
static void halves(const int *low, int *high, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < 8; j++)
      sum += low[j];
    high[i] = low[i] + sum;
  }
}

/* Odd elements are computed from even ones, in place. */
static void interleaved(const int *even, int *odd, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    odd[2 * i] = even[2 * i] + even[0];
}

/* The same array passed twice, read only: no conflict. */
static void twice(const int *a, const int *b, int *out, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    out[i] = a[i] + b[n - 1 - i] + a[3] * b[5];
}

int main(void) {
  static int a[N], out[N], want_a[N], want[N];
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      a[i] = want_a[i] = value(i, r), out[i] = want[i] = 0;
#pragma omp target data map(tofrom : a[0 : N], out[0 : N])
    {
      write_then_read(a, a, out, 100);
      halves(a, a + N / 2, N / 2);
      interleaved(a + 200, a + 201, 300);
      twice(a, a, out + 1000, 900);
      write_then_read(a + 17, a + 17, out + 2000, 1000);
    }
    for (int i = 0; i < 100; i++)
      want[i] = want_a[i] = i * 2 + 1;
    int sum = 0;
    for (int j = 0; j < 8; j++)
      sum += want_a[j];
    for (int i = 0; i < N / 2; i++)
      want_a[N / 2 + i] = want_a[i] + sum;
    for (int i = 0; i < 300; i++)
      want_a[201 + 2 * i] = want_a[200 + 2 * i] + want_a[200];
    for (int i = 0; i < 900; i++)
      want[1000 + i] = want_a[i] + want_a[899 - i] + want_a[3] * want_a[5];
    for (int i = 0; i < 1000; i++)
      want_a[17 + i] = want[2000 + i] = i * 2 + 1;
    expect_bytes("array", a, want_a, sizeof a);
    expect_bytes("out", out, want, sizeof out);
  }
  return check_done("overlap");
}

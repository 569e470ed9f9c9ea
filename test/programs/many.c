/* One region launched on different arrays and sizes in turn, arrays that are read in one region and written in the next,
 * and a region with many arrays. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 2048, ARRAYS = 10 };

static void combine(const int *t, const int *x, int *y, int n, int entries) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = x[i];
    for (int j = 0; j < entries; j++)
      sum += t[j];
    y[i] = sum % 1009;
  }
}

static void combine_on_host(const int *t, const int *x, int *y, int n, int entries) {
  int total = 0;
  for (int j = 0; j < entries; j++)
    total += t[j];
  for (int i = 0; i < n; i++)
    y[i] = (x[i] + total) % 1009;
}

static void ping_pong(int r) {
  static int a[N], b[N], ha[N], hb[N];
  for (int i = 0; i < N; i++)
    a[i] = ha[i] = value(i, r), b[i] = hb[i] = value(i, r + 1);
#pragma omp target data map(tofrom : a, b)
  for (int step = 0; step < 6; step++) {
    int entries = 8 << step % 3, n = N - 100 * step;
    combine(a, a + 64, b, n - 64, entries); /* what is read now is written next */
    combine(b + 3, b, a, n, entries / 2);
    combine_on_host(ha, ha + 64, hb, n - 64, entries);
    combine_on_host(hb + 3, hb, ha, n, entries / 2);
  }
  expect_bytes("a", a, ha, sizeof a);
  expect_bytes("b", b, hb, sizeof b);
}

static void ten_arrays(int r) {
  int s[ARRAYS][64], out[N], want[N];
  for (int i = 0; i < ARRAYS * 64; i++)
    s[i / 64][i % 64] = value(i, r);
  int *a = s[0], *b = s[1], *c = s[2], *d = s[3], *e = s[4], *f = s[5], *g = s[6], *h = s[7], *k = s[8], *l = s[9];
#pragma omp target data map(to : a[0 : 64], b[0 : 64], c[0 : 64], d[0 : 64], e[0 : 64], f[0 : 64], g[0 : 64], h[0 : 64], \
                                k[0 : 64], l[0 : 64]) map(from : out)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      out[i] = a[i & 63] + b[0] + c[i / 64] + d[(i * 5) & 63] + e[63] + f[i & 7] + g[i & 31] * h[i & 15] + k[a[i & 63] & 63] +
               l[63 - (i & 63)];
  }
  for (int i = 0; i < N; i++)
    want[i] = a[i & 63] + b[0] + c[i / 64] + d[(i * 5) & 63] + e[63] + f[i & 7] + g[i & 31] * h[i & 15] + k[a[i & 63] & 63] +
              l[63 - (i & 63)];
  expect_bytes("ten arrays", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    ping_pong(r);
    ten_arrays(r);
  }
  return check_done("many");
}

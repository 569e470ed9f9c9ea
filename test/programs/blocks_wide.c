/* Neighbouring iterations of one thread that read and write in one access: elements of 1 to 8 bytes, several types in one
 * kernel, in place, under a condition, indices of another array, sizes that are no multiples of a block. And arrays that do not
 * begin at 16 bytes: the original runs, whatever is asked for. */
// RUN: %check_program --simt %s %t
#include "check.h"

enum { N = 3077, SHIFT = 3 };
static signed char c[N + 16], hc[N + 16];
static short s[N + 16], hs[N + 16];
static int a[N + 16], o[N + 16], ho[N + 16], at[N + 16];
static double d[N + 16], hd[N + 16];

static void bytes(signed char *x, const int *y, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] = (signed char)(x[i] / 2 + y[i] % 7);
}

static void shorts(short *x, const signed char *y, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    if (y[i] > 3)
      x[i] = (short)(y[i] * 3);
    else
      x[i] += y[i];
}

static void widen(double *x, const short *y, const int *z, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] = y[i] * 2.0 + z[i];
}

static void gather(int *x, const int *y, const int *index, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] = y[index[i]] + y[i];
}

static void window(int *x, const int *y, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] = y[i] + y[i + 1] + y[i + 4];
}

static void pairs(int *x, const int *y, int n) { /* every other element: lies apart */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n / 2; i++)
    x[2 * i] += y[i];
}

int main(void) {
  static const int sizes[] = {N, 1024, 511, 5};
  for (int r = 0; r < rounds(); r++)
    for (int k = 0; k < 4; k++) {
      int n = sizes[k];
      for (int i = 0; i < N + 16; i++) {
        c[i] = hc[i] = (signed char)(value(i, r) - 40), s[i] = hs[i] = (short)value(i, r + 1);
        a[i] = value(i, r + 2), o[i] = ho[i] = -i, at[i] = value(i, r + 3) * 7, d[i] = hd[i] = 0;
      }
#pragma omp target data map(tofrom : c, s, o, d) map(to : a, at)
      {
        bytes(c, a, n);
        shorts(s, c, n);
        widen(d, s, a, n);
        gather(o, a, at, n);
        pairs(o, a, n);
        window(o + 4, a + SHIFT, n / 2); /* one of them begins elsewhere */
        bytes(c + 1, a + SHIFT, n / 2);
      }
      for (int i = 0; i < n; i++) {
        hc[i] = (signed char)(hc[i] / 2 + a[i] % 7);
        hs[i] = (short)(hc[i] > 3 ? hc[i] * 3 : hs[i] + hc[i]);
        hd[i] = hs[i] * 2.0 + a[i];
        ho[i] = a[at[i]] + a[i];
      }
      for (int i = 0; i < n / 2; i++)
        ho[2 * i] += a[i];
      for (int i = 0; i < n / 2; i++)
        ho[i + 4] = a[i + SHIFT] + a[i + SHIFT + 1] + a[i + SHIFT + 4];
      for (int i = 0; i < n / 2; i++)
        hc[i + 1] = (signed char)(hc[i + 1] / 2 + a[i + SHIFT] % 7);
      expect_bytes("bytes", c, hc, sizeof c);
      expect_bytes("shorts", s, hs, sizeof s);
      expect_bytes("doubles", d, hd, sizeof d);
      expect_bytes("ints", o, ho, sizeof o);
    }
  return check_done("blocks_wide");
}

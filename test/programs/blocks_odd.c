/* Bodies that are hard to take apart, in blocks: loops that leave early, whose counts come from elsewhere, that write, that
 * carry several values; operands read with two strides, through pointers that walk, with another type; three dimensions with
 * a small one. */
// RUN: %check_program %s %t
#include "check.h"

enum { SIDE = 97, N = SIDE * SIDE };
static int seed;
static float a[2 * N + 900], o[N + 200], p[N + 200], want[N + 200], want_p[N + 200];
static void fill(void) {
  for (int i = 0; i < N + 200; i++)
    o[i] = want[i] = p[i] = want_p[i] = -1;
  for (int i = 0; i < 2 * N + 900; i++)
    a[i] = value(i, seed);
}
#define RUN(WHAT, COLLAPSE, LOOPS, ...)                                                                                      \
  do {                                                                                                                       \
    fill();                                                                                                                  \
    _Pragma("omp target map(to : a) map(tofrom : o, p)") _Pragma(COLLAPSE) LOOPS {                                           \
      float *O = o, *P = p;                                                                                                  \
      __VA_ARGS__                                                                                                            \
    }                                                                                                                        \
    LOOPS {                                                                                                                  \
      float *O = want, *P = want_p;                                                                                          \
      __VA_ARGS__                                                                                                            \
    }                                                                                                                        \
    (void)0;                                                                                                                 \
    expect_bytes(WHAT, o, want, sizeof o);                                                                                   \
    expect_bytes(WHAT " p", p, want_p, sizeof p);                                                                            \
  } while (0)
#define C1 "omp teams distribute parallel for"
#define C2 "omp teams distribute parallel for collapse(2)"
#define C3 "omp teams distribute parallel for collapse(3)"
#define YX                                                                                                                   \
  for (int y = 0; y < n; y++)                                                                                                \
    for (int x = 0; x < n; x++)
#define I1 for (int i = 0; i < n; i++)
static void run(int n, int m) {
  RUN("inner while", C2, YX, {
    float s = 0;
    int k = 0;
    while (k < m && a[k] < 60) {
      s += a[y * n + k];
      k++;
    }
    O[y * n + x] = s + a[x * n + y] + k;
    (void)P;
  });
  RUN("triangular", C2, YX, {
    float s = 0;
    for (int k = 0; k < y; k++)
      s += a[k * n + x];
    O[y * n + x] = s;
    (void)P;
  });
  RUN("triangular strip", C1, I1, {
    float s = 0;
    for (int j = 0; j < m; j++)
      for (int k = 0; k < j; k++)
        s += a[i + k] * a[j];
    O[i] = s;
    (void)P;
  });
  RUN("two out", C2, YX, {
    O[x * n + y] = a[y * n + x];
    P[y * n + x] = a[x * n + y] + a[y * n + x];
  });
  RUN("nested ext", C2, YX, {
    float s = 0;
    for (int j = 0; j < 3; j++) {
      s += a[y * n + j];
      for (int k = 0; k < m; k++)
        s += a[y * n + k] * a[k * n + x];
      s = s > 1e6f ? 0 : s;
    }
    O[y * n + x] = s;
    (void)P;
  });
  RUN("step of k", C2, YX, {
    float s = 0;
    for (int k = 0; k < m; k += 2)
      s += a[y * n + k] * a[k * n + x];
    for (int k = m; k > 0; k -= 1)
      s -= a[y * n + k] * a[k * n + x];
    O[y * n + x] = s;
    (void)P;
  });
  RUN("two strides", C2, YX, {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[y * n + k] * a[y + n * k] + a[x + n * k] * a[x * n + k];
    O[y * n + x] = s;
    (void)P;
  });
  RUN("store in k", C2, YX, {
    float s = 0;
    for (int k = 0; k < m; k++) {
      s += a[y * n + k] * a[k * n + x];
      O[x * n + y] = s;
    }
    P[x * n + y] = s + 1;
  });
  RUN("k in both", C2, YX, {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[(y + k) * n + k] * a[(k + x) * 2 + 1];
    O[y * n + x] = s;
    (void)P;
  });
  RUN("i times k", C1, I1, {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[(i * k) % N] * a[i % 32 * k];
    O[i] = s;
    (void)P;
  });
  RUN("mixed types", C2, YX, {
    unsigned *u = (unsigned *)a;
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[y * n + k] + (float)(u[y * n + k] >> 24);
    O[y * n + x] = s + a[x * n + y] + (float)(u[x * n + y] >> 28);
    (void)P;
  });
  RUN("double view", C2, YX, {
    O[y * n + x] = a[2 * (x * n + y) + 1] - a[2 * (x * n + y)];
    (void)P;
  });
  RUN("loop lives", C1, I1, {
    float s = 0, t = 1, u = 2;
    for (int k = 0; k < m; k++) {
      float z = s;
      s = t;
      t = u;
      u = z + a[i + k] * a[k];
      u = u > 4096 ? 0 : u;
    }
    O[i] = s + 2 * t + 4 * u;
    (void)P;
  });
  RUN("index from k", C1, I1, {
    int best = 0;
    for (int k = 1; k < m; k++)
      best = a[i + k] > a[i + best] ? k : best;
    O[i] = best;
    (void)P;
  });
  RUN("invariant load", C1, I1, {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[k] * a[3];
    O[i] = s;
    (void)P;
  });
  RUN("unsigned k", C1, I1, {
    float s = 0;
    for (unsigned k = (unsigned)m; k-- > 0;)
      s += a[(unsigned)i + k] * a[k];
    O[i] = s;
    (void)P;
  });
  RUN("char k", C1, I1, {
    float s = 0;
    for (unsigned char k = 0; k < (unsigned char)m; k++)
      s += a[i + k] * a[k];
    O[i] = s;
    (void)P;
  });
  RUN("do", C1, I1, {
    float s = 0;
    int k = 0;
    do
      s += a[i + k] * a[k];
    while (++k < m);
    O[i] = s;
    (void)P;
  });
  RUN("pointer walk", C1, I1, {
    float s = 0;
    const float *q = a + i, *w = a;
    for (int k = 0; k < m; k++)
      s += *q++ * *w++;
    O[i] = s;
    (void)P;
  });
  RUN("pointer walk 2", C2, YX, {
    float s = 0;
    const float *q = a + y * n, *w = a + x;
    for (int k = 0; k < m; k++, w += n)
      s += *q++ * *w;
    O[y * n + x] = s;
    (void)P;
  });
  RUN("three", C3, for (int z = 0; z < 3; z++) for (int y = 0; y < n / 2; y++) for (int x = 0; x < n / 2; x++), {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[z * n + k] * a[y * m + k] * a[k * n + x];
    O[(z * (n / 2) + x) * (n / 2) + y] = s;
    P[(z * (n / 2) + y) * (n / 2) + x] = a[(x * (n / 2) + y) * 3 + z];
  });
  RUN("three small", C3, for (int y = 0; y < n / 2; y++) for (int x = 0; x < n / 2; x++) for (int c = 0; c < 3; c++), {
    O[(c * (n / 2) + y) * (n / 2) + x] = a[(y * (n / 2) + x) * 3 + c];
    (void)P;
  });
}
int main(void) {
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    static const int s[][2] = {{97, 33}, {64, 32}, {65, 1}, {96, 31}};
    run(s[r % 4][0], s[r % 4][1]);
    if (r == 3) {
      run(97, 0);
    }
  }
  return check_done("odd");
}

/* Sequential loops whose operands are staged strip by strip: matrix products in all orientations, filters with windows in all
 * directions, several loops after another, nested ones, and trip counts around a strip's length. */
// RUN: %check_program %s %t
#include "check.h"

static int seed;

static float *fresh(size_t n, int s) {
  float *a = malloc((n + 1) * sizeof *a);
  for (size_t i = 0; i < n; i++)
    a[i] = value((long)i, seed + s) % 13 - 6;
  return a;
}

/* C = A B, A^T B, A B^T; with alpha and beta, C is read, and there are no blocks. */
#define PRODUCT(NAME, A_AT, B_AT, RESULT)                                                                                    \
  static void NAME(int m, int n, int l) {                                                                                    \
    size_t an = (size_t)m * l, bn = (size_t)l * n, cn = (size_t)m * n;                                                       \
    float *a = fresh(an, 1), *b = fresh(bn, 2), *c = fresh(cn, 3), *want = fresh(cn, 3);                                     \
    float alpha = 2, beta = 3;                                                                                               \
    (void)alpha, (void)beta;                                                                                                 \
    _Pragma("omp target teams distribute parallel for collapse(2) map(to : a[:an], b[:bn]) map(tofrom : c[:cn])")\
    for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) {                                                \
      float sum = 0;                                                                                                         \
      for (int k = 0; k < l; k++)                                                                                            \
        sum += a[A_AT] * b[B_AT];                                                                                            \
      c[i * n + j] = RESULT(c[i * n + j]);                                                                                   \
    }                                                                                                                        \
    for (int i = 0; i < m; i++)                                                                                              \
      for (int j = 0; j < n; j++) {                                                                                          \
        float sum = 0;                                                                                                       \
        for (int k = 0; k < l; k++)                                                                                          \
          sum += a[A_AT] * b[B_AT];                                                                                          \
        want[i * n + j] = RESULT(want[i * n + j]);                                                                           \
      }                                                                                                                      \
    expect_bytes(#NAME, c, want, cn * sizeof *c);                                                                            \
    free(a), free(b), free(c), free(want);                                                                                   \
  }
#define SUM(old) sum
#define SCALED(old) (alpha * sum + beta * (old))
PRODUCT(ab, i *l + k, k *n + j, SUM)
PRODUCT(atb, k *m + i, k *n + j, SUM)
PRODUCT(abt, i *l + k, j *l + k, SUM)
PRODUCT(atbt, k *m + i, j *l + k, SUM)
PRODUCT(gemm, i *l + k, k *n + j, SCALED)

/* Windows that slide up, down, and by two; taps read forwards and backwards. */
#define FILTER(NAME, IN_AT, TAP_AT, EXTRA)                                                                                   \
  static void NAME(int n, int taps) {                                                                                        \
    size_t in_n = (size_t)(EXTRA);                                                                                           \
    float *in = fresh(in_n, 1), *w = fresh((size_t)taps, 2), *o = fresh((size_t)n, 3), *want = fresh((size_t)n, 3);          \
    _Pragma(                                                                                                                 \
        "omp target teams distribute parallel for map(to : in[0 : in_n], w[0 : taps]) map(tofrom : o[0 : n])") for (int i =  \
                                                                                                                        0;   \
                                                                                                                    i < n;   \
                                                                                                                    i++) {   \
      float sum = 0;                                                                                                         \
      for (int k = 0; k < taps; k++)                                                                                         \
        sum += in[IN_AT] * w[TAP_AT];                                                                                        \
      o[i] = sum;                                                                                                            \
    }                                                                                                                        \
    for (int i = 0; i < n; i++) {                                                                                            \
      want[i] = 0;                                                                                                           \
      for (int k = 0; k < taps; k++)                                                                                         \
        want[i] += in[IN_AT] * w[TAP_AT];                                                                                    \
    }                                                                                                                        \
    expect_bytes(#NAME, o, want, (size_t)n * sizeof *o);                                                                     \
    free(in), free(w), free(o), free(want);                                                                                  \
  }
/* Arrays end with the last element that is read. */
FILTER(up, i + k, k, n + taps > 0 ? n + taps - 1 : 0)
FILTER(down, taps - 1 + i - k, k, n + taps > 0 ? n + taps - 1 : 0)
FILTER(mirrored, n - 1 + k - i, taps - 1 - k, n + taps > 0 ? n + taps - 1 : 0)
FILTER(by_two, 2 * i + k, k, 2 * n + taps)
FILTER(rows, i * taps + k, k, n * taps)
FILTER(taps_by_two, i + 2 * k, k, n + 2 * taps)

/* Three loops along the same row, of which the last one writes another: each is staged, where the one before was. */
static void three_loops(int n, int m) {
  size_t cells = (size_t)n * (size_t)m;
  float *in = fresh(cells, 1), *o = fresh(cells, 2), *want = fresh(cells, 2);
#define THREE(out)                                                             \
  do {                                                                         \
    float most = -1, sum = 0;                                                  \
    for (int k = 0; k < m; k++)                                                \
      most = in[i * m + k] > most ? in[i * m + k] : most;                      \
    for (int k = 0; k < m; k++)                                                \
      sum += (most - in[i * m + k]) * (float)(k & 3);                          \
    for (int k = 0; k < m; k++)                                                \
      out[i * m + k] = in[i * m + k] + sum;                                    \
  } while (0)
#pragma omp target teams distribute parallel for map(to : in [0:cells]) map(tofrom : o [0:cells])
  for (int i = 0; i < n; i++)
    THREE(o);
  for (int i = 0; i < n; i++)
    THREE(want);
  expect_bytes("three_loops", o, want, cells * sizeof *o);
  free(in), free(o), free(want);
}

/* Several loops after another, one with other steps, one nested, one as long as the index says. */
static void many_loops(int n, int m) {
  size_t mn = (size_t)m * (size_t)m;
  float *in = fresh((size_t)(n + m + 1), 1), *w = fresh((size_t)m, 2), *v = fresh(mn, 3), *o = fresh((size_t)n, 4);
  float *want = fresh((size_t)n, 4);
#define BODY(out)                                                                                                            \
  do {                                                                                                                       \
    float sum = 0;                                                                                                           \
    for (int k = 0; k < m; k++)                                                                                              \
      sum += in[i + k] * w[k];                                                                                               \
    for (int k = m - 1; k >= 0; k -= 3)                                                                                      \
      sum -= in[i + k] * w[k];                                                                                               \
    for (int j = 0; j < m; j++) {                                                                                            \
      sum += w[j];                                                                                                           \
      for (int k = 0; k < m; k++)                                                                                            \
        sum += v[j * m + k] * in[i + k];                                                                                     \
    }                                                                                                                        \
    for (int k = 0; k < i % 5 && k < m; k++)                                                                                 \
      sum += w[k];                                                                                                           \
    out[i] = sum;                                                                                                            \
  } while (0)
#pragma omp target data map(to : in [0:n + m + 1], w [0:m], v [0:mn]) map(tofrom : o [0:n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      BODY(o);
  }
  for (int i = 0; i < n; i++)
    BODY(want);
  expect_bytes("many_loops", o, want, (size_t)n * sizeof *o);
  free(in), free(w), free(v), free(o), free(want);
}

/* All pairs, with a count of 64 bits, a maximum beside the sum, and a store in the loop's shadow. */
static void pairs(int64_t n, int64_t m) {
  float *x = fresh((size_t)n, 1), *y = fresh((size_t)m, 2);
  float *near = fresh((size_t)n, 3), *want = fresh((size_t)n, 3);
  int64_t *which = calloc((size_t)n + 1, sizeof *which), *want_which = calloc((size_t)n + 1, sizeof *which);
#define NEAREST(out, out_which)                                                                                              \
  do {                                                                                                                       \
    float best = 1e9f;                                                                                                       \
    int64_t at = -1;                                                                                                         \
    for (int64_t k = 0; k < m; k++) {                                                                                        \
      float d = (x[i] - y[k]) * (x[i] - y[k]);                                                                               \
      at = d < best ? k : at;                                                                                                \
      best = d < best ? d : best;                                                                                            \
    }                                                                                                                        \
    out[i] = best;                                                                                                           \
    out_which[i] = at;                                                                                                       \
  } while (0)
#pragma omp target teams distribute parallel for map(to : x [0:n], y [0:m]) map(tofrom : near [0:n], which [0:n])
  for (int64_t i = 0; i < n; i++)
    NEAREST(near, which);
  for (int64_t i = 0; i < n; i++)
    NEAREST(want, want_which);
  expect_bytes("pairs", near, want, (size_t)n * sizeof *near);
  expect_bytes("pairs: which", which, want_which, (size_t)n * sizeof *which);
  free(x), free(y), free(near), free(want), free(which), free(want_which);
}

/* A loop's counter and what it leaves behind are used after it; it writes, too. */
static void left_over(int n, int m) {
  size_t om = (size_t)n * (size_t)m;
  float *x = fresh((size_t)n + (size_t)m + 1, 1), *y = fresh((size_t)m + 1, 2), *o = fresh(om, 3), *want = fresh(om, 3);
  float *last = fresh((size_t)n, 4), *want_last = fresh((size_t)n, 4);
#define LEAVE(out, out_last)                                                                                                 \
  do {                                                                                                                       \
    float a = 1, b = 2;                                                                                                      \
    int k = 0;                                                                                                               \
    for (; k < m; k++) {                                                                                                     \
      float t = a;                                                                                                           \
      a = b + x[i] * y[k];                                                                                                   \
      b = t;                                                                                                                 \
      a = a > 1000 ? 0 : a < -1000 ? 1 : a;                                                                                  \
      out[k * n + i] = a;                                                                                                    \
    }                                                                                                                        \
    out_last[i] = a - b + y[k] + x[i + k] + k;                                                                               \
  } while (0)
#pragma omp target teams distribute parallel for map(to : x [0:n + m + 1], y [0:m + 1]) map(tofrom : o [0:om], last [0:n])
  for (int i = 0; i < n; i++)
    LEAVE(o, last);
  for (int i = 0; i < n; i++)
    LEAVE(want, want_last);
  expect_bytes("left_over", o, want, om * sizeof *o);
  expect_bytes("left_over: last", last, want_last, (size_t)n * sizeof *last);
  free(x), free(y), free(o), free(want), free(last), free(want_last);
}

/* Reads under conditions and exits inside the loop, the same array read with two strides, a trip count from memory. */
static void uneven(int n, int m) {
  size_t in_n = (size_t)n + 3 * (size_t)m + 1;
  float *in = fresh(in_n, 1), *w = fresh((size_t)m + 1, 2), *o = fresh((size_t)n, 3), *want = fresh((size_t)n, 3);
  int *length = malloc(((size_t)n + 1) * sizeof *length);
  for (int i = 0; i < n; i++)
    length[i] = value(i, seed) % (m + 1);
#define UNEVEN(out)                                                                                                          \
  do {                                                                                                                       \
    float sum = 0;                                                                                                           \
    for (int k = 0; k < m; k++) {                                                                                            \
      sum += in[i + k] - in[i + 3 * k];                                                                                      \
      if (w[k] > 0)                                                                                                          \
        sum += in[k] * w[m - 1 - k];                                                                                         \
    }                                                                                                                        \
    for (int k = 0; k < m; k++) {                                                                                            \
      if (w[k] > 5)                                                                                                          \
        break;                                                                                                               \
      sum += in[i + k];                                                                                                      \
    }                                                                                                                        \
    for (int k = 0; k < length[i]; k++)                                                                                      \
      sum += in[i + k] * w[k];                                                                                               \
    out[i] = sum;                                                                                                            \
  } while (0)
#pragma omp target teams distribute parallel for map(to : in [0:in_n], w [0:m + 1], length [0:n]) map(tofrom : o [0:n])
  for (int i = 0; i < n; i++)
    UNEVEN(o);
  for (int i = 0; i < n; i++)
    UNEVEN(want);
  expect_bytes("uneven", o, want, (size_t)n * sizeof *o);
  free(in), free(w), free(o), free(want), free(length);
}

int main(void) {
  static const int products[][3] = {{1, 1, 1},    {64, 64, 16}, {64, 64, 15}, {65, 129, 17}, {129, 65, 33}, {64, 128, 0},
                                    {33, 32, 31}, {0, 64, 16},  {64, 0, 16},  {64, 64, 1},   {67, 71, 32},  {128, 64, 31}};
  static const int filters[][2] = {{1, 1},  {511, 32}, {512, 32}, {513, 32}, {512, 31}, {1024, 33}, {1021, 16}, {600, 0},
                                   {0, 32}, {512, 1},  {512, 15}, {513, 64}, {31, 17},  {129, 63},  {1025, 17}, {777, 32}};
  enum { PRODUCTS = sizeof products / sizeof *products, FILTERS = sizeof filters / sizeof *filters };
  const int turns = rounds() > 16 ? FILTERS : 4; /* where the runtime chooses, sizes take turns */
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    for (int i = r % turns; i < PRODUCTS; i += turns) {
      ab(products[i][0], products[i][1], products[i][2]);
      atb(products[i][0], products[i][1], products[i][2]);
      abt(products[i][0], products[i][1], products[i][2]);
      atbt(products[i][0], products[i][1], products[i][2]);
      gemm(products[i][0], products[i][1], products[i][2]);
    }
    for (int i = r % turns; i < FILTERS; i += turns) {
      up(filters[i][0], filters[i][1]);
      down(filters[i][0], filters[i][1]);
      mirrored(filters[i][0], filters[i][1]);
      rows(filters[i][0], filters[i][1]);
      by_two(filters[i][0], filters[i][1]);
      taps_by_two(filters[i][0], filters[i][1]);
      many_loops(filters[i][0], filters[i][1] / 2);
      three_loops(filters[i][0], filters[i][1]);
      pairs(filters[i][0], filters[i][1]);
      left_over(filters[i][0], filters[i][1]);
      uneven(filters[i][0], filters[i][1]);
    }
  }
  return check_done("blocks_strips");
}

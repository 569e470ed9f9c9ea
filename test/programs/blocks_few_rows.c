/* Rows that eight warps fetch and one sums up: rows and columns around a block's and a strip's, rows updated in place, two loops one after the
 * other, what follows from a row's result (a branch; an index, which no version of this kind may have), and elements of all sizes. */
// RUN: %check_program %s %t
#include "check.h"

static int seed;

static void *fresh(size_t bytes) { return calloc(bytes + 1, 1); }

/* BODY leaves its result in y[i] and has a row, the vector, and a table. */
#define ROWS(NAME, TYPE, BODY)                                                                                       \
  static void NAME(int n, int m) {                                                                                   \
    size_t all = (size_t)n * (size_t)m;                                                                              \
    TYPE *a = fresh(all * sizeof *a), *x = fresh((size_t)m * sizeof *x), *table = fresh(100 * sizeof *table);        \
    TYPE *y = fresh((size_t)n * sizeof *y), *want = fresh((size_t)n * sizeof *want);                                 \
    for (size_t i = 0; i < all; i++) a[i] = (TYPE)(value((long)i, seed) % 5);                                        \
    for (int i = 0; i < m; i++) x[i] = (TYPE)(value(i, seed + 1) % 3);                                               \
    for (int i = 0; i < 100; i++) table[i] = (TYPE)value(i, seed + 2);                                               \
    for (int i = 0; i < n; i++) y[i] = want[i] = (TYPE)(value(i, seed + 3) % 7);                                     \
    _Pragma("omp target teams distribute parallel for map(to : a[:all], x[:m], table[:100]) map(tofrom : y[:n])")    \
    for (int i = 0; i < n; i++) BODY                                                                                 \
    TYPE *device = y;                                                                                                \
    y = want;                                                                                                        \
    for (int i = 0; i < n; i++) BODY                                                                                 \
    expect_bytes(#NAME, device, want, (size_t)n * sizeof *want);                                                     \
    free(a), free(x), free(table), free(device), free(want);                                                         \
  }

#define TIMES_VECTOR(TYPE)                                                                                           \
  {                                                                                                                  \
    TYPE s = 0;                                                                                                      \
    for (int j = 0; j < m; j++)                                                                                      \
      s += a[i * m + j] * x[j];                                                                                      \
    y[i] = s;                                                                                                        \
  }
ROWS(doubles, double, TIMES_VECTOR(double))
ROWS(floats, float, TIMES_VECTOR(float))
ROWS(shorts, short, TIMES_VECTOR(short))
ROWS(bytes, unsigned char, TIMES_VECTOR(unsigned char))

ROWS(in_place, double, {
  for (int j = 0; j < m; j++)
    y[i] += a[i * m + j] * x[j];
})
ROWS(two_loops, float, {
  float most = -1;
  float sum = 0;
  for (int j = 0; j < m; j++)
    most = a[i * m + j] > most ? a[i * m + j] : most;
  for (int j = 0; j < m; j++)
    sum += most - a[i * m + j] + x[j];
  y[i] = y[i] * most + sum;
})
ROWS(branch, double, {
  double s = 0;
  for (int j = 0; j < m; j++)
    s += a[i * m + j] * x[j];
  if (s > 40)
    y[i] = s;
  else
    y[i] -= 1;
})
ROWS(branch_before, float, {
  float s = 0;
  if (y[i] > 3)
    y[i] = s = table[i % 100];
  for (int j = 0; j < m; j++)
    s += a[i * m + j] * x[j];
  y[i] += s;
})
ROWS(branch_inside, double, {
  double s = 0;
  for (int j = 0; j < m; j++) {
    double product = a[i * m + j] * x[j];
    if (product > 2)
      s += table[j % 100];
    if (product == 1)
      y[i] = product + s;
  }
  y[i] += s;
})
ROWS(skipped, double, {
  double s = 0;
  if (y[i] > 3)
    continue;
  for (int j = 0; j < m; j++)
    s += a[i * m + j] * x[j];
  y[i] += s;
})
ROWS(index_in_next_loop, double, {
  int at = 0;
  double s = 0;
  for (int j = 0; j < m; j++)
    at = a[i * m + j] > x[j] ? j % 100 : at;
  for (int j = 0; j < m; j++)
    s += a[i * m + j] * table[at];
  y[i] = s;
})
ROWS(index_by_result, float, {
  int at = 0;
  for (int j = 0; j < m; j++)
    at = a[i * m + j] > x[j] ? j % 100 : at;
  y[i] = table[at];
})

int main(void) {
  static const int sizes[][2] = {{1, 1},    {31, 64},  {32, 63},   {33, 65},   {1000, 203}, {127, 0}, {96, 512},
                                 {129, 511}, {64, 513}, {300, 128}, {4097, 33}, {65, 1024}, {0, 64},  {32, 1536}};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  const int turns = rounds() > 16 ? SIZES : 2; /* where the runtime chooses, sizes take turns */
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    for (int i = r % turns; i < SIZES; i += turns) {
      doubles(sizes[i][0], sizes[i][1]);
      floats(sizes[i][0], sizes[i][1]);
      shorts(sizes[i][0], sizes[i][1]);
      bytes(sizes[i][0], sizes[i][1]);
      in_place(sizes[i][0], sizes[i][1]);
      two_loops(sizes[i][0], sizes[i][1]);
      branch(sizes[i][0], sizes[i][1]);
      branch_before(sizes[i][0], sizes[i][1]);
      branch_inside(sizes[i][0], sizes[i][1]);
      skipped(sizes[i][0], sizes[i][1]);
      index_in_next_loop(sizes[i][0], sizes[i][1]);
      index_by_result(sizes[i][0], sizes[i][1]);
    }
  }
  return check_done("blocks_few_rows");
}

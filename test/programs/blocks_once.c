/* Iterations in blocks that must not be carried out twice: arrays that are read and written, counted in, stored to more than
 * once, reached through pointers that nobody follows. Sizes that are no multiples of a block, and below one. */
// RUN: %check_program --simt %s %t
#include "check.h"

enum { SIDE = 77, N = SIDE * SIDE, DEEP = 9, TERMS = 37 };
static int seed;
static int a[N + 8], ha[N + 8], b[N + 8], hb[N + 8], table[N + 64], counts[16], hcounts[16];

static void fill(void) {
  for (int i = 0; i < N + 8; i++)
    a[i] = ha[i] = value(i, seed), b[i] = hb[i] = -i;
  for (int i = 0; i < N + 64; i++)
    table[i] = value(i, seed + 1);
  for (int i = 0; i < 16; i++)
    counts[i] = hcounts[i] = 0;
}

static void expect(const char *what) {
  expect_bytes(what, a, ha, sizeof a);
  expect_bytes(what, b, hb, sizeof b);
  expect_bytes(what, counts, hcounts, sizeof counts);
}

/* ---- one, two and three loops in place ---- */

static void line(int *x, const int *t, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 3 + t[i];
}

static void plane(int *x, const int *t, int h, int w) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < h; y++)
    for (int i = 0; i < w; i++)
      x[y * w + i] = x[y * w + i] * 3 + t[y + 1] * t[i];
}

static void space(int *x, const int *t, int d, int h, int w) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 0; z < d; z++)
    for (int y = 0; y < h; y++)
      for (int i = 0; i < w; i++)
        x[(z * h + y) * w + i] += t[z] + 2 * t[y] + 3 * t[i];
}

/* ---- the same element several times, and a second array ---- */

static void again(int *x, int *second, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    x[i] = x[i] + 1;
    second[i] = x[i] * 2;
    x[i] = second[i] - x[i] / 3;
  }
}

/* ---- accumulated over a sequential loop, whose other operands may go through tiles ---- */

static void accumulate(int *x, const int *t, int n, int terms) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < terms; k++)
      x[i] += t[i + k] * t[k];
}

static void product(int *x, const int *t, int n, int terms) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int i = 0; i < n; i++) {
      int sum = x[y * n + i];
      for (int k = 0; k < terms; k++)
        sum += t[y * terms + k] * t[k * n + i];
      x[y * n + i] = sum;
    }
}

/* ---- a column in place: no tile for it; the row of another array may have one ---- */

static void columns(int *x, const int *t, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int i = 0; i < n; i++)
      x[i * n + y] = x[i * n + y] * 2 + t[y * n + i];
}

/* ---- counted ---- */

static void count(const int *t, int *cell, int *x, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    cell[t[i] & 15] += 1;
    x[i] += 1;
  }
}

/* ---- under a condition ---- */

static void some(int *x, const int *t, int h, int w) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < h; y++)
    for (int i = 0; i < w; i++)
      if (y > 0 && i < w - 1 && t[y] != t[i])
        x[y * w + i] += t[y * w + i - w] - t[y * w + i + 1];
}

/* ---- two names of one array: the same element in both ---- */

static void twice(int *x, int *same, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    x[i] += 5;
    same[i] = same[i] * 2;
    x[i] -= same[i] / 4;
  }
}

int main(void) {
  static const int sizes[] = {N, 512, 511, 129, 3, 1};
  for (int r = 0; r < rounds(); r++)
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      int n = sizes[s], w = n < SIDE ? n : SIDE, h = n / w;
      seed = r;
      fill();
#pragma omp target data map(tofrom : a, b, counts) map(to : table)
      {
        line(a, table, n);
        plane(a, table, h, w);
        if (h / DEEP)
          space(b, table, DEEP, h / DEEP, w);
        again(a, b, n);
        accumulate(b, table, n, TERMS);
        product(a, table, h < w ? h : w, TERMS);
        columns(a, table, h < w ? h : w);
        count(table, counts, b, n);
        some(b, table, h, w);
        twice(a, a, n);
      }
      for (int i = 0; i < n; i++)
        ha[i] = ha[i] * 3 + table[i];
      for (int y = 0; y < h; y++)
        for (int i = 0; i < w; i++)
          ha[y * w + i] = ha[y * w + i] * 3 + table[y + 1] * table[i];
      for (int z = 0, p = h / DEEP; z < DEEP && p; z++)
        for (int y = 0; y < p; y++)
          for (int i = 0; i < w; i++)
            hb[(z * p + y) * w + i] += table[z] + 2 * table[y] + 3 * table[i];
      for (int i = 0; i < n; i++) {
        ha[i] = ha[i] + 1;
        hb[i] = ha[i] * 2;
        ha[i] = hb[i] - ha[i] / 3;
      }
      for (int i = 0; i < n; i++)
        for (int k = 0; k < TERMS; k++)
          hb[i] += table[i + k] * table[k];
      int m = h < w ? h : w;
      for (int y = 0; y < m; y++)
        for (int i = 0; i < m; i++)
          for (int k = 0; k < TERMS; k++)
            ha[y * m + i] += table[y * TERMS + k] * table[k * m + i];
      for (int y = 0; y < m; y++)
        for (int i = 0; i < m; i++)
          ha[i * m + y] = ha[i * m + y] * 2 + table[y * m + i];
      for (int i = 0; i < n; i++) {
        hcounts[table[i] & 15] += 1;
        hb[i] += 1;
      }
      for (int y = 0; y < h; y++)
        for (int i = 0; i < w; i++)
          if (y > 0 && i < w - 1 && table[y] != table[i])
            hb[y * w + i] += table[y * w + i - w] - table[y * w + i + 1];
      for (int i = 0; i < n; i++) {
        ha[i] += 5;
        ha[i] = ha[i] * 2;
        ha[i] -= ha[i] / 4;
      }
      expect("once");
    }
  return check_done("blocks_once");
}

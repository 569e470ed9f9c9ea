// Reductions of which an inner loop with constant bounds forms all: array sections and scalars, of lengths that neighbouring threads share
// and others; and such that it does not form alone.
#include <stdio.h>
#include <string.h>

enum { ROWS = 1100, MOST = 64 };

static int in[ROWS * MOST], bad;

static void expect(const char *what, int size, const void *got, const void *want, size_t bytes) {
  if (memcmp(got, want, bytes) == 0) return;
  bad++;
  printf("%s of %d differ\n", what, size);
}

#define PRAGMA(text) _Pragma(#text)
#define SUMS(SIZE)                                                                                                     \
  static void sums##SIZE(int rows, int seed) {                                                                         \
    long sum[SIZE], want[SIZE];                                                                                        \
    unsigned parity = 0, odd = 0;                                                                                      \
    for (int j = 0; j < SIZE; j++) sum[j] = want[j] = seed + j;                                                        \
    PRAGMA(omp target teams distribute parallel for reduction(+ : sum[0 : SIZE]) reduction(^ : parity) map(to : in))   \
    for (int i = 0; i < rows; i++) {                                                                                   \
      int half = i / 2;                                                                                                \
      for (int j = 0; j < SIZE; j++) {                                                                                 \
        int one = in[i * SIZE + j] + half;                                                                             \
        sum[j] += one;                                                                                                 \
        if (one & 1) parity ^= (unsigned)(one * (j + 1));                                                              \
      }                                                                                                                \
    }                                                                                                                  \
    for (int i = 0; i < rows; i++)                                                                                     \
      for (int j = 0; j < SIZE; j++) {                                                                                 \
        int one = in[i * SIZE + j] + i / 2;                                                                            \
        want[j] += one;                                                                                                \
        if (one & 1) odd ^= (unsigned)(one * (j + 1));                                                                 \
      }                                                                                                                \
    expect("sums", SIZE, sum, want, sizeof sum);                                                                       \
    expect("parity", SIZE, &parity, &odd, sizeof odd);                                                                 \
  }
SUMS(1) SUMS(7) SUMS(8) SUMS(16) SUMS(24) SUMS(32) SUMS(64)

// The inner loop's sum goes on into another, and rows are counted outside of it.
static void of_rows(int rows) {
  long squares = 0, count = 0, want = 0;
#pragma omp target teams distribute parallel for reduction(+ : squares, count) map(to : in)
  for (int i = 0; i < rows; i++) {
    long row = 0;
    for (int j = 0; j < 32; j++) row += in[i * 32 + j];
    squares += row * row;
    count++;
  }
  for (int i = 0; i < rows; i++) {
    long row = 0;
    for (int j = 0; j < 32; j++) row += in[i * 32 + j];
    want += row * row;
  }
  expect("squares", 32, &squares, &want, sizeof want);
  want = rows;
  expect("counts", 32, &count, &want, sizeof want);
}

// What one round of the inner loop leaves to the next, and what is written beside the sum.
static void of_neighbours(int rows) {
  static int out[ROWS], out_want[ROWS];
  long sum = 0, want = 0;
  memset(out, 0, sizeof out), memset(out_want, 0, sizeof out_want);
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : in) map(tofrom : out)
  for (int i = 0; i < rows; i++) {
    int before = 1;
    for (int j = 0; j < 16; j++) {
      sum += in[i * 16 + j] * before;
      before = in[i * 16 + j] & 7;
    }
    out[i] += before;
  }
  for (int i = 0; i < rows; i++) {
    int before = 1;
    for (int j = 0; j < 16; j++) want += in[i * 16 + j] * before, before = in[i * 16 + j] & 7;
    out_want[i] += before;
  }
  expect("products", 16, &sum, &want, sizeof want);
  expect("last", 16, out, out_want, sizeof out);
}

int main(void) {
  for (int i = 0; i < ROWS * MOST; i++) in[i] = (i * 37 + (i >> 6)) % 101 - 20;
  for (int round = 0; round < 6; round++) {
    int rows = round % 3 == 2 ? 5 : round % 3 ? ROWS : ROWS - 101;
    sums1(rows, round), sums7(rows, round), sums8(rows, round), sums16(rows, round), sums24(rows, round), sums32(rows, round);
    sums64(rows, round), sums32(0, round), of_rows(rows), of_neighbours(rows);
  }
  printf("%s lane_sums\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

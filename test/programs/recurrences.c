/* Inner loops that replace what they go along, forwards and backwards, at distances that only the launch knows, 0 among them. */
// RUN: %check_program %s %t
#include "check.h"

enum { COLUMNS = 90, ROWS = 45, ALL = COLUMNS * ROWS };

static int a[ALL], ha[ALL], b[ALL], c[ALL], hc[ALL];

static void fill(int r) {
  for (int i = 0; i < ALL; i++) {
    a[i] = ha[i] = value(i, r) - 30;
    b[i] = value(i, r + 7) % 5 - 2;
    c[i] = hc[i] = value(i, r + 9) % 11;
  }
}

/* Down a column and up again, as recursive filters do. */
static void filter(int *begin, int rows, int pitch) {
  int *at = begin, last = *at;
  for (int n = 1; n < rows; n++) {
    at += pitch;
    *at = last = (*at * 3 + last * 5) % 1009;
  }
  for (int n = rows - 2; n >= 0; n--) {
    at -= pitch;
    *at = last = (last - *at * 2) % 997;
  }
}

static void filters(int rows, int pitch, int from) {
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < COLUMNS; i++)
    filter(a + from + i, rows, pitch);
  for (int i = 0; i < COLUMNS; i++)
    filter(ha + from + i, rows, pitch);
  expect_bytes("filters", a, ha, sizeof a);
}

/* Two arrays at a time, one of them at half the distance, with a third that is only read. */
static void solver(int rows, long pitch, long half) {
#pragma omp target teams distribute parallel for map(tofrom : a, c) map(to : b)
  for (int i = 0; i < COLUMNS; i++) {
    int last = 1, sum = 0;
    for (int n = 0; n < rows; n++) {
      a[n * pitch + i] = last = (a[n * pitch + i] - b[n * pitch + i] * last) % 601;
      c[n * half + i] += sum += last;
    }
  }
  for (int i = 0; i < COLUMNS; i++) {
    int last = 1, sum = 0;
    for (int n = 0; n < rows; n++) {
      ha[n * pitch + i] = last = (ha[n * pitch + i] - b[n * pitch + i] * last) % 601;
      hc[n * half + i] += sum += last;
    }
  }
  expect_bytes("solver", a, ha, sizeof a);
  expect_bytes("solver's other", c, hc, sizeof c);
}

/* The element before is read from the array, and so is one of a neighbour's: no such loop. */
static void neighbours(int rows, int pitch) {
#pragma omp target teams distribute parallel for map(tofrom : c)
  for (int i = 0; i < COLUMNS; i++)
    for (int n = 1; n < rows; n++)
      c[n * pitch + i] = (c[n * pitch + i] + c[(n - 1) * pitch + i] * 2) % 307;
  for (int i = 0; i < COLUMNS; i++)
    for (int n = 1; n < rows; n++)
      hc[n * pitch + i] = (hc[n * pitch + i] + hc[(n - 1) * pitch + i] * 2) % 307;
  expect_bytes("neighbours", c, hc, sizeof c);
}

int main(void) {
  static const int rows[] = {ROWS, 1, 2, 16, 17, 18, 33, 0, 34, 44};
  for (int r = 0; r < rounds(); r++) {
    int n = rows[r % 10];
    fill(r);
    filters(n > 0 ? n : 1, COLUMNS, 0);
    filters(n > 0 ? n : 1, -COLUMNS, ALL - COLUMNS);
    filters(n > 0 ? n : 1, 0, r);
    solver(n, COLUMNS, r % 3 ? COLUMNS : 0);
    solver(n, 0, COLUMNS);
    neighbours(n, COLUMNS);
    neighbours(n, 0);
  }
  return check_done("recurrences");
}

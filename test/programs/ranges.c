/* Ranges that lie one behind the other, and such as do not: what is read along them by whole teams is what each thread reads, in the same order. */
// RUN: %check_program %s %t
#include "check.h"

enum { ROWS = 700, MOST = 40000, NODES = 512 };

static int start[ROWS + 1], end[ROWS];
static long wide_start[ROWS + 1];
static int column[MOST], y[ROWS], expected[ROWS];
static unsigned char kind[MOST];
static double weight[MOST], x[NODES], sums[ROWS], expected_sums[ROWS];
static unsigned degree[NODES], expected_degree[NODES], mark[ROWS], expected_mark[ROWS];

/* Lengths of 0 to some; one row has more than several parts of a team's shared memory. */
static int length(int i, int most) { return i == 77 ? 20 * most : i % 5 == 3 ? 0 : value(i, most) % most; }

static void fill(int most) {
  int at = 0;
  for (int i = 0; i < ROWS; i++) {
    wide_start[i] = start[i] = at;
    at += length(i, most);
  }
  wide_start[ROWS] = start[ROWS] = at;
  for (int k = 0; k < MOST; k++) {
    column[k] = value(k, 3) * 5 % NODES;
    kind[k] = (unsigned char)value(k, 1);
    weight[k] = value(k, 2);
  }
  for (int k = 0; k < NODES; k++)
    x[k] = value(k, 4);
}

/* A matrix times a vector. Fewer teams than the rows need go round. */
static void multiply(int rows, int teams) {
  memset(sums, 0, sizeof sums);
#pragma omp target teams distribute parallel for num_teams(teams) map(to : start, column, weight, x) map(tofrom : sums)
  for (int i = 0; i < rows; i++) {
    double sum = 0.5;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += weight[k] * x[column[k]];
    sums[i] = sum;
  }
  memset(expected_sums, 0, sizeof sums);
  for (int i = 0; i < rows; i++) {
    double sum = 0.5;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += weight[k] * x[column[k]];
    expected_sums[i] = sum;
  }
  expect_bytes("multiply", sums, expected_sums, sizeof sums);
}

/* What an element becomes depends on those before it, and on whose it is; something is kept of the last one. A counter of 64 bits. */
static int folded(int i, int *last) {
  int all = i;
  for (long k = wide_start[i]; k < wide_start[i + 1]; k++) {
    if (kind[k] % 3 == i % 3)
      all = all * 5 + column[k];
    else if (kind[k] == 7)
      all -= *last;
    *last = kind[k] + column[k];
  }
  return all;
}
static void fold(int rows) {
#pragma omp target teams distribute parallel for map(to : wide_start, column, kind) map(tofrom : y)
  for (int i = 0; i < rows; i++) {
    int all = i, last = -1;
    for (long k = wide_start[i]; k < wide_start[i + 1]; k++) {
      if (kind[k] % 3 == i % 3)
        all = all * 5 + column[k];
      else if (kind[k] == 7)
        all -= last;
      last = kind[k] + column[k];
    }
    y[i] = all ^ last;
  }
  for (int i = 0; i < rows; i++) {
    int last = -1, all = folded(i, &last);
    expected[i] = all ^ last;
  }
  expect_bytes("fold", y, expected, sizeof(int) * rows);
}

/* Ranges with gaps, that overlap, or that end before they begin; what is in gaps must not be looked at. */
static void parted(int rows, int how) {
  for (int i = 0; i < rows; i++) {
    end[i] = start[i + 1];
    if (how == 1 && i % 7 == 2 && end[i] > start[i]) column[--end[i]] = 1 << 30;
    if (how == 2 && i == 300) end[i] = start[i] - 40;
    if (how == 3 && i + 3 < rows) end[i] = start[i + 3];
    if (how == 4 && i == rows - 1) end[i] = start[i] - 1;
  }
#pragma omp target teams distribute parallel for map(to : start, end, column, weight, x) map(tofrom : sums)
  for (int i = 0; i < rows; i++) {
    double sum = i;
    for (int k = start[i]; k < end[i]; k++)
      sum = sum * 0.5 + x[column[k]];
    sums[i] = sum;
  }
  for (int i = 0; i < rows; i++) {
    double sum = i;
    for (int k = start[i]; k < end[i]; k++)
      sum = sum * 0.5 + x[column[k]];
    expected_sums[i] = sum;
  }
  expect_bytes("parted", sums, expected_sums, sizeof(double) * rows);
  fill(how * 9 + 3);
}

/* Each edge changes what others may change, too; a branch comes before the loop, as do writes, and a second loop behind it. */
static void scatter(int rows, int most) {
  memset(degree, 0, sizeof degree);
  memset(expected_degree, 0, sizeof degree);
#pragma omp target teams distribute parallel for map(to : start, column, kind) map(tofrom : degree, y, mark)
  for (int i = 0; i < rows; i++) {
    unsigned by = kind[i] > most ? 2 : kind[i + 1] + 1;
    int odd = 0;
    mark[i] = by;
    if (kind[i] % 2) {
#pragma omp atomic
      degree[i % NODES]++;
    }
    for (int k = start[i]; k < start[i + 1]; k++) {
#pragma omp atomic
      degree[column[k]] += by;
      odd += kind[k] & 1;
    }
    for (int k = start[i]; k < start[i + 1]; k++)
      odd = odd * 3 + column[k];
    y[i] = odd;
  }
  for (int i = 0; i < rows; i++) {
    unsigned by = kind[i] > most ? 2 : kind[i + 1] + 1;
    unsigned odd = 0;
    expected_mark[i] = by;
    expected_degree[i % NODES] += kind[i] % 2;
    for (int k = start[i]; k < start[i + 1]; k++) {
      expected_degree[column[k]] += by;
      odd += kind[k] & 1;
    }
    for (int k = start[i]; k < start[i + 1]; k++)
      odd = odd * 3 + (unsigned)column[k];
    expected[i] = (int)odd;
  }
  expect_bytes("degree", degree, expected_degree, sizeof degree);
  expect_bytes("mark", mark, expected_mark, sizeof(int) * rows);
  expect_bytes("scatter", y, expected, sizeof(int) * rows);
}

/* Each iteration replaces what it has walked along, and reads that: it stays a thread's own. */
static void replace(int rows) {
#pragma omp target teams distribute parallel for map(to : start, x) map(tofrom : weight)
  for (int i = 0; i < rows; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      weight[k] = weight[k] * 0.5 + x[k % NODES];
  double expected_weight = 0, got = 0;
  static double before[MOST];
  for (int k = 0; k < MOST; k++)
    before[k] = k < start[rows] ? value(k, 2) * 0.5 + x[k % NODES] : value(k, 2);
  for (int k = 0; k < MOST; k++) {
    expected_weight += before[k] * (k % 3);
    got += weight[k] * (k % 3);
  }
  expect_bytes("replace", &got, &expected_weight, sizeof got);
  fill(13);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    fill(r % 2 ? 45 : 12);
    multiply(r % 3 ? ROWS : 1 + r, r % 4 ? 3 : 1000);
    multiply(ROWS - r % 5, 1000);
    fold(ROWS - r % 2);
    scatter(ROWS - 1, r % 97);
    parted(ROWS, r % 5);
    replace(ROWS - r);
  }
  return check_done("ranges");
}

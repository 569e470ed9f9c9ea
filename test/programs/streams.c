/* Inner loops that go along arrays and only read: sixteen iterations together, four, one, in every number from none on. */
// RUN: %check_program %s %t
#include "check.h"

enum { COLUMNS = 150, MOST = 70 };

static unsigned char letters[MOST * COLUMNS];
static int numbers[MOST * COLUMNS], results[COLUMNS];
static double weights[MOST];
static struct pair { short key, value; } pairs[MOST * COLUMNS];

static void fill(void) {
  for (int i = 0; i < MOST * COLUMNS; i++) {
    letters[i] = (unsigned char)('0' + value(i, 1) % 4);
    numbers[i] = value(i, 2) - 40;
    pairs[i] = (struct pair){(short)(value(i, 3) % 9), (short)value(i, 4)};
  }
  for (int n = 0; n < MOST; n++)
    weights[n] = n % 5;
}

/* Decisions on each element of a column, in two loops of which the second begins where the first ends. */
static int tally_of(const unsigned char *column, int rows, int more) {
  int zeros = 0, ones = 1, others = 0;
  for (int n = 0; n < rows; n++) {
    unsigned char y = column[n * COLUMNS];
    if (y == '0') zeros++;
    else if (y == '1') ones += 3;
    else if (y == '2') others -= n;
  }
  for (int n = rows; n < rows + more; n++)
    if (column[n * COLUMNS] != '3') zeros += 1000;
  return zeros + ones * 7 + others;
}

static void tally(int rows, int more) {
#pragma omp target teams distribute parallel for map(to : letters) map(from : results)
  for (int i = 0; i < COLUMNS; i++)
    results[i] = tally_of(letters + i, rows, more);
  for (int i = 0; i < COLUMNS; i++)
    expect_long("tally", results[i], tally_of(letters + i, rows, more));
}

/* From the last to the first, by more than one, in one block; sums whose order matters are the same. */
static int sum_of(const int *column, const double *weight, int rows, int step) {
  double sum = 1e15;
  for (int n = rows - 1; n >= 0; n -= step)
    sum += column[n * COLUMNS] * weight[n] / 3;
  return (int)(sum - 1e15);
}

static void backwards(int rows, int step) {
#pragma omp target teams distribute parallel for map(to : numbers, weights) map(from : results)
  for (int i = 0; i < COLUMNS; i++)
    results[i] = sum_of(numbers + i, weights, rows, step);
  for (int i = 0; i < COLUMNS; i++)
    expect_long("backwards", results[i], sum_of(numbers + i, weights, rows, step));
}

/* Elements found by others, and such as are loaded on a condition. */
static int found_of(const struct pair *column, const int *table, int i, int rows) {
  int most = -1000, at = 0;
  for (int n = 0; n < rows; n++) {
    struct pair p = column[n * COLUMNS];
    if (p.key > 4)
      at += table[p.value];
    if (table[n * COLUMNS + i] > most)
      most = table[n * COLUMNS + i] + p.key;
  }
  return most + at;
}

static void found(int rows) {
#pragma omp target teams distribute parallel for map(to : pairs, numbers) map(from : results)
  for (int i = 0; i < COLUMNS; i++)
    results[i] = found_of(pairs + i, numbers, i, rows);
  for (int i = 0; i < COLUMNS; i++)
    expect_long("found", results[i], found_of(pairs + i, numbers, i, rows));
}

/* The array that is read is written behind the loop. */
static int replacing(const int *column, const struct pair *limits, int rows) {
  int sum = 0;
  for (int n = 0; n < rows; n++)
    if (column[n * COLUMNS] > limits[n * COLUMNS].value - 50)
      sum += column[n * COLUMNS];
  return sum % 50;
}

static void replaced(int rows) {
  static int before[MOST * COLUMNS];
  memcpy(before, numbers, sizeof before);
#pragma omp target teams distribute parallel for map(to : pairs) map(tofrom : numbers)
  for (int i = 0; i < COLUMNS; i++)
    numbers[i] = replacing(numbers + i, pairs + i, rows);
  for (int i = 0; i < COLUMNS; i++)
    expect_long("replaced", numbers[i], replacing(before + i, pairs + i, rows));
}

int main(void) {
  static const int rows[] = {0, 1, 3, 4, 5, 15, 16, 17, 20, 35, 64, 70};
  fill();
  for (int r = 0; r < rounds(); r++) {
    int n = rows[r % (int)(sizeof rows / sizeof *rows)];
    tally(n, r % 7 * 9 < MOST - n ? r % 7 * 9 : MOST - n);
    backwards(n, 1 + r % 3);
    found(n);
    replaced(n);
  }
  return check_done("streams");
}

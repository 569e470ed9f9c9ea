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

/* Decisions on each element, in two loops of which the second begins where the first ends. */
static int tally_of(int rows, int more, int i) {
  int zeros = 0, ones = 1, others = 0;
  for (int n = 0; n < rows; n++) {
    unsigned char y = letters[n * COLUMNS + i];
    if (y == '0') zeros++;
    else if (y == '1') ones += 3;
    else if (y == '2') others -= n;
  }
  for (int n = rows; n < rows + more; n++)
    if (letters[n * COLUMNS + i] != '3') zeros += 1000;
  return zeros + ones * 7 + others;
}

static void tally(int rows, int more) {
#pragma omp target teams distribute parallel for map(to : letters) map(from : results)
  for (int i = 0; i < COLUMNS; i++) {
    int zeros = 0, ones = 1, others = 0;
    for (int n = 0; n < rows; n++) {
      unsigned char y = letters[n * COLUMNS + i];
      if (y == '0') zeros++;
      else if (y == '1') ones += 3;
      else if (y == '2') others -= n;
    }
    for (int n = rows; n < rows + more; n++)
      if (letters[n * COLUMNS + i] != '3') zeros += 1000;
    results[i] = zeros + ones * 7 + others;
  }
  for (int i = 0; i < COLUMNS; i++)
    expect_long("tally", results[i], tally_of(rows, more, i));
}

/* From the last to the first, by more than one, in one block; sums whose order matters are the same. */
static void backwards(int rows, int step) {
#pragma omp target teams distribute parallel for map(to : numbers, weights) map(from : results)
  for (int i = 0; i < COLUMNS; i++) {
    double sum = 1e15;
    for (int n = rows - 1; n >= 0; n -= step)
      sum += numbers[n * COLUMNS + i] * weights[n] / 3;
    results[i] = (int)(sum - 1e15);
  }
  for (int i = 0; i < COLUMNS; i++) {
    double sum = 1e15;
    for (int n = rows - 1; n >= 0; n -= step)
      sum += numbers[n * COLUMNS + i] * weights[n] / 3;
    expect_long("backwards", results[i], (int)(sum - 1e15));
  }
}

/* Elements found by others, and such as are loaded on a condition. */
static void found(int rows) {
#pragma omp target teams distribute parallel for map(to : pairs, numbers) map(from : results)
  for (int i = 0; i < COLUMNS; i++) {
    int most = -1000, at = 0;
    for (int n = 0; n < rows; n++) {
      struct pair p = pairs[n * COLUMNS + i];
      if (p.key > 4)
        at += numbers[p.value];
      if (numbers[n * COLUMNS + i] > most)
        most = numbers[n * COLUMNS + i] + p.key;
    }
    results[i] = most + at;
  }
  for (int i = 0; i < COLUMNS; i++) {
    int most = -1000, at = 0;
    for (int n = 0; n < rows; n++) {
      struct pair p = pairs[n * COLUMNS + i];
      if (p.key > 4)
        at += numbers[p.value];
      if (numbers[n * COLUMNS + i] > most)
        most = numbers[n * COLUMNS + i] + p.key;
    }
    expect_long("found", results[i], most + at);
  }
}

/* The array that is read is written behind the loop. */
static void replaced(int rows) {
  int first[COLUMNS];
  memcpy(first, numbers, sizeof first);
#pragma omp target teams distribute parallel for map(to : pairs) map(tofrom : numbers)
  for (int i = 0; i < COLUMNS; i++) {
    int sum = 0;
    for (int n = 0; n < rows; n++)
      if (numbers[n * COLUMNS + i] > pairs[n * COLUMNS + i].value - 50)
        sum += numbers[n * COLUMNS + i];
    numbers[i] = sum % 50;
  }
  for (int i = 0; i < COLUMNS; i++) {
    int sum = 0;
    for (int n = 0; n < rows; n++) {
      int number = n ? numbers[n * COLUMNS + i] : first[i];
      if (number > pairs[n * COLUMNS + i].value - 50)
        sum += number;
    }
    expect_long("replaced", numbers[i], sum % 50);
  }
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

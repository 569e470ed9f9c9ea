// Rows of collapsed loops, whose number is divided by lengths of loops and by what the program divides it by: negative, beyond 32 bits,
// more and fewer rows than teams, no row. Also natural order of one loop.
// SIMT_TEAMS=16
#include <stdio.h>
#include <string.h>

enum { MOST = 4096 };

static long quotient[MOST], remainder_[MOST], wanted_quotient[MOST], wanted_remainder[MOST];
static int cells[MOST], wanted[MOST], bad;

static void expect(const char *what, const void *got, const void *want, size_t bytes) {
  if (memcmp(got, want, bytes) == 0) return;
  bad++;
  printf("%s differs\n", what);
}

static void two(int rows, int columns, int n) {
  memset(cells, 0, sizeof cells), memset(wanted, 0, sizeof wanted);
#pragma omp target teams distribute collapse(2) map(tofrom : cells)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
#pragma omp parallel for
      for (int k = 0; k < n; k++)
        cells[(i * columns + j) * n + k] += i * 1000 + j * 10 + k;
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      for (int k = 0; k < n; k++)
        wanted[(i * columns + j) * n + k] += i * 1000 + j * 10 + k;
  expect("two", cells, wanted, sizeof cells);
}

static void three(int planes, long rows, unsigned columns, int n) {
  memset(cells, 0, sizeof cells), memset(wanted, 0, sizeof wanted);
#pragma omp target teams distribute collapse(3) map(tofrom : cells)
  for (int h = 0; h < planes; h++)
    for (long i = 2; i < rows + 2; i++)
      for (unsigned j = 1; j <= columns; j++) {
        int at = (int)((h * rows + i - 2) * columns + j - 1);
#pragma omp parallel for
        for (int k = 0; k < n; k++)
          cells[at * n + k] += (int)(h * 100 + i * 10 + j) * (k + 1);
      }
  for (int h = 0; h < planes; h++)
    for (long i = 2; i < rows + 2; i++)
      for (unsigned j = 1; j <= columns; j++) {
        int at = (int)((h * rows + i - 2) * columns + j - 1);
        for (int k = 0; k < n; k++)
          wanted[at * n + k] += (int)(h * 100 + i * 10 + j) * (k + 1);
      }
  expect("three", cells, wanted, sizeof cells);
}

// What a row is numbered by is the counter's next value.
static void from_one(long rows, int n) {
  memset(cells, 0, sizeof cells), memset(wanted, 0, sizeof wanted);
#pragma omp target teams distribute map(tofrom : cells)
  for (long i = 1; i <= rows; i++) {
#pragma omp parallel for
    for (int k = 0; k < n; k++)
      cells[(i - 1) * n + k] += (int)i * 7 + k;
  }
  for (long i = 1; i <= rows; i++)
    for (int k = 0; k < n; k++)
      wanted[(i - 1) * n + k] += (int)i * 7 + k;
  expect("from one", cells, wanted, sizeof cells);
}

static void divided(long rows, long by) {
  memset(quotient, 0, sizeof quotient), memset(remainder_, 0, sizeof remainder_);
  memset(wanted_quotient, 0, sizeof quotient), memset(wanted_remainder, 0, sizeof quotient);
#pragma omp target teams distribute map(tofrom : quotient, remainder_)
  for (long i = 0; i < rows; i++) {
#pragma omp parallel for
    for (int k = 0; k < 3; k++)
      quotient[i * 3 + k] += i / by + k, remainder_[i * 3 + k] += i % by;
  }
  for (long i = 0; i < rows; i++)
    for (int k = 0; k < 3; k++)
      wanted_quotient[i * 3 + k] += i / by + k, wanted_remainder[i * 3 + k] += i % by;
  expect("rows' quotients", quotient, wanted_quotient, sizeof quotient);
  expect("rows' remainders", remainder_, wanted_remainder, sizeof quotient);
  memset(quotient, 0, sizeof quotient), memset(remainder_, 0, sizeof remainder_);
  memset(wanted_quotient, 0, sizeof quotient), memset(wanted_remainder, 0, sizeof quotient);
#pragma omp target teams distribute parallel for map(tofrom : quotient, remainder_)
  for (long i = 0; i < rows; i++)
    quotient[i] = i / by, remainder_[i] = i - i / by * by;
  for (long i = 0; i < rows; i++)
    wanted_quotient[i] = i / by, wanted_remainder[i] = i % by;
  expect("quotients", quotient, wanted_quotient, sizeof quotient);
  expect("remainders", remainder_, wanted_remainder, sizeof quotient);
}

int main(void) {
  static const long by[] = {1, -1, 7, -7, 1300, 1L << 31, -(1L << 31), (1L << 31) - 1, 1L << 32, (1L << 32) + 3, -(1L << 40), 1L << 62};
  for (int round = 0; round < 12; round++) {
    two(3, 5, 40), two(37, 11, 10), two(1, 1, 1), two(0, 5, 3), two(5, 0, 3), two(-2, 4, 1);
    from_one(64, 33), from_one(9, 100), from_one(0, 1);
    three(3, 4, 5, 60), three(2, 9, 13, 7), three(0, 4, 5, 1);
    if (round % 4 == 0) two(100, 40, 1), from_one(4000, 1), three(1, 1, 1, 4000);
    divided(1300, by[round % 12]), divided(5, by[(round + 5) % 12]), divided(1, by[(round + 2) % 12]);
  }
  printf("%s collapsed_rows\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

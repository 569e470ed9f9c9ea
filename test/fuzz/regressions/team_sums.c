// Reductions over teams around other loops than one that teams and threads share: of a loop in two levels, of one without threads, of two
// loops, of arrays and several operators; more teams than can take part. Of clang's own kernels some threads have ended at barriers.
#include <stdio.h>
#include <string.h>

enum { ROWS = 1300, ROW = 19, PARTS = 4 };

static int in[ROWS * ROW], bad;

static int value(int i, int seed) { return (i * 31 + seed * 17 + (i >> 5)) % 97; }

static void expect_bytes(const char *what, const void *got, const void *want, size_t bytes) {
  if (memcmp(got, want, bytes) == 0) return;
  bad++;
  printf("%s differs\n", what);
}

static void two_levels(int rows, int seed) {
  long sum = seed, want = seed;
#pragma omp target teams distribute reduction(+ : sum) map(to : in)
  for (int i = 0; i < rows; i++) {
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < ROW; j++)
      sum += in[i * ROW + j];
  }
  for (int i = 0; i < rows * ROW; i++)
    want += in[i];
  expect_bytes("two levels", &sum, &want, sizeof sum);
}

static void without_threads(int rows, int seed) {
  long sum = seed, want = seed;
  int most = -1, want_most = -1;
#pragma omp target teams distribute reduction(+ : sum) reduction(max : most) map(to : in)
  for (int i = 0; i < rows; i++) {
    sum += in[i];
    most = in[i] > most ? in[i] : most;
  }
  for (int i = 0; i < rows; i++) {
    want += in[i];
    want_most = in[i] > want_most ? in[i] : want_most;
  }
  expect_bytes("without threads", &sum, &want, sizeof sum);
  expect_bytes("its greatest", &most, &want_most, sizeof most);
}

static void two_loops(int rows) {
  double sum = 0, want = 0;
#pragma omp target teams reduction(+ : sum) map(to : in)
  {
#pragma omp distribute parallel for reduction(+ : sum)
    for (int i = 0; i < rows; i++)
      sum += in[i];
#pragma omp distribute parallel for reduction(+ : sum)
    for (int i = 0; i < rows; i++)
      sum += 2 * in[i];
  }
  for (int i = 0; i < rows; i++)
    want += 3 * in[i];
  expect_bytes("two loops", &sum, &want, sizeof sum);
}

static void parts(int rows) {
  int sums[PARTS] = {0}, want[PARTS] = {0};
#pragma omp target teams distribute reduction(+ : sums) map(to : in)
  for (int i = 0; i < rows; i++) {
    int row = 0;
#pragma omp parallel for reduction(+ : row)
    for (int j = 0; j < ROW; j++)
      row += in[i * ROW + j];
    sums[i % PARTS] += row;
  }
  for (int i = 0; i < rows * ROW; i++)
    want[i / ROW % PARTS] += in[i];
  expect_bytes("array", sums, want, sizeof sums);
}

int main(void) {
  const int sizes[] = {ROWS, 700, 3, 0};
  for (int r = 0; r < 8; r++) {
    for (int i = 0; i < ROWS * ROW; i++)
      in[i] = value(i, r);
    int rows = sizes[r % 4];
    two_levels(rows, r);
    without_threads(rows, r);
    two_loops(rows);
    parts(rows);
  }
  printf("%s team_sums\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

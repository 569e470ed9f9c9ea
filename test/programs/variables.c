/* Regions whose arrays are variables of the device alone, `declare target`, and that have no array of the host's: no argument leads to one. */
// RUN: %check_program %s %t
#include "check.h"

enum { ROWS = 70, COLUMNS = 90, ALL = ROWS * COLUMNS };

#pragma omp declare target
int in[ALL + COLUMNS], out[ALL];
long counts[7];
int scale = 3;
#pragma omp end declare target

static void fill(int seed) {
  for (int i = 0; i < ALL + COLUMNS; i++) in[i] = value(i, seed);
  for (int i = 0; i < ALL; i++) out[i] = -1;
  for (int i = 0; i < 7; i++) counts[i] = 0;
#pragma omp target update to(in, out, counts)
}

static void compare(const char *what, int n, int m, int which) {
  static int want[ALL];
#pragma omp target update from(out)
  for (int i = 0; i < ALL; i++) want[i] = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int at = i * m + j;
      want[which ? j * n + i : at] = which ? in[at] : in[at] * 3 + in[at + m];
    }
  expect_bytes(what, out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    int n = ROWS - r % 4, m = COLUMNS - r % 3;
    fill(r);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n * m; i++) out[i] = in[i] * scale + in[i + m];
    compare("one loop", n, m, 0);
    fill(r);
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) out[j * n + i] = in[i * m + j];
    compare("turned", n, m, 1);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n * m; i++) {
#pragma omp atomic update
      counts[in[i] % 7] += i;
    }
    long want[7] = {0};
    for (int i = 0; i < n * m; i++) want[in[i] % 7] += i;
#pragma omp target update from(counts)
    expect_bytes("counts", counts, want, sizeof counts);
  }
  return check_done("variables");
}

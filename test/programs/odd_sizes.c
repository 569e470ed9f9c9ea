/* Sizes around the widths of warps and teams, primes, one element and none. */
// RUN: %check_program %s %t
#include "check.h"

enum { MAX = 5003 };

static void run(int n, int table_size, int round) {
  static float in[MAX + 1], table[MAX + 1], out[MAX + 1], want[MAX + 1];
  for (int i = 0; i < n; i++)
    in[i] = value(i, round), out[i] = want[i] = -1;
  for (int i = 0; i < table_size; i++)
    table[i] = value(i, round + 3);
#pragma omp target data map(to : in[0 : n], table[0 : table_size]) map(tofrom : out[0 : n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
      float sum = in[i];
      for (int j = 0; j < table_size && j < 40; j++)
        sum += table[j];
      if (table_size > 0)
        sum += table[i % table_size] + in[n - 1 - i];
      out[i] = sum;
    }
  }
  for (int i = 0; i < n; i++) {
    float sum = in[i];
    for (int j = 0; j < table_size && j < 40; j++)
      sum += table[j];
    if (table_size > 0)
      sum += table[i % table_size] + in[n - 1 - i];
    want[i] = sum;
  }
  char what[64];
  snprintf(what, sizeof what, "n=%d table=%d", n, table_size);
  expect_bytes(what, out, want, n * sizeof *out);
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 31, 32, 33, 127, 128, 129, 257, 1021, MAX};
  enum { COUNT = sizeof sizes / sizeof *sizes };
  for (int r = 0; r < rounds(); r++)
    for (int i = 0; i < COUNT; i++) {
      run(sizes[i], sizes[(i + r) % COUNT], r);
      run(sizes[(i * 5 + r) % COUNT], sizes[i], r);
    }
  return check_done("odd_sizes");
}

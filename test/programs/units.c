/* Two translation units with regions of their own: their tables, constant slots and symbols end up in one image. Static
 * functions and kernels of the same line numbers must not be mixed up. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 900, TABLE = 48 };

void other_unit(const int *table, const int *in, int *out, int n, int entries);

static void this_unit(const int *table, const int *in, int *out, int n, int entries) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < entries; j++)
      sum += table[j];
    out[i] = sum * in[i];
  }
}

int main(void) {
  int table[TABLE], in[N], out[N], want[N];
  for (int r = 0; r < rounds(); r++) {
    int sum = 0;
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r), sum += table[i];
    for (int i = 0; i < N; i++)
      in[i] = value(i, r + 1);
#pragma omp target data map(to : table, in) map(alloc : out)
    {
      this_unit(table, in, out, N, TABLE);
#pragma omp target update from(out)
      for (int i = 0; i < N; i++)
        want[i] = sum * in[i];
      expect_bytes("this unit", out, want, sizeof out);
      other_unit(table, in, out, N, TABLE);
#pragma omp target update from(out)
      for (int i = 0; i < N; i++)
        want[i] = sum - in[i] * table[1];
      expect_bytes("other unit", out, want, sizeof out);
    }
  }
  return check_done("units");
}

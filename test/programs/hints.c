/* #pragma place: followed where legal, named in the report where not, and the results stay right. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 5000, TABLE = 64 };

int main(void) {
  int in[N], table[TABLE], out[N], want[N];
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 1);
    for (int i = 0; i < N; i++)
      want[i] = in[i] * 3 + table[(unsigned)in[i] % TABLE];
#pragma omp target data map(to : in, table) map(from : out)
    {
#pragma place shared(table) readonly(in)
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        out[i] = in[i] * 3 + table[(unsigned)in[i] % TABLE];
    }
    expect_bytes("hints", out, want, sizeof out);
#pragma omp target data map(to : in, table) map(from : out)
    {
#pragma place constant(table, in) global(out)
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        out[i] = in[i] * 3 + table[(unsigned)in[i] % TABLE];
    }
    expect_bytes("hints", out, want, sizeof out);
  }
  return check_done("hints");
}

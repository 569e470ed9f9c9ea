/* Asynchronous regions: several in flight, ordered by depend, or independent. */
// RUN: %check_program %s %t
// MODES: no-fallback (libomp 19 asserts in its task queue when deferred regions run on the host)
#include "check.h"

enum { N = 700, TABLE = 24, CHUNKS = 4 };

static int table[TABLE], in[CHUNKS][N], middle[CHUNKS][N], out[CHUNKS][N], want[CHUNKS][N];

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int c = 0; c < CHUNKS; c++)
      for (int i = 0; i < N; i++)
        in[c][i] = value(i, r + c), out[c][i] = 0;
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 5);
#pragma omp target data map(to : in, table) map(alloc : middle) map(from : out)
    {
#pragma omp parallel num_threads(2)
#pragma omp single
      {
        for (int c = 0; c < CHUNKS; c++) {
#pragma omp target teams distribute parallel for nowait depend(out : middle[c])
          for (int i = 0; i < N; i++) {
            int sum = in[c][i];
            for (int j = 0; j < TABLE; j++)
              sum += table[j];
            middle[c][i] = sum;
          }
#pragma omp target teams distribute parallel for nowait depend(in : middle[c]) depend(out : out[c])
          for (int i = 0; i < N; i++)
            out[c][i] = middle[c][i] * 2 + table[i % TABLE] + middle[c][N - 1 - i];
        }
#pragma omp taskwait
      }
    }
    for (int c = 0; c < CHUNKS; c++) {
      int sum = 0, first[N];
      for (int j = 0; j < TABLE; j++)
        sum += table[j];
      for (int i = 0; i < N; i++)
        first[i] = in[c][i] + sum;
      for (int i = 0; i < N; i++)
        want[c][i] = first[i] * 2 + table[i % TABLE] + first[N - 1 - i];
    }
    expect_bytes("nowait", out, want, sizeof out);
  }
  return check_done("nowait");
}

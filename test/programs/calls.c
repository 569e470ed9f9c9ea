/* Arrays handed on to functions: inlined ones, ones that are not, ones from another translation unit, math functions;
 * tables that are declare target or constant. */
// RUN: %check_program %s %t
#include <math.h>

#include "check.h"

enum { N = 640, TABLE = 25 };

#pragma omp declare target
static int weigh(const int *table, int at) { return table[at] * 3 + table[0]; }
__attribute__((noinline)) int weigh_not_inlined(const int *table, int at, int count) {
  int sum = 0;
  for (int j = 0; j < count; j++)
    sum += table[(at + j) % count];
  return sum;
}
int weigh_elsewhere(const int *table, int at);
int resident[TABLE];
#pragma omp end declare target

static const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

int main(void) {
  int in[N], table[TABLE], out[N], want[N];
  float root[N], expected_root[N];
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 1), resident[i] = value(i, r + 2);
#pragma omp target update to(resident)
#pragma omp target data map(to : in, table, primes) map(from : out, root)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) {
        out[i] = weigh(table, in[i] % TABLE) + primes[i & 7] + resident[i % TABLE];
        root[i] = sqrtf((float)(table[3] * table[3])) + fabsf((float)-in[i]);
      }
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        out[i] += weigh_not_inlined(table, i, TABLE) + weigh_elsewhere(table, i % TABLE) + weigh_not_inlined(resident, i, 5);
    }
    for (int i = 0; i < N; i++) {
      want[i] = weigh(table, in[i] % TABLE) + primes[i & 7] + resident[i % TABLE];
      want[i] += weigh_not_inlined(table, i, TABLE) + weigh_elsewhere(table, i % TABLE) + weigh_not_inlined(resident, i, 5);
      expected_root[i] = (float)(table[3] + in[i]);
    }
    expect_bytes("calls", out, want, sizeof out);
    expect_bytes("math", root, expected_root, sizeof root);
  }
  return check_done("calls");
}

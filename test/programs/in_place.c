/* Arrays that are read and written in one region: in place, shifted within an iteration's reach, accumulated. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 1999, TABLE = 21 };

static int a[N], ha[N], accumulated[N], expected[N], table[TABLE];

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      a[i] = ha[i] = value(i, r), accumulated[i] = expected[i] = 0;
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 1);
#pragma omp target data map(tofrom : a, accumulated) map(to : table)
    for (int step = 0; step < 3; step++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        a[i] = a[i] * 2 % 211 + table[i % TABLE];
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        for (int j = 0; j < TABLE; j++)
          accumulated[i] += a[(i + j) % N] * table[j]; /* a load and a store in each iteration */
    }
    for (int step = 0; step < 3; step++) {
      for (int i = 0; i < N; i++)
        ha[i] = ha[i] * 2 % 211 + table[i % TABLE];
      for (int i = 0; i < N; i++)
        for (int j = 0; j < TABLE; j++)
          expected[i] += ha[(i + j) % N] * table[j];
    }
    expect_bytes("in place", a, ha, sizeof a);
    expect_bytes("accumulated", accumulated, expected, sizeof accumulated);
  }
  return check_done("in_place");
}

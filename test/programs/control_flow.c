/* Threads that leave early, loops that end early, loads under conditions, nested and triangular loops, switch. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 1111, TABLE = 90 };

static int in[N], table[TABLE], limits[N + 1], out[N], want[N];

#define EARLY(o)                                 \
  for (int i = 0; i < N; i++) {                  \
    if (in[i] % 3 == 0)                          \
      continue;                                  \
    int found = -1;                              \
    for (int j = 0; j < TABLE; j++)              \
      if (table[j] == in[i]) {                   \
        found = j;                               \
        break;                                   \
      }                                          \
    if (found < 0) {                             \
      (o)[i] = -7;                               \
      continue;                                  \
    }                                            \
    (o)[i] = found * 1000 + table[TABLE - 1 - found]; \
  }

#define GUARDED(o)                                               \
  for (int i = 0; i < N; i++) {                                  \
    int sum = 0;                                                 \
    for (int k = limits[i]; k < limits[i + 1]; k++)              \
      sum += table[k % TABLE];                                   \
    switch (in[i] & 3) {                                         \
    case 0:                                                      \
      sum += table[0];                                           \
      break;                                                     \
    case 1:                                                      \
      sum -= i < TABLE ? table[i] : 1; /* out of bounds if unguarded */ \
      break;                                                     \
    default:                                                     \
      for (int a = 0; a < 4; a++)                                \
        for (int b = 0; b <= a; b++)                             \
          sum += table[a * 10 + b];                              \
    }                                                            \
    (o)[i] = sum;                                                \
  }

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    limits[0] = 0;
    for (int i = 0; i < N; i++) {
      in[i] = value(i, r), out[i] = want[i] = 5;
      limits[i + 1] = limits[i] + value(i, r + 3) % 6;
    }
    for (int i = 0; i < TABLE; i++)
      table[i] = (i * 7) % 97;
#pragma omp target data map(to : in, table, limits)
    {
#pragma omp target teams distribute parallel for map(tofrom : out)
      EARLY(out)
      EARLY(want)
      expect_bytes("early", out, want, sizeof out);
#pragma omp target teams distribute parallel for map(tofrom : out)
      GUARDED(out)
      GUARDED(want)
      expect_bytes("guarded", out, want, sizeof out);
    }
  }
  return check_done("control_flow");
}

// Inner loops of reductions whose counter is read behind its step or behind the loop, whose condition does more than compare, and whose
// variables are read by other names than they are written by: neighbouring threads must not share them as if each round were for itself.
#include <stdio.h>

enum { ROWS = 1100, STRIDE = 33 };

static int in[ROWS * STRIDE + 64], bad;

union mixed {
  unsigned char low;
  int all;
};

struct deep {
  struct { struct { struct { struct { struct { struct { int v[4]; } g; } f; } e; } d; } c; } b;
};

#define PRAGMA(text) _Pragma(#text)
// ROW: what an iteration adds to `sum`, by `row`, its elements.
#define CASE(NAME, ROW)                                                                           \
  static long NAME##_host(int rows) {                                                             \
    long sum = 0;                                                                                 \
    for (int i = 0; i < rows; i++) {                                                              \
      const int *row = in + i * STRIDE;                                                           \
      ROW                                                                                         \
    }                                                                                             \
    return sum;                                                                                   \
  }                                                                                               \
  static void NAME(int rows) {                                                                    \
    long sum = 0, want = NAME##_host(rows);                                                       \
    PRAGMA(omp target teams distribute parallel for reduction(+ : sum) map(to : in))              \
    for (int i = 0; i < rows; i++) {                                                              \
      const int *row = in + i * STRIDE;                                                           \
      ROW                                                                                         \
    }                                                                                             \
    if (sum != want) bad++, printf("%s: %ld, expected %ld\n", #NAME, sum, want);                  \
  }
CASE(behind_step, for (int j = 0; j < 32; j++, sum += row[j]);)
CASE(in_condition, for (int j = 0; sum += row[j], j < 32; j++);)
CASE(in_both, int j = 0; while (j < 32) { sum += row[j]; j++; sum += row[j] * 3; })
CASE(before_use, int j = 0; while (j < 32) sum += row[++j];)
CASE(behind_use, int j = 0; while (j < 32) sum += row[j++];)
CASE(behind_loop, int j; for (j = 0; j < 32; j++) sum += row[j]; if (row[j] > 1000) j = row[j];)
CASE(parts, union mixed x; x.all = 0; for (int j = 0; j < 32; j++) { x.low = (unsigned char)row[j]; sum += x.all; x.all = row[j] * 1000; })
CASE(members, struct deep x; int *first = (int *)&x; *first = 1;
     for (int j = 0; j < 32; j++) { sum += row[j] * x.b.c.d.e.f.g.v[0]; *first = row[j] & 7; })
CASE(numbers, int before = 1; unsigned long at = (unsigned long)&before;
     for (int j = 0; j < 32; j++) { sum += row[j] * *(int *)at; before = row[j] & 7; })

int main(void) {
  for (int i = 0; i < ROWS * STRIDE + 64; i++) in[i] = (i * 37 + (i >> 6)) % 101 - 20;
  for (int round = 0; round < 6; round++) {
    int rows = round % 3 == 2 ? 5 : round % 3 ? ROWS : ROWS - 101;
    behind_step(rows), in_condition(rows), in_both(rows), before_use(rows), behind_use(rows), behind_loop(rows), parts(rows), members(rows);
    numbers(rows);
  }
  printf("%s lane_counters\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

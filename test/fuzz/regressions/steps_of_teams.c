// Loops of the program's own that go by as much as a team has threads, from below 0 and in unsigned numbers that wrap, within loops that a
// team shares: what is known of the latter's counters is not known of theirs.
#include <stdio.h>
#include <string.h>

enum { ROWS = 9, ROW = 40, CELLS = ROWS * ROW, SPAN = 2560 };

static long in[CELLS + SPAN], out[CELLS], want[CELLS];
static int bad;

static void expect(const char *what) {
  if (memcmp(out, want, sizeof out) == 0) return;
  bad++;
  printf("%s differs\n", what);
}

#define BODY(TO, AT)                                                                              \
  long sum = 0;                                                                                   \
  for (long k = -half; k < half; k += 128) sum += in[(AT) + k + half];                            \
  for (long k = -half; k <= half - 1; k += 32) sum += 3 * in[(AT) + k + half];                    \
  for (unsigned long k = 0ul - (unsigned long)half; k != (unsigned long)half; k += 128) sum ^= in[(AT) + (long)k + half]; \
  TO[AT] = sum;

static void rows(long half) {
  memset(out, 0, sizeof out);
#pragma omp target teams distribute map(to : in) map(tofrom : out)
  for (int i = 0; i < ROWS; i++) {
#pragma omp parallel for
    for (int j = 0; j < ROW; j++) {
      BODY(out, i * ROW + j)
    }
  }
  for (int at = 0; at < CELLS; at++) {
    BODY(want, at)
  }
  expect("rows");
}

static void straight(long half) {
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for map(to : in) map(tofrom : out)
  for (int at = 0; at < CELLS; at++) {
    BODY(out, at)
  }
  expect("straight");
}

int main(void) {
  for (int i = 0; i < CELLS + SPAN; i++) in[i] = (i * 2654435761u) % 1009;
  for (int round = 0; round < 12; round++)
    rows(128 * (round % 3 ? 10 : 1)), straight(128 * (round % 3 ? 10 : 1));
  printf("%s steps_of_teams\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

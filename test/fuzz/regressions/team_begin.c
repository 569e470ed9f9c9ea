// What the first thread of a team writes by a pointer that moves (the neutral elements of an array), and all threads of it read where no
// iteration of a distributed loop is the team's: a barrier has to stand between.
// SIMT_TEAMS=16
#include <stdio.h>

enum { CELLS = 32, ROWS = 1100 };

static int in[CELLS * ROWS], bad;

static void sums(int n) {
  long sum[CELLS];
  for (int c = 0; c < CELLS; c++) sum[c] = c;
#pragma omp target teams num_teams(8) thread_limit(64) reduction(+ : sum[0 : CELLS]) map(to : in)
  {
#pragma omp distribute parallel for reduction(+ : sum[0 : CELLS])
    for (int i = 0; i < n; i++)
      for (int c = 0; c < CELLS; c++) sum[c] += in[i * CELLS + c];
    long third = sum[3];
    if (n < 0) printf("below\n"); // the original keeps one thread for what teams do
    sum[3] = third & 7;
    sum[4] += third & ~7L;
  }
  for (int c = 0; c < CELLS; c++) {
    long want = c;
    for (int i = 0; i < n; i++) want += in[i * CELLS + c];
    if (c == 3 || c == 4) continue;
    if (sum[c] != want) bad++, printf("element %d: %ld, expected %ld\n", c, sum[c], want);
  }
  long both = 3 + 4;
  for (int i = 0; i < n; i++) both += in[i * CELLS + 3] + in[i * CELLS + 4];
  if (sum[3] + sum[4] != both) bad++, printf("two elements: %ld, expected %ld\n", sum[3] + sum[4], both);
}

int main(void) {
  for (int i = 0; i < CELLS * ROWS; i++) in[i] = (i * 37 + (i >> 6)) % 101 - 20;
  for (int round = 0; round < 12; round++) sums(round % 3 == 2 ? 5 : round % 3 ? ROWS : 0);
  printf("%s team_begin\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

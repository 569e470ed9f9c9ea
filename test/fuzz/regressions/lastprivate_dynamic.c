// Seed 80035, reduced: the call that finds no more iterations of a dynamic schedule took the sign of the last one away.
#include <stdio.h>

static int last_of(int n, int chunk) {
  int last = -1;
#pragma omp target parallel for schedule(dynamic, 2) lastprivate(last) map(tofrom : last)
  for (int i = 0; i < n; i++) last = i * chunk;
  return last;
}

static int last_guided(int n) {
  int last = -1;
#pragma omp target parallel for schedule(guided) lastprivate(last) map(tofrom : last)
  for (int i = 0; i < n; i++) last = 3 * i;
  return last;
}

int main(void) {
  int bad = 0;
  for (int round = 0; round < 12; round++)
    for (int n = 1; n < 400; n += 131) bad += (last_of(n, round) != (n - 1) * round) + (last_guided(n) != 3 * (n - 1));
  printf("%s lastprivate_dynamic\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

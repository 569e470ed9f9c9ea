// A team's size that is known at launch only, smaller than a chunk: versions took it for 0, and left out iterations. Found by seeds 9
// and 53, reduced. SIMT_TEAMS=3
#include <stdio.h>
enum { N = 20 };
static int a[N + 9], counts[4], out[N];
static int limits[] = {5, 1, 33};

int main(void) {
  int wrong = 0, expected = 0;
  for (int round = 0; round < 40; round++) {
    int limit = limits[round % 3];
    for (int i = 0; i < N + 9; i++)
      a[i] = i * 7 % 61 + round;
#pragma omp target teams distribute parallel for thread_limit(limit) map(to : a) map(tofrom : out, counts)
    for (int i = 0; i < N; i++) {
      out[i] = a[i] + a[i + 9];
#pragma omp atomic update
      counts[i & 3] += 1;
    }
    expected += N;
    for (int i = 0; i < N; i++)
      wrong += out[i] != a[i] + a[i + 9];
    wrong += counts[0] + counts[1] + counts[2] + counts[3] != expected;
  }
  printf("%s thread_limit\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}

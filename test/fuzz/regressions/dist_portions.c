// From seed 900019: teams that have a portion each of the iterations (dist_schedule(static)) came back for the first team's a second time,
// and for ever where there is one iteration: what led from a portion to the next was one short.
#include <stdio.h>
enum { N = 300 };
static int hits[N], plain[N];

static long region(int limit, int n) {
  long sum = 0;
#pragma omp target teams distribute parallel for thread_limit(limit) dist_schedule(static) reduction(+ : sum) map(tofrom : hits)
  for (int i = 0; i < n; i++) {
    sum += i;
#pragma omp atomic update
    hits[i] += 1;
  }
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(limit) dist_schedule(static) map(tofrom : plain)
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    plain[i] += 1;
  }
  return sum;
}

int main(void) {
  static const int sizes[] = {1, 2, 17, 40, N};
  int bad = 0, want[N] = {0};
  for (int round = 0; round < 6; round++)
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      int n = sizes[s];
      bad += region(round % 2 ? 96 : 8, n) != (long)n * (n - 1) / 2;
      for (int i = 0; i < n; i++) want[i]++;
      for (int i = 0; i < N; i++) bad += hits[i] != want[i] || plain[i] != want[i];
    }
  printf(bad ? "FAIL\n" : "PASS 0\n");
  return bad != 0;
}

// Teams of a warp for few iterations: more teams than the original has chunks, and what turns those away in front of its loop is no
// longer to do so; nor may a launch without an iteration, or one whose bound is negative, have any.
#include <stdio.h>
enum { N = 5000 };
static int hits[N], wide[N];

static void region(int n, long m) {
#pragma omp target teams distribute parallel for map(tofrom : hits)
  for (int i = 0; i < n; i++) {
    int x = i;
    for (int k = 0; k < 5; k++) x = x * 3 + 1;
    hits[i] += x;
  }
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : wide)
  for (long i = 0; i < m; i++)
    for (int k = 0; k < 7; k++) wide[i * 7 + k] += k + (int)i;
}

int main(void) {
  static const long sizes[] = {0, 1, 33, -5, 700, -(1L << 32) + 5, 127, 129};
  static int want[N], want_wide[N];
  int bad = 0;
  for (int round = 0; round < 5; round++)
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      int n = sizes[s] == 700 ? N : (int)sizes[s] == 5 ? -7 : (int)sizes[s];
      region(n, sizes[s]);
      for (int i = 0; i < n; i++) {
        int x = i;
        for (int k = 0; k < 5; k++) x = x * 3 + 1;
        want[i] += x;
      }
      for (long i = 0; i < sizes[s]; i++)
        for (int k = 0; k < 7; k++) want_wide[i * 7 + k] += k + (int)i;
    }
  for (int i = 0; i < N; i++) bad += hits[i] != want[i] || wide[i] != want_wide[i];
  printf(bad ? "FAIL\n" : "PASS 0\n");
  return bad != 0;
}

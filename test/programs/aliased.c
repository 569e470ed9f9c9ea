/* Two pointers to one array within an iteration, and to overlapping halves: legal, and nothing may take them for apart. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 3000 };
static int a[2 * N], want[2 * N], sum[N], want_sum[N];

// `in` and `out` are one array: what is stored is read again in the same iteration.
static void again(int *out, const int *in, int *s, int n) {
#pragma omp target teams distribute parallel for map(to : in[0 : n]) map(tofrom : out[0 : n], s[0 : n])
  for (int i = 0; i < n; i++) {
    int before = in[i];
    out[i] = before + 3;
    s[i] = in[i] * 2 + before;
  }
}

// The lower half is written from the upper one; both are sections of one array.
static void halves(int *lower, const int *upper, int n) {
#pragma omp target teams distribute parallel for map(tofrom : lower[0 : n]) map(to : upper[0 : n])
  for (int i = 0; i < n; i++) {
    lower[i] = lower[i] * 2 + upper[i];
    lower[i] += upper[i];
  }
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < 2 * N; i++)
      a[i] = value(i, r);
    memcpy(want, a, sizeof a);
#pragma omp target data map(tofrom : a)
    {
      again(a, a, sum, N);
      halves(a, a + N, N);
    }
    for (int i = 0; i < N; i++) {
      want_sum[i] = (want[i] + 3) * 2 + want[i];
      want[i] = (want[i] + 3) * 2 + 2 * want[i + N];
    }
    expect_bytes("one array", sum, want_sum, sizeof sum);
    expect_bytes("halves", a, want, sizeof a);
    memset(sum, 0, sizeof sum);
  }
  return check_done("aliased");
}

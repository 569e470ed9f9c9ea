/* Bodies that go on with the next iteration behind a variable of their own, which clang makes a switch of. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 3000 };

static int in[N], out[N];

static int sum(int n) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : in)
  for (int i = 0; i < n; i++) {
    int pair[2] = {in[i], in[0]};
    if (in[i] % 3 == 0)
      continue;
    s += pair[in[i] & 1];
  }
  return s;
}

static void of_one_team(int n) {
#pragma omp target parallel for map(to : in) map(tofrom : out)
  for (int i = 0; i < n; i++) {
    int pair[2] = {in[i], in[0]};
    if (in[i] % 5 == 0)
      continue;
    out[i] = pair[in[i] & 1];
  }
}

int main(void) {
  for (int i = 0; i < N; i++)
    in[i] = value(i, 3);
  for (int r = 0; r < rounds(); r++) {
    int n = N - r % 7, s = 0;
    for (int i = 0; i < n; i++) {
      out[i] = -1;
      s += in[i] % 3 == 0 ? 0 : in[i] & 1 ? in[0] : in[i];
    }
    expect_long("sum", sum(n), s);
    of_one_team(n);
    for (int i = 0; i < n; i++)
      expect_long("one team", out[i], in[i] % 5 == 0 ? -1 : in[i] & 1 ? in[0] : in[i]);
  }
  return check_done("skipped");
}

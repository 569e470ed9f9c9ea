/* Team sizes that only the launch knows: the kernel environment names no greatest number of threads, and a chunk is as large
 * as the team turns out to be. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 5000 };
static int a[N + 9], out[N], want[N];

static void compare(const char *what) {
  expect_bytes(what, out, want, sizeof out);
  memset(out, 0, sizeof out);
}

static void limited(int limit) {
#pragma omp target teams distribute parallel for thread_limit(limit) map(to : a) map(tofrom : out)
  for (int i = 0; i < N; i++)
    out[i] = a[i] + 2 * a[i + 9] + a[3];
}

static void limited_teams(int teams, int limit) {
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(limit) map(to : a) map(tofrom : out)
  for (int i = 0; i < N; i++)
    out[i] = a[i] + 2 * a[i + 9] + a[3];
}

static void asked(int threads) {
#pragma omp target teams distribute parallel for num_threads(threads) map(to : a) map(tofrom : out)
  for (int i = 0; i < N; i++)
    out[i] = a[i] + 2 * a[i + 9] + a[3];
}

static void tabled(int limit, const int *t, int m) {
#pragma omp target teams distribute parallel for thread_limit(limit) map(to : a, t[0 : m]) map(tofrom : out)
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < m; j++)
      sum += t[j] * a[(i + j) % N];
    out[i] = sum;
  }
}

static void expect_table(const int *t, int m) {
  for (int i = 0; i < N; i++) {
    want[i] = 0;
    for (int j = 0; j < m; j++)
      want[i] += t[j] * a[(i + j) % N];
  }
}

int main(void) {
  static const int sizes[] = {1, 31, 33, 128, 1024};
  int t[7];
  for (int r = 0; r < rounds(); r++) {
    int limit = sizes[r / 2 % 5];
    for (int i = 0; i < N + 9; i++)
      a[i] = value(i, r);
    for (int j = 0; j < 7; j++)
      t[j] = value(j, r + 1);
    for (int i = 0; i < N; i++)
      want[i] = a[i] + 2 * a[i + 9] + a[3];
    limited(limit);
    compare("thread_limit");
    limited_teams(1 + r % 40, limit);
    compare("num_teams and thread_limit");
    asked(limit);
    compare("num_threads");
    expect_table(t, 7);
    tabled(limit, t, 7);
    compare("a table");
  }
  return check_done("thread_limits");
}

/* Regions that look at their numbers of teams and threads: a program may rely on what it saw once, in buffers of its own, say. */
// RUN: %check_program %s %t
#include <omp.h>

#include "check.h"

enum { N = 300, MOST = 1024 };

static int in[N], out[N], want[N], threads[N], teams[N];

static void look(int n) {
#pragma omp target teams distribute parallel for map(to : in) map(from : out, threads, teams)
  for (int i = 0; i < n; i++) {
    out[i] = in[i] * 3 + in[n - 1 - i];
    threads[i] = omp_get_num_threads();
    teams[i] = omp_get_num_teams();
  }
}

static void limited(int n, int limit) {
#pragma omp target teams distribute parallel for map(to : in) map(from : out, threads, teams) thread_limit(limit)
  for (int i = 0; i < n; i++) {
    out[i] = in[i] * 3 + in[n - 1 - i];
    threads[i] = omp_get_num_threads();
    teams[i] = omp_get_num_teams();
  }
}

static void compare(int n, int first[2]) {
  for (int i = 0; i < n; i++)
    want[i] = in[i] * 3 + in[n - 1 - i];
  expect_bytes("result", out, want, sizeof *out * (size_t)n);
  if (!first[0])
    first[0] = threads[0], first[1] = teams[0];
  for (int i = 0; i < n; i++)
    if (threads[i] != first[0] || teams[i] != first[1] || threads[i] < 1 || threads[i] > MOST) {
      expect_long("threads", threads[i], first[0]);
      expect_long("teams", teams[i], first[1]);
    }
}

int main(void) {
  int first[3][2] = {{0}};
  for (int i = 0; i < N; i++)
    in[i] = value(i, 5);
  for (int r = 0; r < rounds(); r++) {
    look(N);
    compare(N, first[0]);
    limited(N, 128);
    compare(N, first[1]);
    limited(N - 50, 64);
    compare(N - 50, first[2]);
  }
  return check_done("threads_seen");
}

/* Which team and thread carries out which iteration, where schedules say it and the region looks. */
// RUN: %check_program %s %t
#include <omp.h>

#include "check.h"

enum { N = 700 };

static int in[N], out[N], want[N], team[N], teams[N], thread[N], threads[N];

#define PRAGMA(text) _Pragma(#text)
#define LOOP(construct, ...) \
  PRAGMA(omp construct map(to : in) map(from : out, team, teams, thread, threads) __VA_ARGS__) \
  for (int i = 0; i < n; i++) { \
    out[i] = in[i] * 3 + in[n - 1 - i]; \
    team[i] = omp_get_team_num(), teams[i] = omp_get_num_teams(); \
    thread[i] = omp_get_thread_num(), threads[i] = omp_get_num_threads(); \
  }

static void by_chunk(int n) { LOOP(target teams distribute parallel for, num_teams(10) dist_schedule(static, 2)) }
static void by_both(int n) { LOOP(target teams distribute parallel for, num_teams(7) dist_schedule(static, 50) schedule(static, 3)) }
static void by_thread(int n) { LOOP(target teams distribute parallel for, num_teams(3) dist_schedule(static, 64) thread_limit(32) schedule(static, 4)) }
static void of_team(int n) { LOOP(target parallel for, num_threads(10) schedule(static, 2)) }
static void by_teams(int n) { LOOP(target teams distribute, num_teams(10) dist_schedule(static, 2)) }

/* each: iterations of a chunk of teams, of a chunk of threads; 0: any. */
static void compare(const char *what, int n, int of_teams, int of_threads) {
  int wrong_team = 0, wrong_thread = 0;
  for (int i = 0; i < n; i++) {
    want[i] = in[i] * 3 + in[n - 1 - i];
    wrong_team += of_teams && (teams[i] < 1 || team[i] != i / of_teams % teams[i]);
    wrong_thread += of_threads && (threads[i] < 1 || thread[i] != (of_teams ? i % of_teams : i) / of_threads % threads[i]);
  }
  expect_bytes(what, out, want, sizeof *out * (size_t)n);
  expect_long(what, wrong_team, 0);
  expect_long(what, wrong_thread, 0);
}

int main(void) {
  for (int i = 0; i < N; i++)
    in[i] = value(i, 7);
  for (int r = 0; r < rounds(); r++) {
    int n = N - r % 3;
    by_chunk(n), compare("chunk", n, 2, 0);
    by_both(n), compare("both", n, 50, 3);
    by_thread(n), compare("thread", n, 64, 4);
    of_team(n), compare("team", n, 0, 2);
    by_teams(n), compare("teams", n, 2, 0);
  }
  return check_done("who");
}

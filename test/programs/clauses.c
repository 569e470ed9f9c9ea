/* Clauses that change where and in what shape a region runs: if, device, num_teams, thread_limit, static schedules,
 * simd; and a region that looks at the shape it got. */
// RUN: %check_program %s %t
#include <omp.h>

#include "check.h"

enum { N = 3000, TABLE = 30 };

static int in[N], table[TABLE], out[N], want[N];

#define BODY(i)                       \
  do {                                \
    int sum = in[i];                  \
    for (int j = 0; j < TABLE; j++)   \
      sum += table[j] * (j ^ (i & 7)); \
    out[i] = sum;                     \
  } while (0)

static void done(const char *what) {
  expect_bytes(what, out, want, sizeof out);
  memset(out, 0, sizeof out);
}

static void shapes(int n, int off) {
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) if (off)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("if(0)");
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) if (target : !off)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("if(target: 1)");
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) device(omp_get_initial_device())
  for (int i = 0; i < n; i++)
    BODY(i);
  done("device(host)");
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) num_teams(7)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("num_teams");
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) thread_limit(64)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("thread_limit");
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) num_teams(3) num_threads(32)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("num_threads");
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) schedule(static, 1)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("schedule(static, 1)");
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) dist_schedule(static, 50)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("dist_schedule");
#pragma omp target teams distribute parallel for simd map(to : in, table) map(from : out)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("simd");
#pragma omp target teams loop map(to : in, table) map(from : out)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("loop");
#pragma omp target parallel for map(to : in, table) map(from : out)
  for (int i = 0; i < n; i++)
    BODY(i);
  done("parallel for");
}

/* A team's number shapes the result: the number of teams is not ours to choose. */
static void observed(void) {
  int teams = 0, seen[16] = {0};
#pragma omp target teams map(to : table) map(from : teams) map(tofrom : seen) num_teams(5) thread_limit(32)
  {
    int sum = 0;
    for (int j = 0; j < TABLE; j++)
      sum += table[j];
    if (omp_get_team_num() == 0)
      teams = omp_get_num_teams();
    if (omp_get_team_num() < 16)
      seen[omp_get_team_num()] = sum;
  }
  int sum = 0, expected[16] = {0};
  for (int j = 0; j < TABLE; j++)
    sum += table[j];
  for (int t = 0; t < teams && t < 16; t++)
    expected[t] = sum;
  expect_long("at least one team", teams >= 1 && teams <= 5, 1);
  if (memcmp(seen, expected, sizeof seen))
    expect_bytes("teams", seen, expected, sizeof seen);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 1);
    for (int i = 0; i < N; i++) {
      want[i] = in[i];
      for (int j = 0; j < TABLE; j++)
        want[i] += table[j] * (j ^ (i & 7));
    }
    shapes(N, 0);
    observed();
  }
  return check_done("clauses");
}

/* What a region looks at or leaves behind keeps its iterations from being carried out in blocks, or twice: numbers of teams
 * and threads, atomics, reductions. */
// RUN: %check_program %s %t
#include "check.h"

#include <omp.h>

enum { SIDE = 97, N = SIDE * SIDE };
static int seed;
static int a[N + 1], o[N + 1], p[N + 1], want[N + 1], want_p[N + 1];

static void fill(void) {
  for (int i = 0; i <= N; i++)
    a[i] = value(i, seed), o[i] = want[i] = -i, p[i] = want_p[i] = i;
}

static void expect(const char *what) {
  expect_bytes(what, o, want, sizeof o);
  expect_bytes(what, p, want_p, sizeof p);
}

#define REGION(WHAT, CLAUSES, BODY, HOST)                                                                                    \
  do {                                                                                                                       \
    fill();                                                                                                                  \
    PRAGMA(omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o, p) CLAUSES)                      \
    for (int y = 0; y < SIDE; y++)                                                                                           \
      for (int x = 0; x < SIDE; x++)                                                                                         \
        BODY;                                                                                                                \
    PRAGMA(omp taskwait)                                                                                                     \
    for (int y = 0; y < SIDE; y++)                                                                                           \
      for (int x = 0; x < SIDE; x++)                                                                                         \
        HOST;                                                                                                                \
    expect(WHAT);                                                                                                            \
  } while (0)
#define PRAGMA(...) PRAGMA_(__VA_ARGS__)
#define PRAGMA_(...) _Pragma(#__VA_ARGS__)

static void teams(void) {
  REGION("num_threads", num_threads(32), (o[x * SIDE + y] = a[y * SIDE + x]), (want[x * SIDE + y] = a[y * SIDE + x]));
  /* Which iterations a team or thread has is up to the implementation; that its number is looked at must be heeded. */
  REGION("team number", num_teams(4), (o[y * SIDE + x] = a[x] + (omp_get_team_num() < 4), p[x * SIDE + y] = a[y]),
         (want[y * SIDE + x] = a[x] + 1, want_p[x * SIDE + y] = a[y]));
  REGION("thread number", , (o[y * SIDE + x] = a[x] + (omp_get_thread_num() < omp_get_num_threads()), p[x * SIDE + y] = a[y]),
         (want[y * SIDE + x] = a[x] + 1, want_p[x * SIDE + y] = a[y]));
  REGION("number of teams", , o[y * SIDE + x] = a[x] + (omp_get_num_teams() > omp_get_team_num()),
         want[y * SIDE + x] = a[x] + 1);
}

/* Iterations are counted: none may run twice. */
static void once(void) {
  fill();
  int count = 0, sum = 0, want_sum = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o, count)
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      o[x * SIDE + y] = a[y * SIDE + x];
#pragma omp atomic
      count++;
    }
  expect_long("atomic", count, N);
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o) reduction(+ : sum)
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      o[x * SIDE + y] += a[y * SIDE + x];
      sum += a[x * SIDE + y];
    }
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      want[x * SIDE + y] = 2 * a[y * SIDE + x];
      want_sum += a[x * SIDE + y];
    }
  expect("reduction");
  expect_long("sum", sum, want_sum);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    teams();
    once();
  }
  return check_done("blocks_asked");
}

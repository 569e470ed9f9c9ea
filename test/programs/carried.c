/* Values that a thread's iterations leave for its next ones. Where the schedule is written out, which iterations follow each other is known:
 * all of a chunk, and nearly all where each team or thread has one portion. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 1536, TEAMS = 12, THREADS = 64 };

static int in[N], out[N];

/* How many iterations did not follow the one before; and no one may where chunks of so many are carried out in order. */
static int breaks(const char *what, int chunk) {
  int count = 0;
  for (int i = 1; i < N; i++) {
    int follows = out[i] == out[i - 1] + in[i];
    count += !follows;
    if (chunk && i % chunk) expect_long(what, follows, 1);
  }
  return count;
}

static void at_most(const char *what, int most) {
  int found = breaks(what, 0);
  expect_long(what, found > most ? found : 0, 0);
}

#define CARRIED(name, directive)                                       \
  static void name(void) {                                             \
    int p = 5;                                                         \
    _Pragma(directive) for (int i = 0; i < N; i++) p += in[i], out[i] = p; \
  }
CARRIED(teams, "omp target teams distribute num_teams(TEAMS) dist_schedule(static) firstprivate(p) map(from : out) map(to : in)")
CARRIED(teams_chunks, "omp target teams distribute dist_schedule(static, 8) firstprivate(p) map(from : out) map(to : in)")
CARRIED(threads, "omp target parallel for num_threads(THREADS) schedule(static) firstprivate(p) map(from : out) map(to : in)")
CARRIED(threads_chunks, "omp target parallel for num_threads(THREADS) schedule(static, 4) firstprivate(p) map(from : out) map(to : in)")
CARRIED(both_chunks, "omp target teams distribute parallel for num_teams(4) num_threads(THREADS) schedule(static, 4) firstprivate(p) map(from : out) map(to : in)")
CARRIED(both_in_chunks, "omp target teams distribute parallel for num_teams(4) num_threads(THREADS) dist_schedule(static, 64) schedule(static, 8) firstprivate(p) map(from : out) map(to : in)")

/* Private to the thread, but written before it is read: nothing is carried, whatever the iterations. */
static void written_first(void) {
  int p = 5, q = 7;
#pragma omp target teams distribute parallel for schedule(static, 4) firstprivate(p, q) map(from : out) map(to : in)
  for (int i = 0; i < N; i++) {
    p = in[i] * q;
    if (p > 20) p -= 3;
    out[i] = p;
  }
  for (int i = 0; i < N; i++) {
    int want = in[i] * 7;
    expect_long("written first", out[i], want > 20 ? want - 3 : want);
  }
}

int main(void) {
  for (int i = 0; i < N; i++)
    in[i] = i % 7 + 1;
  for (int round = 0; round < rounds() && round < 12; round++) {
    teams(), at_most("teams", TEAMS - 1);
    teams_chunks(), breaks("teams, chunks", 8);
    threads(), at_most("threads", THREADS - 1);
    threads_chunks(), breaks("threads, chunks", 4);
    both_chunks(), breaks("both, chunks", 4);
    both_in_chunks(), breaks("both in chunks", 8);
    written_first();
  }
  check_sum = 0; /* of how many teams and threads there are, and so of where values start again, each machine has its own */
  return check_done("carried");
}

/* Parallel regions with work for one of their threads, and teams that ask for their number. */
// RUN: %check_program %s %t
#include "check.h"
#include <omp.h>

enum { ROWS = 90, ROW = 40, ADDED = 1000 };

static int in[ROWS], out[ROWS], want[ROWS], team[ROWS], teams[ROWS];

/* The variable that one thread sets is the team's, and what it adds is added once. */
static void rows(void) {
#pragma omp target teams distribute map(to : in) map(tofrom : out) map(from : team, teams)
  for (int i = 0; i < ROWS; i++) {
    int value = 0;
    team[i] = omp_get_team_num();
    teams[i] = omp_get_num_teams();
#pragma omp parallel
    {
#pragma omp single
      value = in[i];
#pragma omp for
      for (int j = 0; j < ROW; j++)
        if (j == i % ROW) out[i] += value;
#pragma omp masked filter(1)
      out[i] += omp_get_num_threads() > 1 ? ADDED : 0;
#pragma omp barrier
#pragma omp master
      out[i] += 2;
    }
  }
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < ROWS; i++) {
      in[i] = value(i, r);
      out[i] = 0;
    }
    rows();
    int wrong = 0, none = 0;
    for (int i = 0; i < ROWS; i++) {
      want[i] = in[i] + 2;
      wrong += team[i] < 0 || team[i] >= teams[i] || teams[i] != teams[0];
    }
    for (int i = 0; i < ROWS; i++)
      out[i] %= ADDED; // there may be one thread alone
    expect_bytes("rows", out, want, sizeof out);
    expect_bytes("teams", &wrong, &none, sizeof wrong);
  }
  return check_done("one_thread");
}

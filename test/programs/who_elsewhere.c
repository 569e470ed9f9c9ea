/* Code of another file looks at which team carries out an iteration. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 5000, TEAMS = 3 };

static int in[N], out[N], want[N];

#pragma omp declare target
int team_elsewhere(int add);
#pragma omp end declare target

static void of_one_team(void) {
#pragma omp target parallel for map(to : in) map(from : out)
  for (int i = 0; i < N; i++)
    out[i] = in[i] + team_elsewhere(0);
}

static int last_of_few(void) {
  int last = 0;
#pragma omp target teams distribute parallel for num_teams(TEAMS) map(to : in) reduction(max : last)
  for (int i = 0; i < N; i++) {
    int team = team_elsewhere(in[i]) - in[i];
    last = team > last ? team : last;
  }
  return last;
}

static int last_of_single_threads(void) {
  int last = 0;
#pragma omp target teams distribute num_teams(TEAMS) map(to : in) map(from : out)
  for (int i = 0; i < N; i++)
    out[i] = team_elsewhere(in[i]) - in[i];
  for (int i = 0; i < N; i++)
    last = out[i] > last ? out[i] : last;
  return last;
}

int main(void) {
  for (int i = 0; i < N; i++)
    want[i] = in[i] = value(i, 3);
  for (int r = 0; r < rounds(); r++) {
    of_one_team();
    expect_bytes("one team", out, want, sizeof out);
    expect_long("a reduction's teams", last_of_few() < TEAMS, 1);
    expect_long("teams of one thread", last_of_single_threads() < TEAMS, 1);
  }
  return check_done("who_elsewhere");
}

/* `teams distribute` without `parallel`: one thread in each team, `parallel for` without teams: one team; or all threads of the grid. Reductions,
   variables whose address is passed on. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 4100, ROW = 37 };

static int in[N];
static double real[N];

static int sum(int n) {
  int s = 5;
#pragma omp target teams distribute thread_limit(1) reduction(+ : s) map(to : in)
  for (int i = 0; i < n; i++)
    s += in[i];
  return s;
}

static double sum_of_real(int n) {
  double s = 0;
#pragma omp target teams distribute thread_limit(1) reduction(+ : s) map(to : real)
  for (int i = 1; i < n; i += 2)
    s += real[i] * real[i - 1];
  return s;
}

static void range(int n, int teams, int result[3]) {
  int least = 1000, most = -1, odd = 0;
#pragma omp target teams distribute thread_limit(1) reduction(min : least) reduction(max : most) reduction(^ : odd) map(to : in) num_teams(teams)
  for (int i = 0; i < n; i++) {
    least = in[i] < least ? in[i] : least;
    most = in[i] > most ? in[i] : most;
    odd ^= in[i] + i;
  }
  result[0] = least, result[1] = most, result[2] = odd;
}

static long collapsed(int rows) {
  long s = 0;
#pragma omp target teams distribute thread_limit(1) collapse(2) reduction(+ : s) map(to : in)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < ROW; j++)
      s += in[i * ROW + j] * (long)j;
  return s;
}

#pragma omp declare target
__attribute__((noinline)) void add_to(int *sum, const int *from) { *sum += *from * 3; }
#pragma omp end declare target

static int out[N];

static void through_pointers(int n) { /* variables that were the team's */
#pragma omp target teams distribute thread_limit(1) map(to : in) map(from : out)
  for (int i = 0; i < n; i++) {
    int own = i;
    add_to(&own, in + i);
    out[i] = own;
  }
}

static long of_one_team(int n) { /* also in an inner loop */
  long s = 5;
#pragma omp target parallel for reduction(+ : s) map(to : in)
  for (int i = 0; i < n; i++)
    for (short k = 4; k >= 1; k--)
      s += in[i] >> k;
  return s;
}

static void several_of_one_team(int n, unsigned char *odd, double *most, int *all) {
  unsigned char x = 3;
  double m = -1;
  int a = 1;
#pragma omp target parallel for schedule(static) reduction(^ : x) reduction(max : m) reduction(&& : a) map(to : in, real)
  for (int i = 0; i < n; i++) {
    x ^= (unsigned char)(in[i] + i);
    m = real[i] > m ? real[i] : m;
    a = a && in[i] != 12;
  }
  *odd = x, *most = m, *all = a;
}

static void cells_of_one_team(int n, int cells[8]) {
#pragma omp target parallel for reduction(+ : cells[2 : 5]) map(to : in)
  for (int i = 0; i < n; i++)
    cells[2 + i % 5] += in[i];
}

static int counted_teams(int n, int teams) { /* one more for each team */
  int s = 0;
#pragma omp target teams reduction(+ : s) map(to : in) num_teams(teams) thread_limit(1)
  {
    s += 1000000;
#pragma omp distribute
    for (int i = 0; i < n; i++)
      s += in[i];
  }
  return s;
}

static void compare_one_team(int n) {
  long shifted = 5;
  unsigned char odd, want_odd = 3;
  double most, want_most = -1;
  int all, want_all = 1, cells[8] = {0}, want_cells[8] = {0};
  for (int i = 0; i < n; i++) {
    for (short k = 4; k >= 1; k--)
      shifted += in[i] >> k;
    want_odd ^= (unsigned char)(in[i] + i);
    want_most = real[i] > want_most ? real[i] : want_most;
    want_all = want_all && in[i] != 12;
    want_cells[2 + i % 5] += in[i];
  }
  expect_long("one team", of_one_team(n), shifted);
  several_of_one_team(n, &odd, &most, &all);
  expect_long("odd, one team", odd, want_odd);
  expect_long("most, one team", (long)most, (long)want_most);
  expect_long("all, one team", all, want_all);
  cells_of_one_team(n, cells);
  for (int i = 0; i < 8; i++)
    expect_long("cells, one team", cells[i], want_cells[i]);
}

static void compare(int n, int teams) {
  int s = 0, least = 1000, most = -1, odd = 0, found[3];
  double product = 0;
  long weighted = 0;
  for (int i = 0; i < n; i++) {
    s += in[i], odd ^= in[i] + i;
    least = in[i] < least ? in[i] : least, most = in[i] > most ? in[i] : most;
    product += i % 2 ? real[i] * real[i - 1] : 0;
  }
  for (int i = 0; i < n / ROW * ROW; i++)
    weighted += in[i] * (long)(i % ROW);
  expect_long("sum", sum(n), s + 5);
  expect_long("real", (long)sum_of_real(n), (long)product);
  range(n, teams, found);
  expect_long("least", found[0], least);
  expect_long("most", found[1], most);
  expect_long("odd", found[2], odd);
  expect_long("collapsed", collapsed(n / ROW), weighted);
  through_pointers(n);
  for (int i = 0; i < n; i++)
    expect_long("through pointers", out[i], in[i] * 3 + i);
  int counted = counted_teams(n, teams);
  expect_long("beside the loop", counted % 1000000, s);
  expect_long("teams", counted / 1000000 >= 1 && counted / 1000000 <= teams, 1);
}

int main(void) {
  for (int i = 0; i < N; i++)
    real[i] = in[i] = value(i, 3);
  for (int r = 0; r < rounds(); r++) {
    int n = r % 5 == 4 ? r % 3 : N - r % 7;
    compare(n, r % 4 == 3 ? 1 : 6);
    compare_one_team(n);
  }
  return check_done("teams_sums");
}

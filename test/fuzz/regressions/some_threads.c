// Of OpenMP_VV (declare_target_parallel_for), changed: barriers around a region of fewer threads than the team has stood within what
// those threads alone carry out, and met others' barriers elsewhere.
#include <omp.h>
#include <stdio.h>
enum { N = 400, ROWS = 5 };
static int a[ROWS][N], total[ROWS], threads[ROWS];

static void region(int asked, int round) {
#pragma omp target teams distribute map(tofrom : a) map(from : total, threads)
  for (int i = 0; i < ROWS; i++) {
    int most = -1, seen = 0;
#pragma omp parallel for num_threads(asked)
    for (int j = 0; j < N; j++) {
      a[i][j] = i * j + round;
      if (omp_get_thread_num() == 0) most = omp_get_num_threads();
    }
#pragma omp parallel for num_threads(asked)
    for (int j = 0; j < N; j++)
      if (a[i][N - 1 - j] == i * (N - 1 - j) + round && omp_get_thread_num() >= 0) {
#pragma omp atomic
        seen++;
      }
    total[i] = seen, threads[i] = most;
  }
}

int main(void) {
  int bad = 0;
  for (int round = 0; round < 12; round++)
    for (int asked = 1; asked < 300; asked = asked * 3 + 5) {
      region(asked, round);
      for (int i = 0; i < ROWS; i++) bad += total[i] != N || threads[i] < 1 || threads[i] > asked;
    }
  printf("%s some_threads\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

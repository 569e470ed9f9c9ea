// Two loops, one after the other, that form the arrays of one reduction over teams, in whose inner loops threads share the rounds. Of clang's
// own kernels some threads have ended at barriers.
#include <stdio.h>
#include <string.h>

enum { ROWS = 1100, MOST = 32 };

static int in[ROWS * MOST], bad;

static void expect(const char *what, int size, const void *got, const void *want, size_t bytes) {
  if (memcmp(got, want, bytes) == 0) return;
  bad++;
  printf("%s of %d differ\n", what, size);
}

#define PRAGMA(text) _Pragma(#text)
#define TWO(NAME, SUM, MOST_TYPE, SIZE, CLAUSES)                                                                                         \
  static void NAME(int rows, int seed) {                                                                                                 \
    SUM sum[SIZE], want[SIZE];                                                                                                           \
    MOST_TYPE most[SIZE], want_most[SIZE];                                                                                               \
    for (int j = 0; j < SIZE; j++) sum[j] = want[j] = seed, most[j] = want_most[j] = -100;                                               \
    PRAGMA(omp target map(tofrom : sum, most) map(to : in))                                                                              \
    PRAGMA(omp teams CLAUSES reduction(+ : sum[0 : SIZE]) reduction(max : most[0 : SIZE]))                                               \
    {                                                                                                                                    \
      PRAGMA(omp distribute parallel for reduction(+ : sum[0 : SIZE]))                                                                   \
      for (int i = 0; i < rows; i++)                                                                                                     \
        for (int j = 0; j < SIZE; j++) sum[j] += (SUM)in[i * SIZE + j];                                                                  \
      PRAGMA(omp distribute parallel for reduction(max : most[0 : SIZE]))                                                                \
      for (int i = 0; i < rows; i++)                                                                                                     \
        for (int j = 0; j < SIZE; j++) most[j] = most[j] < in[i * SIZE + j] ? in[i * SIZE + j] : most[j];                                \
    }                                                                                                                                    \
    for (int i = 0; i < rows; i++)                                                                                                       \
      for (int j = 0; j < SIZE; j++) {                                                                                                   \
        want[j] += (SUM)in[i * SIZE + j];                                                                                                \
        want_most[j] = want_most[j] < in[i * SIZE + j] ? in[i * SIZE + j] : want_most[j];                                                \
      }                                                                                                                                  \
    expect(#NAME " sums", SIZE, sum, want, sizeof sum);                                                                                  \
    expect(#NAME " maxima", SIZE, most, want_most, sizeof most);                                                                         \
  }
TWO(two_loops, double, double, 32, num_teams(40))
TWO(two_types, long, short, 16, num_teams(3))
TWO(two_of_eight, unsigned char, float, 8, num_teams(9) thread_limit(64))
TWO(two_of_few, int, int, 32, num_teams(9) thread_limit(16))
TWO(two_of_many, int, long, 32, num_teams(1100))

int main(void) {
  for (int i = 0; i < ROWS * MOST; i++) in[i] = (i * 37 + (i >> 6)) % 101 - 20;
  for (int round = 0; round < 3; round++) {
    int rows = round % 3 == 2 ? 5 : round % 3 ? ROWS : ROWS - 101;
    two_loops(rows, round), two_types(rows, round), two_of_eight(rows, round), two_of_few(rows, round);
  }
  two_of_many(ROWS, 1), two_loops(0, 2);
  printf("%s lane_loops\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

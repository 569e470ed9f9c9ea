// Reductions of loops that the source keeps to teams of one thread, or to one team: scalars of 8 to 64 bits, several at a time, sections of
// arrays, sums that an inner loop forms. Versions have 512 threads a team, more than the kernel was made for: three parts of four were lost,
// of the four warps of 128 threads that was known of each team. Of clang's own kernels some threads have ended at barriers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 9000, CELLS = 5 };

static int in[N + 8], bad;

static int value(int i, int seed) { return (i * 31 + seed * 17 + (i >> 5)) % 97; }

static void expect_bytes(const char *what, const void *got, const void *want, size_t bytes) {
  if (memcmp(got, want, bytes) == 0) return;
  bad++;
  printf("%s differs\n", what);
}

#define PRAGMA(text) _Pragma(#text)
#define SUMS(NAME, DIRECTIVE)                                                                                          \
  static void inner_##NAME(int n) {                                                                                    \
    long sum = 7, want = 7;                                                                                            \
    PRAGMA(omp target DIRECTIVE reduction(+ : sum) map(to : in))                                                       \
    for (int i = 0; i < n; i++)                                                                                        \
      for (short k = 4; k >= 1; k--)                                                                                   \
        sum += in[i + k];                                                                                              \
    for (int i = 0; i < n; i++)                                                                                        \
      for (short k = 4; k >= 1; k--)                                                                                   \
        want += in[i + k];                                                                                             \
    expect_bytes("inner, " #NAME, &sum, &want, sizeof sum);                                                            \
  }                                                                                                                    \
  static void several_##NAME(int n) {                                                                                  \
    uint8_t sum = 9, want_sum = 9;                                                                                     \
    int16_t odd = 3, want_odd = 3;                                                                                     \
    double most = -1, want_most = -1;                                                                                  \
    int all = 1, want_all = 1;                                                                                         \
    PRAGMA(omp target DIRECTIVE reduction(+ : sum) reduction(^ : odd) reduction(max : most) reduction(&& : all) map(to : in)) \
    for (int i = 0; i < n; i++) {                                                                                      \
      sum += in[i];                                                                                                    \
      odd ^= in[i] * i;                                                                                                \
      most = most > in[i] * 0.5 * i ? most : in[i] * 0.5 * i;                                                          \
      all = all && in[i] + i != 17;                                                                                    \
    }                                                                                                                  \
    for (int i = 0; i < n; i++) {                                                                                      \
      want_sum += in[i];                                                                                               \
      want_odd ^= in[i] * i;                                                                                           \
      want_most = want_most > in[i] * 0.5 * i ? want_most : in[i] * 0.5 * i;                                           \
      want_all = want_all && in[i] + i != 17;                                                                          \
    }                                                                                                                  \
    expect_bytes("sum, " #NAME, &sum, &want_sum, sizeof sum);                                                          \
    expect_bytes("odd, " #NAME, &odd, &want_odd, sizeof odd);                                                          \
    expect_bytes("most, " #NAME, &most, &want_most, sizeof most);                                                      \
    expect_bytes("all, " #NAME, &all, &want_all, sizeof all);                                                          \
  }                                                                                                                    \
  static void cells_##NAME(int n) {                                                                                    \
    float sum[CELLS + 2] = {1, 2, 3, 4, 5, 6, 7}, want[CELLS + 2];                                                     \
    unsigned odd[CELLS] = {0}, want_odd[CELLS] = {0};                                                                  \
    memcpy(want, sum, sizeof sum);                                                                                     \
    PRAGMA(omp target DIRECTIVE reduction(+ : sum[2 : CELLS]) reduction(^ : odd[0 : CELLS]) map(to : in))              \
    for (int i = 0; i < n; i++) {                                                                                      \
      sum[2 + i % CELLS] += in[i];                                                                                     \
      for (int k = 0; k < CELLS; k++)                                                                                  \
        odd[k] ^= (unsigned)(in[i + k] * i);                                                                           \
    }                                                                                                                  \
    for (int i = 0; i < n; i++) {                                                                                      \
      want[2 + i % CELLS] += in[i];                                                                                    \
      for (int k = 0; k < CELLS; k++)                                                                                  \
        want_odd[k] ^= (unsigned)(in[i + k] * i);                                                                      \
    }                                                                                                                  \
    expect_bytes("cells, " #NAME, sum, want, sizeof sum);                                                              \
    expect_bytes("odd cells, " #NAME, odd, want_odd, sizeof odd);                                                      \
  }

SUMS(teams, teams distribute num_teams(256))
SUMS(threads, parallel for)

/* Not spread: what clang's function takes from other lanes is lost. */
static void of_half(int n) {
  _Float16 sum = 1, want = 1;
#pragma omp target teams distribute reduction(+ : sum) map(to : in)
  for (int i = 0; i < n % 40; i++)
    sum += (_Float16)(in[i] & 7);
  for (int i = 0; i < n % 40; i++)
    want += (_Float16)(in[i] & 7);
  expect_bytes("half", &sum, &want, sizeof sum);
}

int main(void) {
  for (int round = 0; round < 12; round++) {
    int n = round % 6 == 5 ? round % 4 : N - round % 7;
    for (int i = 0; i < N + 8; i++) in[i] = value(i, round);
    inner_teams(n), several_teams(n), cells_teams(n);
    inner_threads(n), several_threads(n), cells_threads(n);
    of_half(n);
  }
  printf("%s spread_sums\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

/* Structures of several sizes and alignments that change places, by way of one variable and of two: elements of an array, on a condition, and
 * elements of an array of the team's between barriers; packed ones, too. */
// RUN: %check_program %s %t
#include "check.h"

#include <omp.h>
#include <stddef.h>

typedef struct { float x, y, z, w; } four;
typedef struct { unsigned char r, g, b; } pixel;
typedef struct { float v[20]; } large;
typedef struct { double d[9]; } nine;
typedef struct __attribute__((packed)) { float x, y, z, w; } packed_four;
typedef struct __attribute__((packed)) { double d; short s; float f; } tight;

enum { TEAMS = 9, THREADS = 64, ALL = 2 * TEAMS * THREADS };
static int to[ALL];

#define TEST(TYPE)                                                                                                           \
  static TYPE TYPE##_in[ALL], TYPE##_want[ALL];                                                                              \
  static void fill_##TYPE(int seed) {                                                                                        \
    for (size_t i = 0; i < sizeof TYPE##_in; i++) ((char *)TYPE##_in)[i] = (char)value((long)i, seed);                       \
    memcpy(TYPE##_want, TYPE##_in, sizeof TYPE##_in);                                                                        \
  }                                                                                                                          \
  static void run_##TYPE(int pairs, int teams, int seed) {                                                                   \
    TYPE *a = TYPE##_in, *w = TYPE##_want;                                                                                   \
    fill_##TYPE(seed);                                                                                                       \
    _Pragma("omp target teams distribute parallel for map(to : to) map(tofrom : a[0 : ALL])")                                \
    for (int i = 0; i < pairs; i++)                                                                                          \
      if ((to[2 * i] ^ seed) % 3) {                                                                                          \
        TYPE kept = a[to[2 * i]];                                                                                            \
        a[to[2 * i]] = a[to[2 * i + 1]];                                                                                     \
        a[to[2 * i + 1]] = kept;                                                                                             \
      }                                                                                                                      \
    for (int i = 0; i < pairs; i++)                                                                                          \
      if ((to[2 * i] ^ seed) % 3) {                                                                                          \
        TYPE kept = w[to[2 * i]];                                                                                            \
        w[to[2 * i]] = w[to[2 * i + 1]];                                                                                     \
        w[to[2 * i + 1]] = kept;                                                                                             \
      }                                                                                                                      \
    expect_bytes(#TYPE " exchanged", a, w, sizeof TYPE##_in);                                                                \
    _Pragma("omp target teams distribute parallel for map(tofrom : a[0 : ALL])")                                             \
    for (int i = 0; i < pairs; i++) {                                                                                        \
      TYPE first = a[2 * i], kept = first, second = a[2 * i + 1];                                                            \
      a[2 * i] = second;                                                                                                     \
      if (i % 5 == seed % 5) kept = second;                                                                                  \
      a[2 * i + 1] = kept;                                                                                                   \
    }                                                                                                                        \
    for (int i = 0; i < pairs; i++) {                                                                                        \
      TYPE first = w[2 * i], second = w[2 * i + 1];                                                                          \
      w[2 * i] = second;                                                                                                     \
      if (i % 5 != seed % 5) w[2 * i + 1] = first;                                                                           \
    }                                                                                                                        \
    expect_bytes(#TYPE " by two", a, w, sizeof TYPE##_in);                                                                   \
    _Pragma("omp target teams num_teams(teams) thread_limit(THREADS) map(tofrom : a[0 : ALL])")                              \
    {                                                                                                                        \
      TYPE all[2 * THREADS];                                                                                                 \
      _Pragma("omp parallel num_threads(THREADS)")                                                                           \
      {                                                                                                                      \
        int t = omp_get_thread_num(), n = omp_get_num_threads();                                                             \
        for (int g = omp_get_team_num(); g < TEAMS; g += omp_get_num_teams()) {                                              \
          for (int k = t; k < 2 * THREADS; k += n) all[k] = a[g * 2 * THREADS + k];                                          \
          _Pragma("omp barrier")                                                                                             \
          for (int step = 1; step < 4; step++) {                                                                             \
            for (int k = t; k < THREADS; k += n) {                                                                           \
              TYPE kept = all[k];                                                                                            \
              all[k] = all[2 * THREADS - 1 - k];                                                                             \
              all[2 * THREADS - 1 - k] = kept;                                                                               \
            }                                                                                                                \
            _Pragma("omp barrier")                                                                                           \
          }                                                                                                                  \
          for (int k = t; k < 2 * THREADS; k += n) a[g * 2 * THREADS + k] = all[k];                                          \
          _Pragma("omp barrier")                                                                                             \
        }                                                                                                                    \
      }                                                                                                                      \
    }                                                                                                                        \
    for (int g = 0; g < TEAMS; g++)                                                                                          \
      for (int k = 0; k < THREADS; k++) {                                                                                    \
        TYPE kept = w[g * 2 * THREADS + k];                                                                                  \
        w[g * 2 * THREADS + k] = w[(g + 1) * 2 * THREADS - 1 - k];                                                           \
        w[(g + 1) * 2 * THREADS - 1 - k] = kept;                                                                             \
      }                                                                                                                      \
    expect_bytes(#TYPE " in the team", a, w, sizeof TYPE##_in);                                                              \
  }
TEST(four)
TEST(pixel)
TEST(large)
TEST(nine)
TEST(packed_four)
TEST(tight)

int main(void) {
  for (int i = 0; i < ALL; i++) to[i] = (int)((long)i * 5 % ALL); /* each once: ALL is no multiple of 5 */
  for (int r = 0; r < rounds(); r++) {
    int pairs = ALL / 2 - r % 7, teams = TEAMS - r % 3;
    run_four(pairs, teams, r), run_pixel(pairs, teams, r), run_large(pairs, teams, r);
    run_nine(pairs, teams, r), run_packed_four(pairs, teams, r), run_tight(pairs, teams, r);
  }
  return check_done("exchanged");
}

// Reductions of arrays that have as many elements as threads share the inner loop: of several types and operators, several arrays at a time,
// sections, teams of other sizes; and such that are alike, but not of that form.
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
// NAME: of the case; OP: reduction's operator; NEUTRAL as a begin; STEP(a, v): what an iteration does with an element.
#define CASE(NAME, TYPE, SIZE, OP, NEUTRAL, STEP, CLAUSES)                                                                                \
  static void NAME(int rows, int seed) {                                                                                                 \
    TYPE got[SIZE], want[SIZE];                                                                                                          \
    for (int j = 0; j < SIZE; j++) got[j] = want[j] = (TYPE)(NEUTRAL + 0 * seed);                                                        \
    PRAGMA(omp target teams distribute parallel for reduction(OP : got[0 : SIZE]) map(to : in) CLAUSES)                                  \
    for (int i = 0; i < rows; i++)                                                                                                       \
      for (int j = 0; j < SIZE; j++) STEP(got[j], in[i * SIZE + j]);                                                                     \
    for (int i = 0; i < rows; i++)                                                                                                       \
      for (int j = 0; j < SIZE; j++) STEP(want[j], in[i * SIZE + j]);                                                                    \
    expect(#NAME, SIZE, got, want, sizeof got);                                                                                          \
  }
#define ADD(a, v) a += v
#define MUL(a, v) a *= (v) | 1
#define XOR(a, v) a ^= v
#define AND(a, v) a &= (v) | 0x0f0f
#define OR(a, v) a |= (v)&0x35
#define GREATER(a, v) a = a < (v) ? (v) : a
#define LESS(a, v)                                                                                                                       \
  if (a > (v)) a = v
#define ALL(a, v) a = a && (v) != 77
CASE(add_double, double, 32, +, 3, ADD, )
CASE(add_float, float, 16, +, 3, ADD, )
CASE(add_unsigned, unsigned, 32, +, seed, ADD, )
CASE(add_char, unsigned char, 8, +, seed, ADD, )
CASE(add_short, short, 32, +, seed, ADD, num_teams(7))
CASE(mul_long, unsigned long, 32, *, 1, MUL, )
CASE(xor_unsigned, unsigned, 16, ^, seed, XOR, thread_limit(96))
CASE(and_long, long, 32, &, -1, AND, )
CASE(or_int, int, 8, |, 0, OR, )
CASE(max_double, double, 32, max, -50, GREATER, )
CASE(max_int, int, 16, max, -50, GREATER, )
CASE(min_float, float, 32, min, 500, LESS, )
CASE(all_int, int, 32, &&, 1, ALL, )
CASE(small_teams, long, 32, +, seed, ADD, thread_limit(16))
CASE(odd_teams, long, 32, +, seed, ADD, thread_limit(100) num_teams(5))
CASE(large_teams, long, 8, +, seed, ADD, thread_limit(700))
CASE(one_team, int, 32, +, seed, ADD, num_teams(1))
CASE(many_teams, int, 32, +, seed, ADD, num_teams(2000))

// Several arrays at a time; a scalar among them; an array that has more elements than there are rounds.
static void several(int rows, int seed) {
  double sum[32], want[32];
  int most[32], want_most[32];
  for (int j = 0; j < 32; j++) sum[j] = want[j] = seed, most[j] = want_most[j] = -100;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most) map(to : in)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) {
      sum[j] += in[i * 32 + j];
      if (most[j] < in[i * 32 + j]) most[j] = in[i * 32 + j];
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) {
      want[j] += in[i * 32 + j];
      if (want_most[j] < in[i * 32 + j]) want_most[j] = in[i * 32 + j];
    }
  expect("sums", 32, sum, want, sizeof sum);
  expect("maxima", 32, most, want_most, sizeof most);
}

static void with_scalar(int rows, int seed) {
  long sum[32], want[32], all = seed, want_all = seed;
  for (int j = 0; j < 32; j++) sum[j] = want[j] = seed;
#pragma omp target teams distribute parallel for reduction(+ : sum[0 : 32], all) map(to : in)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) sum[j] += in[i * 32 + j], all += in[i * 32 + j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) want[j] += in[i * 32 + j], want_all += in[i * 32 + j];
  expect("sums with a scalar", 32, sum, want, sizeof sum);
  expect("scalar", 32, &all, &want_all, sizeof all);
}

static void part_of_section(int rows, int seed) {
  int sum[48], want[48], turned[32], want_turned[32];
  for (int j = 0; j < 48; j++) sum[j] = want[j] = seed + j;
  for (int j = 0; j < 32; j++) turned[j] = want_turned[j] = seed - j;
#pragma omp target teams distribute parallel for reduction(+ : sum[0 : 48]) map(to : in)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) sum[j] += in[i * 32 + j];
#pragma omp target teams distribute parallel for reduction(+ : turned[0 : 32]) map(to : in)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) turned[31 - j] += in[i * 32 + j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) want[j] += in[i * 32 + j], want_turned[31 - j] += in[i * 32 + j];
  expect("part", 48, sum, want, sizeof sum);
  expect("turned", 32, turned, want_turned, sizeof turned);
}

static void begins_later(int rows, int seed) {
  long sum[40], want[40];
  for (int j = 0; j < 40; j++) sum[j] = want[j] = seed + j;
#pragma omp target teams distribute parallel for reduction(+ : sum[8 : 32]) map(to : in)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) sum[8 + j] += in[i * 32 + j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) want[8 + j] += in[i * 32 + j];
  expect("later", 32, sum, want, sizeof sum);
}

// What an element had before decides on another.
static void crossed(int rows, int seed) {
  int sum[32], want[32];
  for (int j = 0; j < 32; j++) sum[j] = want[j] = seed;
#pragma omp target teams distribute parallel for reduction(+ : sum[0 : 32]) map(to : in)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) {
      int at = in[i * 32 + j] & 31;
      sum[at] += j;
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 32; j++) want[in[i * 32 + j] & 31] += j;
  expect("crossed", 32, sum, want, sizeof sum);
}

int main(void) {
  for (int i = 0; i < ROWS * MOST; i++) in[i] = (i * 37 + (i >> 6)) % 101 - 20;
  for (int round = 0; round < 3; round++) {
    int rows = round % 3 == 2 ? 5 : round % 3 ? ROWS : ROWS - 101;
    void (*const all[])(int, int) = {add_double, add_float,   add_unsigned, add_char,    add_short,       mul_long,     xor_unsigned, and_long,
                                     or_int,     max_double,  max_int,      min_float,   all_int,         small_teams,  odd_teams,    large_teams,
                                     one_team,   many_teams,  several,      with_scalar, part_of_section, begins_later, crossed};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) all[k](rows, round);
  }
  add_double(0, 1);
  printf("%s lane_arrays\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

/* Reductions whose launches are split into slices: of integers, where order cannot be told from the result. How many iterations there are may
 * stand in memory, where it may be another number than the host has told libomptarget: more, fewer, or none. */
// RUN: %check_program %s %t
#include "check.h"

enum { MANY = 3001, WIDTH = 9 };

struct input {
  int n, width;
};

static int in[MANY * WIDTH], out[MANY];

static long row(long i, int width) {
  long s = 0;
  for (int j = 0; j < width; j++)
    s = s * 3 + in[i * WIDTH + j] % 5;
  return s;
}

/* Length in memory, which the device has had since before. */
static void kept(int told, int known) {
  struct input input = {known, WIDTH};
  long sum = 7;
  int least = 1 << 20, seen = known;
#pragma omp target data map(to : input, in)
  {
    input.n = told;
#pragma omp target map(from : seen) /* without a device there is one number */
    seen = input.n;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(min : least)
    for (int i = 0; i < input.n; i++) {
      long s = 0;
      for (int j = 0; j < input.width; j++)
        s = s * 3 + in[i * WIDTH + j] % 5;
      sum += s;
      if (s % 1000 < least)
        least = (int)(s % 1000);
    }
  }
  long expected = 7;
  int expected_least = 1 << 20;
  for (int i = 0; i < seen; i++) {
    long s = row(i, WIDTH);
    expected += s;
    if (s % 1000 < expected_least)
      expected_least = (int)(s % 1000);
  }
  expect_long("sum", sum - expected, 0);
  expect_long("least", least - expected_least, 0);
}

/* Counters of other types; what is written beside; several operators. */
static void counters(unsigned n, long m, int width) {
  unsigned bits = 0, odd = 0;
  long product = 1;
  int all = 1;
#pragma omp target teams distribute parallel for reduction(| : bits) reduction(^ : odd) map(to : in) map(from : out[0 : n])
  for (unsigned i = 0; i < n; i++) {
    unsigned s = 0;
    for (int j = 0; j < width; j++)
      s += (unsigned)in[i * WIDTH + (unsigned)j];
    bits |= s, odd ^= s * 2654435761u, out[i] = (int)s;
  }
#pragma omp target teams distribute parallel for reduction(* : product) reduction(&& : all) map(to : in)
  for (long i = 0; i < m; i++) {
    long s = 1;
    for (int j = 0; j < width; j++)
      s += in[i * WIDTH + j] % 3;
    product *= s | 1, all = all && s > 0;
  }
  unsigned expected_bits = 0, expected_odd = 0;
  long expected_product = 1;
  int right = 1, expected_all = 1;
  for (unsigned i = 0; i < n; i++) {
    unsigned s = 0;
    for (int j = 0; j < width; j++)
      s += (unsigned)in[i * WIDTH + (unsigned)j];
    expected_bits |= s, expected_odd ^= s * 2654435761u, right &= out[i] == (int)s;
  }
  for (long i = 0; i < m; i++) {
    long s = 1;
    for (int j = 0; j < width; j++)
      s += in[i * WIDTH + j] % 3;
    expected_product *= s | 1;
  }
  expect_bytes("bits", &bits, &expected_bits, sizeof bits);
  expect_bytes("odd", &odd, &expected_odd, sizeof odd);
  expect_bytes("product", &product, &expected_product, sizeof product);
  expect_bytes("all", &all, &expected_all, sizeof all);
  expect_bytes("out", &right, &expected_all, sizeof right);
}

/* Not in slices: what is added in another order may be another number. */
static void floats(int n, int width) {
  float sum = 0, expected = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : in)
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < width; j++)
      s += (float)(in[i * WIDTH + j] % 5);
    sum += s;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < width; j++)
      expected += (float)(in[i * WIDTH + j] % 5);
  expect_bytes("floats", &sum, &expected, sizeof sum);
}

int main(void) {
  for (int i = 0; i < MANY * WIDTH; i++)
    in[i] = value(i, 1) % 13;
  for (int r = 0; r < rounds(); r++) {
    kept(MANY, MANY);
    kept(MANY - 1000, MANY);
    kept(MANY, MANY - 999);
    kept(MANY, 0);
    kept(MANY, -3);
    counters(MANY - (unsigned)r, MANY - 500, WIDTH - r % 2);
    counters(1, 129, 3);
    floats(MANY, WIDTH);
  }
  return check_done("sliced_sums");
}

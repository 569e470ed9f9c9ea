/* Functions of one value taken again and again, behind branches and in loops, and once each in another region: the same bits. */
// RUN: %check_program %s %t
#include "check.h"

#include <math.h>

enum { N = 1500, SPECIAL = 10, TIMES = 4 };

static const double special[SPECIAL] = {0, -0.0, INFINITY, -INFINITY, NAN, 709.7, 710.0, -745.2, 1e-310, 1e300};
static double x[N], power[N], again[TIMES][N], other[2][N], once[3][N];
static float y[N], few_again[2][N], few_once[N];

static void often(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    double a = x[i], p = power[i];
    again[0][i] = exp(a);
    again[1][i] = i % 3 ? exp(a) : 1;
    if (p > 0) again[2][i] = exp(a);
    double last = 0;
    for (int k = 0; k < 1 + i % 4; k++)
      last = k % 2 ? pow(a, p) : exp(a); /* the same in each round */
    again[3][i] = last;
    other[0][i] = pow(a, p);
    other[1][i] = a > 0 ? log(a) : log(a);
    few_again[0][i] = expf(y[i]);
    few_again[1][i] = y[i] > 0 ? expf(y[i]) : -expf(y[i]);
  }
}

static void alone(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    once[0][i] = exp(x[i]), few_once[i] = expf(y[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    once[1][i] = pow(x[i], power[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    once[2][i] = log(x[i]);
}

static void same(const char *what, double got, double expected) { expect_long(what, memcmp(&got, &expected, sizeof got) != 0, 0); }

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++) {
      x[i] = i < SPECIAL ? special[i] : (value(i, r) - 48) * exp2(value(i, r + 1) % 12 - 8.0);
      power[i] = i < 2 * SPECIAL ? special[i % SPECIAL] : value(i, r + 2) % 7 - 3;
      y[i] = (float)x[i];
    }
#pragma omp target data map(to : x, power, y) map(from : again, other, once, few_again, few_once)
    {
      often();
      alone();
    }
    for (int i = 0; i < N; i++) {
      same("first", again[0][i], once[0][i]);
      same("behind a branch", again[1][i], i % 3 ? once[0][i] : 1);
      if (power[i] > 0) same("where it is above 0", again[2][i], once[0][i]);
      same("in a loop", again[3][i], i % 4 % 2 ? once[1][i] : once[0][i]);
      same("power", other[0][i], once[1][i]);
      same("logarithm", other[1][i], once[2][i]);
      same("float", few_again[0][i], few_once[i]);
      same("float, signed", few_again[1][i], y[i] > 0 ? few_once[i] : -few_once[i]);
    }
  }
  return check_done("repeated_calls");
}

// routine for lambdas, bind from and to lambdas, which may be defined before or behind it.
// RUN: %acc_run_cxx %s %t
// RUN: %not %acc_text_cxx -DEARLY %s 2>&1 | %FileCheck %s
// CHECK: error: 'early' is bound to 'late', which is not declared yet
#include <openacc.h>
#include "check.h"

#pragma acc routine seq
auto square = [](double x) { return x * x; };

#pragma acc routine vector
auto sum = [](const double *x, int n) {
  double s = 0;
#pragma acc loop vector reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
};

#pragma acc routine seq bind(lambda_on_device)
double function_on_host(double x) { return x + 1; }
auto lambda_on_device = [](double x) { return x + 2; };

#pragma acc routine seq bind("function_on_device")
auto lambda_on_host = [](double x) -> double { return x + 3; };
double function_on_device(double x) { return x + 4; }

auto first = [](double x) { return x + 5; };
#pragma acc routine(first) seq bind(second)
auto second = [](double x) { return x + 6; };

#pragma acc routine seq
static double through(double x) { return first(x) + lambda_on_host(x); }

#ifdef EARLY
#pragma acc routine seq bind(late)
double early(double x) { return x; }
#pragma acc routine seq
double caller(double x) { return early(x); }
auto late = [](double x) { return x; };
#endif

int main() {
  double found[8] = {0}, rows[4][16], sums[4];
  int n = 1;
#pragma acc parallel copy(found) default(none)
  {
    found[0] = square(3);
    found[1] = function_on_host(0);
    found[2] = lambda_on_host(0);
    found[3] = first(0);
    found[4] = through(0);
  }
  CHECK(found[0] == 9 && found[1] == 2 && found[2] == 4 && found[3] == 6 && found[4] == 10);
#pragma acc serial copy(found) if (n < 0)
  found[5] = function_on_host(0) + through(0);
  CHECK(found[5] == 9);
  CHECK(function_on_host(0) == 1 && lambda_on_host(0) == 3 && first(0) == 5 && through(0) == 8);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 16; j++)
      rows[i][j] = i;
#pragma acc parallel loop gang copyin(rows) copyout(sums)
  for (int i = 0; i < 4; i++)
    sums[i] = sum(rows[i], 16);
  CHECK(sums[3] == 48 && sums[1] == 16);
  return RESULT();
}

// libdevice functions, compared with the host's in double or long double precision.
// RUN: %simt_cc -O3 %s -o %t -lm && %t | %FileCheck %s
// CHECK-NOT: FAIL
// CHECK: {{^}}done
#include <math.h>
#include <stdio.h>

enum { N = 4096 };

static double ulps_float(float got, double exact) {
  if ((float)exact == got || (isnan(got) && isnan(exact)))
    return 0;
  float nearest = (float)exact;
  return fabs(got - exact) / (nextafterf(fabsf(nearest), INFINITY) - fabsf(nearest));
}

static double ulps_double(double got, long double exact) {
  if ((double)exact == got || (isnan(got) && isnan(exact)))
    return 0;
  double nearest = (double)exact;
  return (double)(fabsl(got - exact) / (nextafter(fabs(nearest), INFINITY) - fabs(nearest)));
}

// The CUDA manual's bound for each function is in the last column; the host adds at most one.
#define TEST(NAME, X, BOUND)                                                                                           \
  {                                                                                                                    \
    float in[N], out[N];                                                                                               \
    double worst = 0, ind[N], outd[N], worst_double = 0;                                                               \
    for (int i = 0; i < N; i++)                                                                                        \
      ind[i] = in[i] = (float)(X);                                                                                     \
    _Pragma("omp target teams distribute parallel for map(to : in, ind) map(from : out, outd)")                       \
    for (int i = 0; i < N; i++) {                                                                                      \
      out[i] = NAME##f(in[i]);                                                                                         \
      outd[i] = NAME(ind[i]);                                                                                          \
    }                                                                                                                  \
    for (int i = 0; i < N; i++) {                                                                                      \
      double u = ulps_float(out[i], NAME((double)in[i])), v = ulps_double(outd[i], NAME##l((long double)ind[i]));      \
      worst = u > worst ? u : worst;                                                                                   \
      worst_double = v > worst_double ? v : worst_double;                                                              \
    }                                                                                                                  \
    printf("%s: %.2f and %.2f ulp%s\n", #NAME, worst, worst_double, worst > BOUND || worst_double > BOUND ? " FAIL" : "");\
  }

int main(void) {
  TEST(sin, i * 0.37 - 700, 2)
  TEST(sin, i * 3.1e6, 2)
  TEST(cos, i * 0.37 - 700, 2)
  TEST(exp, i * 0.04 - 80, 2)
  TEST(exp2, i * 0.06 - 120, 2)
  TEST(log, i * 0.37 + 0.001, 2)
  TEST(log2, i * 0.37 + 0.001, 2)
  TEST(log1p, i * 0.37, 2)
  TEST(sqrt, i * 0.37, 1)
  TEST(cbrt, i * 0.37, 2)
  TEST(tanh, i * 0.001 - 2, 2.5)
  TEST(atan, i * 0.01 - 20, 2)
  TEST(erf, i * 0.001 - 2, 2)
  TEST(floor, i * 0.37 - 700, 0)
  TEST(rint, i * 0.5 - 700, 0)
  printf("done\n");
  return 0;
}

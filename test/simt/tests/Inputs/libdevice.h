// References for the functions of libdevice, in long double, and the distance of a result from them.
#ifndef LIBDEVICE_H
#define LIBDEVICE_H
#include <math.h>
#ifndef __NVPTX__
#define __DEVICE__
#include <__clang_cuda_libdevice_declares.h> // never called there: tests are compiled without a version for the host
#endif

#define PI 3.14159265358979323846264338327950288L
#define ROOT_2 1.41421356237309504880168872420969808L

// Units in the last place of the type whose values have `bits` bits and the least exponent `least`.
static double ulps(long double got, long double exact, int bits, int least) {
  if (got == exact || (isnan(got) && isnan(exact)))
    return 0;
  if (!isfinite(got) || !isfinite(exact))
    return INFINITY;
  int exponent = exact == 0 ? least : ilogbl(exact);
  return (double)(fabsl(got - exact) / ldexpl(1, (exponent < least ? least : exponent) - bits + 1));
}

static long double sinpi_exact(long double x) {
  long double near = rintl(x), r = sinl(PI * (x - near));
  return fmodl(near, 2) == 0 ? r : -r;
}
static long double cospi_exact(long double x) { return sinl(PI * (0.5L - fabsl(x - 2 * rintl(x / 2)))); }

// Newton's method from 0: erf is concave and erfc convex there, so that it never goes too far.
static long double erfinv_exact(long double x) {
  long double y = 0;
  for (int i = 0; i < 60; i++)
    y -= (erfl(y) - fabsl(x)) / (2 / sqrtl(PI) * expl(-y * y));
  return copysignl(y, x);
}
static long double erfcinv_exact(long double x) {
  long double y = 0, p = x < 1 ? x : 2 - x;
  for (int i = 0; i < 200; i++)
    y += (erfcl(y) - p) / (2 / sqrtl(PI) * expl(-y * y));
  return x < 1 ? y : -y;
}

// Power series of the modified Bessel functions: sum of (x^2 / 4)^k / k! / (k + order)!, times (x / 2)^order.
static long double bessel_i(int order, long double x) {
  long double term = order ? x / 2 : 1, sum = 0;
  for (int k = 1; k < 200; k++) {
    sum += term;
    term *= x * x / 4 / k / (k + order);
  }
  return sum;
}

static long double frexp_exact(long double x) {
  int e;
  long double m = frexpl(x, &e);
  return m + 4 * e;
}

#endif

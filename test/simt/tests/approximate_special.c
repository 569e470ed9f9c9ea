/* Approximated powers where numbers need not be finite (-fapprox-func without -ffast-math): what powf says of signs, of infinite
 * numbers, and of powers that there are none of. */
// RUN: %simt_cc -O2 -fapprox-func -fplugin=%plugin %s -lm -o %t
// RUN: env PLACE_STORE=off PLACE_FORCE='*:version=natural' %t
// RUN: env PLACE=off %t
// REQUIRES: plugin, simt
#include <math.h>
#include <stdio.h>

#define I INFINITY
static const float special[][3] = {
  {-2, 0.5f, NAN}, {-2, -2.5f, NAN}, {-1, NAN, NAN}, {NAN, 3, NAN}, {2, NAN, NAN}, {1, NAN, 1}, {NAN, 0, 1}, {0, 0, 1},
  {1, I, 1}, {1, -I, 1}, {-1, I, 1}, {-1, -I, 1}, {-2, I, I}, {-2, -I, 0}, {0.5f, I, 0}, {0.5f, -I, I}, {-0.5f, -I, I},
  {-I, 0.5f, I}, {-I, -0.5f, 0}, {-I, 3, -I}, {-I, 2, I}, {-I, -3, -0.0f}, {I, -1, 0}, {I, 2, I},
  {-0.0f, 3, -0.0f}, {-0.0f, 2, 0}, {-0.0f, 0.5f, 0}, {-0.0f, -1, -I}, {-0.0f, -2, I}, {0, -1, I}, {-2, 3, -8}, {-1, 3e9f, 1}};
enum { N = sizeof special / sizeof *special };
static float x[N], y[N], power[N];

static int isSame(float a, float b) {
  return isnan(b) ? isnan(a) : !signbit(a) == !signbit(b) && (a == b || fabsf(a - b) <= 1e-5f * fabsf(b));
}

int main(void) {
  int wrong = 0;
  for (int i = 0; i < N; i++)
    x[i] = special[i][0], y[i] = special[i][1];
  for (int launch = 0; launch < 2; launch++) {
#pragma omp target teams distribute parallel for map(to : x, y) map(from : power)
    for (int i = 0; i < N; i++)
      power[i] = powf(x[i], y[i]);
  }
  for (int i = 0; i < N; i++)
    if (!isSame(power[i], special[i][2]))
      wrong = 1, printf("%g to %g: %g, expected %g\n", (double)x[i], (double)y[i], (double)power[i], (double)special[i][2]);
  return wrong;
}

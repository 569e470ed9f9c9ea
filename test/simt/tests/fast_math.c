/* Approximated powers, exponentials and logarithms: within what the GPU's instructions have as errors, and of the right sign and value
 * where a number's logarithm does not help. */
// RUN: %simt_cc -O2 -ffast-math -fplugin=%plugin %s -lm -o %t
// RUN: env PLACE_STORE=off PLACE_FORCE='*:version=natural' %t
// RUN: env PLACE=off %t
// REQUIRES: plugin, simt
#include <math.h>
#include <stdio.h>

enum { N = 512 };
static float x[N], y[N], power[N], exponential[N], logarithm[N], ten[N], inverse[N];
static const float special[][3] = {{-2, 3, -8}, {-2, 2, 4}, {-3, -1, -1.0f / 3}, {0, 2, 0}, {0, 0, 1}, {-5, 0, 1}, {7, 1, 7},
                                   {-1, 16777217, 1}, {-1, 3e9f, 1}, {2, 0.5f, 1.41421356f}, {-4, 5, -1024}};
enum { SPECIAL = sizeof special / sizeof *special };

static int differs(const char *what, int i, double got, double expected, double tolerance) {
  double error = got > expected ? got - expected : expected - got;
  double scale = expected < 0 ? -expected : expected;
  if (error <= tolerance * (scale > 1 ? scale : 1))
    return 0;
  printf("%s of %g, %g: %.9g, expected %.9g\n", what, (double)x[i], (double)y[i], got, expected);
  return 1;
}

int main(void) {
  int wrong = 0;
  for (int i = 0; i < N; i++)
    x[i] = i < SPECIAL ? special[i][0] : 0.01f * (float)(i + 1), y[i] = i < SPECIAL ? special[i][1] : (float)(i % 13) * 0.5f - 3;
  for (int launch = 0; launch < 2; launch++) {
#pragma omp target teams distribute parallel for map(to : x, y) map(from : power, exponential, logarithm, ten, inverse)
    for (int i = 0; i < N; i++) {
      power[i] = powf(x[i], y[i]);
      exponential[i] = expf(x[i]);
      logarithm[i] = x[i] > 0 ? logf(x[i]) + log2f(x[i]) : 0;
      ten[i] = x[i] > 0 ? log10f(x[i]) : 0;
      inverse[i] = 3 / powf(x[i] * x[i], y[i]) + x[i] / expf(x[i]);
    }
  }
  for (int i = 0; i < SPECIAL; i++)
    wrong += differs("a power", i, power[i], special[i][2], 1e-5);
  for (int i = SPECIAL; i < N; i++) {
    wrong += differs("a power", i, power[i], pow(x[i], y[i]), 1e-4);
    wrong += differs("an exponential", i, exponential[i], exp(x[i]), 1e-5);
    wrong += differs("two logarithms", i, logarithm[i], log(x[i]) + log2(x[i]), 1e-5);
    wrong += differs("two inverses", i, inverse[i], 3 / pow((double)x[i] * x[i], y[i]) + x[i] / exp(x[i]), 1e-4);
    wrong += differs("a logarithm to 10", i, ten[i], log10(x[i]), 1e-5);
  }
  return wrong != 0;
}

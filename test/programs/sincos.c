/* Sine and cosine of one angle, taken together in one region and apart in two, and of several angles in a loop: the same bits. */
// RUN: %check_program %s %t
#include "check.h"

#include <math.h>

enum { N = 3000, SPECIAL = 12, TAPS = 8 };

static const double special[SPECIAL] = {0, -0.0, INFINITY, -INFINITY, NAN, 1.5707963267948966, -3.141592653589793, 1e-310, -4.9e-324, 1e300, -1e22,
                                        105615};
static double angle[N], sine[N], cosine[N], sine_alone[N], cosine_alone[N];
static float few[N], few_sine[N], few_cosine[N], few_sine_alone[N], few_cosine_alone[N];

static void together(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    double a = angle[i];
    float f = few[i];
    sine[i] = sin(a);
    few_cosine[i] = cosf(f);
    if (i % 3) few_sine[i] = sinf(f);
    cosine[i] = cos(a);
  }
}

static void apart(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    sine_alone[i] = sin(angle[i]);
    if (i % 3) few_sine_alone[i] = sinf(few[i]);
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    cosine_alone[i] = cos(angle[i]);
    few_cosine_alone[i] = cosf(few[i]);
  }
}

static unsigned mixed(unsigned before, float f) {
  unsigned bits;
  memcpy(&bits, &f, sizeof bits);
  return before * 31 + bits;
}

/* of a loop's angles, near and far */
static unsigned along[N];
static void repeated(int taps) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N - TAPS; i++) {
    unsigned all = 0;
    for (int j = i; j < i + taps; j++) {
      float f = few[j];
      all = mixed(all, cosf(f));
      if (j % 3) all = mixed(all, sinf(f));
    }
    along[i] = all;
  }
}
static long differ_along(void) {
  long n = 0;
  for (int i = 0; i < N - TAPS; i++) {
    unsigned all = 0;
    for (int j = i; j < i + TAPS; j++) {
      all = mixed(all, few_cosine_alone[j]);
      if (j % 3) all = mixed(all, few_sine_alone[j]);
    }
    n += all != along[i];
  }
  return n;
}

static long differences(const void *a, const void *b, size_t size) { return memcmp(a, b, size) != 0; }

int main(void) {
#pragma omp target data map(to : angle, few) map(from : sine, cosine, sine_alone, cosine_alone, few_sine, few_cosine, few_sine_alone, few_cosine_alone, along)
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++) {
      angle[i] = i < SPECIAL ? special[i] : (value(i, r) - 48) * exp2(value(i, r + 1) % 40 - 8.0) + i;
      few[i] = (float)angle[i];
    }
#pragma omp target update to(angle, few)
    together();
    apart();
    repeated(TAPS);
#pragma omp target update from(sine, cosine, sine_alone, cosine_alone, few_sine, few_cosine, few_sine_alone, few_cosine_alone, along)
    expect_long("sine", differences(sine, sine_alone, sizeof sine), 0);
    expect_long("cosine", differences(cosine, cosine_alone, sizeof cosine), 0);
    expect_long("sine, float", differences(few_sine, few_sine_alone, sizeof few_sine), 0);
    expect_long("cosine, float", differences(few_cosine, few_cosine_alone, sizeof few_cosine), 0);
    expect_long("in a loop", differ_along(), 0);
  }
  return check_done("sincos");
}

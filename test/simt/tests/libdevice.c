// The mathematical functions of libdevice against the host's libm in long double precision, in double and in float, for
// 2,000 arguments each. The bound is 2 ulp or, where it is larger, what the CUDA C programming guide states for a function.
// RUN: %simt_cc -O1 -fopenmp-offload-mandatory %s -o %t -lm && %t | %FileCheck %s
// RUN: %simt_cc -O3 -fopenmp-offload-mandatory %s -o %t.3 -lm && %t.3 | %FileCheck %s
// CHECK-NOT: FAIL
// CHECK: {{^}}82 functions, 0 outside of their bounds
#include "Inputs/libdevice.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 2000 };

#pragma omp begin declare target
// Functions with several results.
#define PARTS(NAME, DEVICE, TYPE)                                                                                      \
  static inline TYPE NAME(TYPE x, int second) {                                                                        \
    TYPE a = 0, b = 0;                                                                                                 \
    DEVICE(x, &a, &b);                                                                                                 \
    return second ? b : a;                                                                                             \
  }
PARTS(sincos_part, __nv_sincos, double)
PARTS(sincosf_part, __nv_sincosf, float)
PARTS(sincospi_part, __nv_sincospi, double)
PARTS(sincospif_part, __nv_sincospif, float)
#define OTHERS(SUFFIX, TYPE)                                                                                           \
  static inline TYPE frexp##SUFFIX##_both(TYPE x) {                                                                    \
    int e = 0;                                                                                                         \
    TYPE m = __nv_frexp##SUFFIX(x, &e);                                                                                \
    return m + 4 * e;                                                                                                  \
  }                                                                                                                    \
  static inline TYPE modf##SUFFIX##_both(TYPE x) {                                                                     \
    TYPE whole = 0, part = __nv_modf##SUFFIX(x, &whole);                                                               \
    return whole - part;                                                                                               \
  }                                                                                                                    \
  static inline TYPE remquo##SUFFIX##_first(TYPE x, TYPE y) {                                                          \
    int quotient = 0;                                                                                                  \
    return __nv_remquo##SUFFIX(x, y, &quotient);                                                                       \
  }
OTHERS(, double)
OTHERS(f, float)
#pragma omp end declare target

#define U(NAME, ...) C(NAME, __nv_##NAME(x), __nv_##NAME##f(x), __VA_ARGS__)
#define B(NAME, ...) C(NAME, __nv_##NAME(x, y), __nv_##NAME##f(x, y), __VA_ARGS__)

static const struct function {
  const char *name;
  double low, high, bound, bound_float;
} functions[] = {
#define C(NAME, DOUBLE, FLOAT, EXACT, LOW, HIGH, BOUND, BOUND_FLOAT) {#NAME, LOW, HIGH, BOUND, BOUND_FLOAT},
#include "Inputs/libdevice.def"
#undef C
};
enum { COUNT = sizeof functions / sizeof *functions };

static long double exact(int which, long double x, long double y) {
  int number = 0;
#define C(NAME, DOUBLE, FLOAT, EXACT, LOW, HIGH, BOUND, BOUND_FLOAT)                                                   \
  if (which == number++)                                                                                               \
    return EXACT;
#include "Inputs/libdevice.def"
#undef C
  (void)y;
  return 0;
}

static float argument(const struct function *f, int i) {
  double part = (i + 0.37) / N;
  if (f->low > 0 && f->high / f->low > 1e6)
    return (float)(f->low * pow(f->high / f->low, part));
  return (float)(f->low + part * (f->high - f->low));
}

int main(void) {
  float *xs = malloc(sizeof(float[COUNT * N])), *ys = malloc(sizeof(float[N])), *floats = malloc(sizeof(float[COUNT * N]));
  double *doubles = malloc(sizeof(double[COUNT * N]));
  int wrong = 0;
  for (int i = 0; i < COUNT * N; i++)
    xs[i] = argument(&functions[i / N], i % N);
  for (int i = 0; i < N; i++)
    ys[i] = (float)(-3 + 8 * fmod(i * 0.6180339887, 1));
#pragma omp target teams distribute parallel for map(to : xs[0 : COUNT * N], ys[0 : N])                                 \
    map(from : doubles[0 : COUNT * N], floats[0 : COUNT * N])
  for (int i = 0; i < N; i++) {
    int at = i;
#define C(NAME, DOUBLE, FLOAT, EXACT, LOW, HIGH, BOUND, BOUND_FLOAT)                                                   \
  {                                                                                                                    \
    double x = xs[at], y = ys[i];                                                                                      \
    (void)x, (void)y;                                                                                                  \
    doubles[at] = DOUBLE;                                                                                              \
  }                                                                                                                    \
  {                                                                                                                    \
    float x = xs[at], y = ys[i];                                                                                       \
    (void)x, (void)y;                                                                                                  \
    floats[at] = FLOAT;                                                                                                \
    at += N;                                                                                                           \
  }
#include "Inputs/libdevice.def"
#undef C
  }
  for (int f = 0; f < COUNT; f++) {
    double worst = 0, worst_float = 0;
    for (int i = 0; i < N; i++) {
      long double value = exact(f, xs[f * N + i], ys[i]);
      worst = fmax(worst, ulps(doubles[f * N + i], value, 53, -1022));
      worst_float = fmax(worst_float, ulps(floats[f * N + i], value, 24, -126));
    }
    int fails = worst > functions[f].bound || worst_float > functions[f].bound_float;
    wrong += fails;
    printf("%s: %.2f and %.2f ulp%s\n", functions[f].name, worst, worst_float, fails ? " FAIL" : "");
  }
  printf("%d functions, %d outside of their bounds\n", COUNT, wrong);
  return wrong != 0;
}

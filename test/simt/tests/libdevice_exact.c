// The functions of libdevice whose results are exact: directed rounding, conversions, integers. Compared with the host's
// arithmetic, bit by bit.
// RUN: %simt_cc -O1 -fopenmp-offload-mandatory %s -o %t -lm && %t | %FileCheck %s
// RUN: %simt_cc -O3 -fopenmp-offload-mandatory %s -o %t.3 -lm && %t.3 | %FileCheck %s
// CHECK-NOT: FAIL
// CHECK: {{^}}161 functions, 0 wrong
#include "Inputs/libdevice.h"
#include <fenv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 600 };

// R(name, type of the result, parameters of the host's version, its expression, the device's arguments): under each rounding.
#define ROUNDED                                                                                                        \
  R(dadd, double, a + b, a, b) R(dsub, double, a - b, a, b) R(dmul, double, a * b, a, b) R(ddiv, double, a / b, a, b)    \
  R(drcp, double, 1 / a, a) R(dsqrt, double, sqrt(fabs(a)), fabs(a)) R(fma, double, fma(a, b, c), a, b, c)               \
  R(fadd, float, f + g, f, g) R(fsub, float, f - g, f, g) R(fmul, float, f * g, f, g) R(fdiv, float, f / g, f, g)        \
  R(frcp, float, 1 / f, f) R(fsqrt, float, sqrtf(fabsf(f)), fabsf(f)) R(fmaf, float, fmaf(f, g, h), f, g, h)             \
  R(double2float, float, (float)a, a) R(double2int, int, (int)rint(a), a)                                              \
  R(double2uint, unsigned, (unsigned)(int64_t)rint(fabs(a)), fabs(a)) R(double2ll, int64_t, llrint(a), a)               \
  R(double2ull, uint64_t, (uint64_t)llrint(fabs(a)), fabs(a)) R(float2int, int, (int)rintf(f), f)                       \
  R(float2uint, unsigned, (unsigned)llrintf(fabsf(f)), fabsf(f)) R(float2ll, int64_t, llrintf(f), f)                    \
  R(float2ull, uint64_t, (uint64_t)llrintf(fabsf(f)), fabsf(f))

// Not toward zero: LLVM 19's optimiser takes llvm.nvvm.i2f.rz and its like for plain conversions, which round to nearest.
#define CONVERTED                                                                                                      \
  R(int2float, float, (float)i, i) R(uint2float, float, (float)u, u) R(ll2float, float, (float)l, l)                    \
  R(ull2float, float, (float)m, m) R(ll2double, double, (double)l, l) R(ull2double, double, (double)m, m)

// X(function, type of the result, the host's expression, the device's arguments)
#define EXACT                                                                                                          \
  X(int2double_rn, double, (double)i, i) X(uint2double_rn, double, (double)u, u) X(clz, int, u ? __builtin_clz(u) : 32, i) \
  X(clzll, int, m ? __builtin_clzll(m) : 64, l) X(popc, int, __builtin_popcount(u), i)                                  \
  X(popcll, int, __builtin_popcountll(m), l) X(ffs, int, __builtin_ffs(i), i) X(ffsll, int, __builtin_ffsll(l), l)        \
  X(brev, int, (int)__builtin_bitreverse32(u), i) X(brevll, int64_t, (int64_t)__builtin_bitreverse64(m), l)              \
  X(mulhi, int, (int)((int64_t)i * j >> 32), i, j) X(umulhi, unsigned, (unsigned)((uint64_t)u * v >> 32), u, v)          \
  X(mul64hi, int64_t, (int64_t)((__int128)l * k >> 64), l, k)                                                          \
  X(umul64hi, uint64_t, (uint64_t)((unsigned __int128)m * n >> 64), m, n)                                              \
  X(mul24, int, (int)((uint32_t)((i << 8) >> 8) * (uint32_t)((j << 8) >> 8)), i, j)                                     \
  X(umul24, unsigned, (u & 0xffffff) * (v & 0xffffff), u, v) X(abs, int, abs(i), i) X(llabs, int64_t, llabs(l), l)        \
  X(min, int, i < j ? i : j, i, j) X(max, int, i > j ? i : j, i, j) X(umin, unsigned, u < v ? u : v, u, v)               \
  X(umax, unsigned, u > v ? u : v, u, v) X(llmin, int64_t, l < k ? l : k, l, k) X(llmax, int64_t, l > k ? l : k, l, k)    \
  X(ullmin, uint64_t, m < n ? m : n, m, n) X(ullmax, uint64_t, m > n ? m : n, m, n)                                     \
  X(hadd, int, (int)(((int64_t)i + j) >> 1), i, j) X(rhadd, int, (int)(((int64_t)i + j + 1) >> 1), i, j)                 \
  X(uhadd, unsigned, (unsigned)(((uint64_t)u + v) >> 1), u, v)                                                         \
  X(urhadd, unsigned, (unsigned)(((uint64_t)u + v + 1) >> 1), u, v)                                                    \
  X(sad, unsigned, (unsigned)llabs((int64_t)i - j) + w, i, j, w)                                                       \
  X(usad, unsigned, (u > v ? u - v : v - u) + w, u, v, w) X(byte_perm, int, byte_perm(u, v, w), i, j, w)                 \
  X(double2hiint, int, (int)(bits_of(a) >> 32), a) X(double2loint, int, (int)bits_of(a), a)                             \
  X(hiloint2double, double, of_bits((uint64_t)u << 32 | v), i, j) X(double_as_longlong, int64_t, (int64_t)bits_of(a), a)  \
  X(longlong_as_double, double, of_bits(m), l) X(float_as_int, int, (int)bits_of_float(f), f)                           \
  X(float_as_uint, unsigned, bits_of_float(f), f) X(int_as_float, float, of_bits_float(u), i)                           \
  X(uint_as_float, float, of_bits_float(u), u) X(signbitf, int, f < 0, f) X(signbitd, int, a < 0, a)                     \
  X(saturatef, float, f >= 1 ? 1 : f > 0 ? f : 0, f) X(isnanf, int, 0, f) X(isinfd, int, 0, a) X(finitef, int, 1, f)      \
  X(half2float, float, half_value((uint16_t)u), (short)u) X(float2half_rn, uint16_t, half_bits(f), f)                    \
  X(frsqrt_rn, float, (float)(1 / sqrtl(fabsf(f))), fabsf(f))

static uint64_t bits_of(double x) { uint64_t b; memcpy(&b, &x, 8); return b; }
static double of_bits(uint64_t b) { double x; memcpy(&x, &b, 8); return x; }
static unsigned bits_of_float(float x) { unsigned b; memcpy(&b, &x, 4); return b; }
static float of_bits_float(unsigned b) { float x; memcpy(&x, &b, 4); return x; }
static float half_value(uint16_t b) { _Float16 h; memcpy(&h, &b, 2); return (float)h; }
static uint16_t half_bits(float x) { _Float16 h = (_Float16)x; uint16_t b; memcpy(&b, &h, 2); return b; }
static int byte_perm(unsigned x, unsigned y, unsigned selector) {
  uint64_t bytes = (uint64_t)y << 32 | x;
  unsigned result = 0;
  for (int at = 0; at < 4; at++)
    result |= (unsigned)(bytes >> 8 * (selector >> 4 * at & 7) & 255) << 8 * at;
  return (int)result;
}

struct row {
  double a, b, c;
  float f, g, h;
  int i, j;
  unsigned u, v, w;
  long long l, k;
  unsigned long long m, n;
};
static uint64_t random_bits(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}
static double random_double(void) { return ((double)(int64_t)random_bits() + 0.5) * ldexp(1, (int)(random_bits() % 30) - 63 + 2); }
static struct row random_row(void) {
  struct row r = {.a = random_double(), .b = random_double(), .c = random_double(), .i = (int)random_bits(), .j = (int)random_bits()};
  r.f = (float)random_double(), r.g = (float)random_double(), r.h = (float)random_double();
  r.u = (unsigned)r.i, r.v = (unsigned)r.j, r.w = (unsigned)random_bits() & 0x7777;
  r.m = random_bits() >> random_bits() % 60, r.n = random_bits(), r.l = (long long)r.m, r.k = (long long)r.n;
  return r;
}

// Both sides name the fields of a row alike. Volatile: the host's optimiser knows nothing of rounding modes.
#define FIELDS(ROW)                                                                                                    \
  volatile double a = (ROW).a, b = (ROW).b, c = (ROW).c;                                                               \
  volatile float f = (ROW).f, g = (ROW).g, h = (ROW).h;                                                                \
  volatile int i = (ROW).i, j = (ROW).j;                                                                               \
  volatile unsigned u = (ROW).u, v = (ROW).v, w = (ROW).w;                                                                      \
  volatile long long l = (ROW).l, k = (ROW).k;                                                                         \
  volatile unsigned long long m = (ROW).m, n = (ROW).n;                                                                \
  (void)a, (void)b, (void)c, (void)f, (void)g, (void)h, (void)i, (void)j, (void)u, (void)v, (void)w, (void)l, (void)k,  \
      (void)m, (void)n;

static void host(const struct row *row, uint64_t *out) {
  FIELDS(*row)
  int at = 0;
#define STORE(T, E)                                                                                                    \
  {                                                                                                                    \
    volatile T result = E;                                                                                             \
    T plain = result;                                                                                                  \
    out[at] = 0;                                                                                                       \
    memcpy(&out[at++], &plain, sizeof plain);                                                                          \
  }
#define UNDER(MODE, T, E)                                                                                              \
  fesetround(MODE);                                                                                                    \
  STORE(T, E)
#define R(NAME, T, E, ...) UNDER(FE_TONEAREST, T, E) UNDER(FE_TOWARDZERO, T, E) UNDER(FE_DOWNWARD, T, E) UNDER(FE_UPWARD, T, E)
  ROUNDED
#undef R
#define R(NAME, T, E, ...) UNDER(FE_TONEAREST, T, E) UNDER(FE_DOWNWARD, T, E) UNDER(FE_UPWARD, T, E)
  CONVERTED
#undef R
  fesetround(FE_TONEAREST);
#define X(NAME, T, E, ...) STORE(T, E)
  EXACT
#undef X
}

static const char *const names[] = {
#define R(NAME, T, E, ...) #NAME "_rn", #NAME "_rz", #NAME "_rd", #NAME "_ru",
    ROUNDED
#undef R
#define R(NAME, T, E, ...) #NAME "_rn", #NAME "_rd", #NAME "_ru",
        CONVERTED
#undef R
#define X(NAME, T, E, ...) #NAME,
        EXACT
#undef X
};
enum { COUNT = sizeof names / sizeof *names };

int main(void) {
  struct row *rows = malloc(N * sizeof *rows);
  uint64_t *got = calloc(N * COUNT, sizeof *got), expected[COUNT];
  int bad[COUNT] = {0}, wrong = 0;
  for (int r = 0; r < N; r++)
    rows[r] = random_row();
#pragma omp target teams distribute parallel for map(to : rows[0 : N]) map(tofrom : got[0 : N * COUNT])
  for (int r = 0; r < N; r++) {
    FIELDS(rows[r])
    uint64_t *out = got + (long)r * COUNT;
#define PUT(NAME, T, ...) *(T *)out++ = __nv_##NAME(__VA_ARGS__);
#define R(NAME, T, E, ...) PUT(NAME##_rn, T, __VA_ARGS__) PUT(NAME##_rz, T, __VA_ARGS__) PUT(NAME##_rd, T, __VA_ARGS__) PUT(NAME##_ru, T, __VA_ARGS__)
    ROUNDED
#undef R
#define R(NAME, T, E, ...) PUT(NAME##_rn, T, __VA_ARGS__) PUT(NAME##_rd, T, __VA_ARGS__) PUT(NAME##_ru, T, __VA_ARGS__)
    CONVERTED
#define X(NAME, T, E, ...) PUT(NAME, T, __VA_ARGS__)
    EXACT
  }
  for (int r = 0; r < N; r++) {
    host(&rows[r], expected);
    for (int f = 0; f < COUNT; f++)
      if (got[r * COUNT + f] != expected[f] && !bad[f]++)
        printf("%s, row %d: %llx, expected %llx FAIL\n", names[f], r, (unsigned long long)got[r * COUNT + f], (unsigned long long)expected[f]);
  }
  for (int f = 0; f < COUNT; f++)
    wrong += bad[f] > 0;
  printf("%d functions, %d wrong\n", COUNT, wrong);
  return wrong != 0;
}

// The device's arithmetic that LLVM's target-independent intrinsics do not express: directed rounding, flushing of
// subnormals, saturating conversions and the approximate functions, which are computed in double precision and so lie
// within 1 ulp of the exact result. simt_nv_NAME serves llvm.nvvm.NAME with its dots replaced by underscores; the
// list of names is in lower/math_names.cpp.
#include "simt_abi.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define EXPORT(type, name) SIMT_EXPORT type simt_nv_##name
#define KEEP(x) (x)

static float flush(float x) { return fpclassify(x) == FP_SUBNORMAL ? copysignf(0.0f, x) : x; }

// Computes an expression of volatile operands under a rounding mode.
#define UNDER(mode, type, expression)                                                                                  \
  int before = fegetround();                                                                                           \
  fesetround(mode);                                                                                                    \
  volatile type result = (expression);                                                                                 \
  fesetround(before);

#define UNARY(name, type, in, out, mode, expression)                                                                   \
  EXPORT(type, name)(type a_) {                                                                                        \
    volatile type a = in(a_);                                                                                          \
    UNDER(mode, type, expression)                                                                                      \
    return out(result);                                                                                                \
  }
#define BINARY(name, type, in, out, mode, expression)                                                                  \
  EXPORT(type, name)(type a_, type b_) {                                                                               \
    volatile type a = in(a_), b = in(b_);                                                                              \
    UNDER(mode, type, expression)                                                                                      \
    return out(result);                                                                                                \
  }
#define TERNARY(name, type, in, out, mode, expression)                                                                 \
  EXPORT(type, name)(type a_, type b_, type c_) {                                                                      \
    volatile type a = in(a_), b = in(b_), c = in(c_);                                                                  \
    UNDER(mode, type, expression)                                                                                      \
    return out(result);                                                                                                \
  }

#define ARITHMETIC(letters, mode)                                                                                      \
  BINARY(add_##letters##_f, float, KEEP, KEEP, mode, a + b)                                                            \
  BINARY(add_##letters##_ftz_f, float, flush, flush, mode, a + b)                                                      \
  BINARY(add_##letters##_d, double, KEEP, KEEP, mode, a + b)                                                           \
  BINARY(sub_##letters##_f, float, KEEP, KEEP, mode, a - b)                                                            \
  BINARY(sub_##letters##_ftz_f, float, flush, flush, mode, a - b)                                                      \
  BINARY(sub_##letters##_d, double, KEEP, KEEP, mode, a - b)                                                           \
  BINARY(mul_##letters##_f, float, KEEP, KEEP, mode, a * b)                                                            \
  BINARY(mul_##letters##_ftz_f, float, flush, flush, mode, a * b)                                                      \
  BINARY(mul_##letters##_d, double, KEEP, KEEP, mode, a * b)                                                           \
  BINARY(div_##letters##_f, float, KEEP, KEEP, mode, a / b)                                                            \
  BINARY(div_##letters##_ftz_f, float, flush, flush, mode, a / b)                                                      \
  BINARY(div_##letters##_d, double, KEEP, KEEP, mode, a / b)                                                           \
  UNARY(rcp_##letters##_f, float, KEEP, KEEP, mode, 1.0f / a)                                                          \
  UNARY(rcp_##letters##_ftz_f, float, flush, flush, mode, 1.0f / a)                                                    \
  UNARY(rcp_##letters##_d, double, KEEP, KEEP, mode, 1.0 / a)                                                          \
  UNARY(sqrt_##letters##_f, float, KEEP, KEEP, mode, sqrtf(a))                                                         \
  UNARY(sqrt_##letters##_ftz_f, float, flush, flush, mode, sqrtf(a))                                                   \
  UNARY(sqrt_##letters##_d, double, KEEP, KEEP, mode, sqrt(a))                                                         \
  TERNARY(fma_##letters##_f, float, KEEP, KEEP, mode, fmaf(a, b, c))                                                   \
  TERNARY(fma_##letters##_ftz_f, float, flush, flush, mode, fmaf(a, b, c))                                             \
  TERNARY(fma_##letters##_d, double, KEEP, KEEP, mode, fma(a, b, c))

ARITHMETIC(rn, FE_TONEAREST)
ARITHMETIC(rz, FE_TOWARDZERO)
ARITHMETIC(rm, FE_DOWNWARD)
ARITHMETIC(rp, FE_UPWARD)

// Numbers to numbers under a rounding mode.
#define CONVERT(name, from, to, mode)                                                                                  \
  EXPORT(to, name)(from a_) {                                                                                          \
    volatile from a = a_;                                                                                              \
    UNDER(mode, to, (to)a)                                                                                             \
    return result;                                                                                                     \
  }
#define CONVERSIONS(letters, mode)                                                                                     \
  CONVERT(d2f_##letters, double, float, mode)                                                                          \
  CONVERT(i2f_##letters, int32_t, float, mode)                                                                         \
  CONVERT(ui2f_##letters, uint32_t, float, mode)                                                                       \
  CONVERT(ll2f_##letters, int64_t, float, mode)                                                                        \
  CONVERT(ull2f_##letters, uint64_t, float, mode)                                                                      \
  CONVERT(i2d_##letters, int32_t, double, mode)                                                                        \
  CONVERT(ui2d_##letters, uint32_t, double, mode)                                                                      \
  CONVERT(ll2d_##letters, int64_t, double, mode)                                                                       \
  CONVERT(ull2d_##letters, uint64_t, double, mode)                                                                     \
  EXPORT(float, d2f_##letters##_ftz)(double a) { return flush(simt_nv_d2f_##letters(a)); }

CONVERSIONS(rn, FE_TONEAREST)
CONVERSIONS(rz, FE_TOWARDZERO)
CONVERSIONS(rm, FE_DOWNWARD)
CONVERSIONS(rp, FE_UPWARD)

// To half precision, as bits.
EXPORT(uint16_t, f2h_rn)(float a) {
  _Float16 half = (_Float16)a;
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}
EXPORT(uint16_t, f2h_rn_ftz)(float a) { return simt_nv_f2h_rn(flush(a)); }

// Floating point to integers saturates; not-a-number gives 0, or the top bit alone in 64 bits.
static int32_t to_i32(double x) {
  return isnan(x) ? 0 : x <= -0x1p31 ? INT32_MIN : x >= 0x1p31 ? INT32_MAX : (int32_t)x;
}
static uint32_t to_u32(double x) { return isnan(x) || x <= 0 ? 0 : x >= 0x1p32 ? UINT32_MAX : (uint32_t)x; }
static int64_t to_i64(double x) {
  return isnan(x) || x <= -0x1p63 ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : (int64_t)x;
}
static uint64_t to_u64(double x) {
  return isnan(x) ? (uint64_t)1 << 63 : x <= 0 ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}
static double keep_double(double x) { return x; }
static double flush_double(double x) { return flush((float)x); }

#define TO_INTEGERS(letters, round)                                                                                    \
  EXPORT(int32_t, d2i_##letters)(double a) { return to_i32(round(keep_double(a))); }                                   \
  EXPORT(uint32_t, d2ui_##letters)(double a) { return to_u32(round(a)); }                                              \
  EXPORT(int64_t, d2ll_##letters)(double a) { return to_i64(round(a)); }                                               \
  EXPORT(uint64_t, d2ull_##letters)(double a) { return to_u64(round(a)); }                                             \
  EXPORT(int32_t, f2i_##letters)(float a) { return to_i32(round((double)a)); }                                         \
  EXPORT(uint32_t, f2ui_##letters)(float a) { return to_u32(round((double)a)); }                                       \
  EXPORT(int64_t, f2ll_##letters)(float a) { return to_i64(round((double)a)); }                                        \
  EXPORT(uint64_t, f2ull_##letters)(float a) { return to_u64(round((double)a)); }                                      \
  EXPORT(int32_t, f2i_##letters##_ftz)(float a) { return to_i32(round(flush_double(a))); }                             \
  EXPORT(uint32_t, f2ui_##letters##_ftz)(float a) { return to_u32(round(flush_double(a))); }                           \
  EXPORT(int64_t, f2ll_##letters##_ftz)(float a) { return to_i64(round(flush_double(a))); }                            \
  EXPORT(uint64_t, f2ull_##letters##_ftz)(float a) { return to_u64(round(flush_double(a))); }

TO_INTEGERS(rn, rint)
TO_INTEGERS(rz, trunc)
TO_INTEGERS(rm, floor)
TO_INTEGERS(rp, ceil)

static double lg2(double x) { return log2(x); }
static double rsqrt(double x) { return 1.0 / sqrt(x); }
static double reciprocal(double x) { return 1.0 / x; }

#define APPROXIMATE(name, function)                                                                                    \
  EXPORT(float, name##_approx_f)(float a) { return (float)function((double)a); }                                       \
  EXPORT(float, name##_approx_ftz_f)(float a) { return flush((float)function((double)flush(a))); }

APPROXIMATE(ex2, exp2)
APPROXIMATE(lg2, lg2)
APPROXIMATE(sin, sin)
APPROXIMATE(cos, cos)
APPROXIMATE(sqrt, sqrt)
APPROXIMATE(rsqrt, rsqrt)
APPROXIMATE(rcp, reciprocal)
APPROXIMATE(tanh, tanh)

EXPORT(double, rsqrt_approx_d)(double a) { return rsqrt(a); }
EXPORT(double, rsqrt_approx_ftz_d)(double a) { return rsqrt(a); }
EXPORT(double, rcp_approx_ftz_d)(double a) { return 1.0 / a; }
EXPORT(float, div_approx_f)(float a, float b) { return a / b; }
EXPORT(float, div_approx_ftz_f)(float a, float b) { return flush(flush(a) / flush(b)); }
EXPORT(float, div_full)(float a, float b) { return a / b; }
EXPORT(float, div_full_ftz)(float a, float b) { return flush(flush(a) / flush(b)); }

// Not-a-number saturates to 0.
EXPORT(float, saturate_f)(float a) { return a >= 1.0f ? 1.0f : a > 0.0f ? a : 0.0f; }
EXPORT(float, saturate_ftz_f)(float a) { return simt_nv_saturate_f(flush(a)); }
EXPORT(double, saturate_d)(double a) { return a >= 1.0 ? 1.0 : a > 0.0 ? a : 0.0; }

EXPORT(float, fabs_ftz_f)(float a) { return fabsf(flush(a)); }
EXPORT(float, floor_ftz_f)(float a) { return floorf(flush(a)); }
EXPORT(float, ceil_ftz_f)(float a) { return ceilf(flush(a)); }
EXPORT(float, trunc_ftz_f)(float a) { return truncf(flush(a)); }
EXPORT(float, round_ftz_f)(float a) { return rintf(flush(a)); }
EXPORT(float, fmin_ftz_f)(float a, float b) { return fminf(flush(a), flush(b)); }
EXPORT(float, fmax_ftz_f)(float a, float b) { return fmaxf(flush(a), flush(b)); }

EXPORT(uint32_t, sad_i)(int32_t a, int32_t b, uint32_t c) {
  return c + (a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a);
}
EXPORT(uint32_t, sad_ui)(uint32_t a, uint32_t b, uint32_t c) { return c + (a > b ? a - b : b - a); }
EXPORT(int32_t, mul24_i)(int32_t a, int32_t b) {
  return (int32_t)(uint32_t)((int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8));
}
EXPORT(uint32_t, mul24_ui)(uint32_t a, uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); }

// Byte i of the result is the byte of {b,a} that nibble i of the selector names, or its sign repeated.
EXPORT(uint32_t, prmt)(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t nibble = selector >> 4 * i & 15;
    uint32_t byte = (uint32_t)(bytes >> 8 * (nibble & 7)) & 255;
    if (nibble & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}

// The position of the leading one counted from the top, or all ones: bfind.shiftamt.u32.
EXPORT(uint32_t, bfind_shiftamt_u32)(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 0xffffffffu; }
EXPORT(uint32_t, bfind_u32)(uint32_t a) { return a ? 31u - (uint32_t)__builtin_clz(a) : 0xffffffffu; }

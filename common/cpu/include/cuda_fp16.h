/*
 * Half precision: __half and __half2 with CUDA's conversions, arithmetic, comparisons and functions, on the
 * host and in kernels. Everything but hexp and its relatives is rounded exactly; those are the C library's
 * float functions, rounded once more.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "cucc/round16.h"

#define CUCC_H      __half
#define CUCC_H2     __half2
#define CUCC_H_RAW  __half_raw
#define CUCC_H2_RAW __half2_raw
#define CUCC_OTHER  __nv_bfloat16
#define CUCC_FORMAT binary16
#include "cucc/float16.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#define CUCC_FN static inline __attribute__((always_inline))

CUCC_FN float __half2float(__half a) { return float(a); }
CUCC_FN __half __float2half(float f) { return __half(f); }
CUCC_FN __half __float2half_rn(float f) { return __half(f); }
CUCC_FN __half __float2half_rz(float f) { return __half_raw{::cucc::narrow_to_zero<::cucc::binary16>(f)}; }
CUCC_FN __half __float2half_ru(float f) { return __half_raw{::cucc::narrow_up<::cucc::binary16>(f)}; }
CUCC_FN __half __float2half_rd(float f) { return __half_raw{::cucc::narrow_down<::cucc::binary16>(f)}; }
CUCC_FN __half __double2half(double d) { return __half(d); }

CUCC_FN __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
CUCC_FN __half2 make_half2(__half a, __half b) { return __half2(a, b); }
CUCC_FN __half2 __half2half2(__half a) { return __half2(a, a); }
CUCC_FN __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
CUCC_FN __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
CUCC_FN __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
CUCC_FN float2 __half22float2(__half2 a) { return make_float2(float(a.x), float(a.y)); }
CUCC_FN __half __low2half(__half2 a) { return a.x; }
CUCC_FN __half __high2half(__half2 a) { return a.y; }
CUCC_FN __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
CUCC_FN __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
CUCC_FN __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
CUCC_FN __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

CUCC_FN short __half_as_short(__half a) { return static_cast<short>(a.__x); }
CUCC_FN unsigned short __half_as_ushort(__half a) { return a.__x; }
CUCC_FN __half __short_as_half(short bits) { return __half_raw{static_cast<unsigned short>(bits)}; }
CUCC_FN __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }

/* Integers: to the nearest (_rn), towards zero, up, down. What does not fit becomes the nearest that does. */
#define CUCC_CONVERSIONS(NAME, T)                                                                            \
  CUCC_FN T __half2##NAME##_rn(__half a) { return ::cucc::to_integer<T>(rintf(float(a))); }                  \
  CUCC_FN T __half2##NAME##_rz(__half a) { return ::cucc::to_integer<T>(truncf(float(a))); }                 \
  CUCC_FN T __half2##NAME##_ru(__half a) { return ::cucc::to_integer<T>(ceilf(float(a))); }                  \
  CUCC_FN T __half2##NAME##_rd(__half a) { return ::cucc::to_integer<T>(floorf(float(a))); }                 \
  CUCC_FN __half __##NAME##2half_rn(T v) { return __half(v); }                                               \
  CUCC_FN __half __##NAME##2half_rz(T v) {                                                                   \
    return __float2half_rz(::cucc::odd_float(::cucc::odd_double(v)));                                        \
  }                                                                                                          \
  CUCC_FN __half __##NAME##2half_ru(T v) {                                                                   \
    return __float2half_ru(::cucc::odd_float(::cucc::odd_double(v)));                                        \
  }                                                                                                          \
  CUCC_FN __half __##NAME##2half_rd(T v) { return __float2half_rd(::cucc::odd_float(::cucc::odd_double(v))); }
CUCC_CONVERSIONS(int, int)
CUCC_CONVERSIONS(uint, unsigned)
CUCC_CONVERSIONS(short, short)
CUCC_CONVERSIONS(ushort, unsigned short)
CUCC_CONVERSIONS(ll, long long)
CUCC_CONVERSIONS(ull, unsigned long long)
#undef CUCC_CONVERSIONS

#undef CUCC_FN
#endif

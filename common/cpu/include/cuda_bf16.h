/* bfloat16: __nv_bfloat16 and __nv_bfloat162, with the same functions as half precision (cuda_fp16.h). */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_fp16.h" /* the toolkit's brings it along */
#include "cuda_runtime.h"
#include "cucc/round16.h"

#define CUCC_H      __nv_bfloat16
#define CUCC_H2     __nv_bfloat162
#define CUCC_H_RAW  __nv_bfloat16_raw
#define CUCC_H2_RAW __nv_bfloat162_raw
#define CUCC_OTHER  __half
#define CUCC_FORMAT bfloat16
#include "cucc/float16.h"

inline __half::__half(const __nv_bfloat16 &other) : __half(float(other)) {}
inline __nv_bfloat16::__nv_bfloat16(const __half &other) : __nv_bfloat16(float(other)) {}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUCC_FN static inline __attribute__((always_inline))

CUCC_FN float __bfloat162float(__nv_bfloat16 a) { return float(a); }
CUCC_FN __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
CUCC_FN __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
CUCC_FN __nv_bfloat16 __float2bfloat16_rz(float f) {
  return __nv_bfloat16_raw{::cucc::narrow_to_zero<::cucc::bfloat16>(f)};
}
CUCC_FN __nv_bfloat16 __float2bfloat16_ru(float f) {
  return __nv_bfloat16_raw{::cucc::narrow_up<::cucc::bfloat16>(f)};
}
CUCC_FN __nv_bfloat16 __float2bfloat16_rd(float f) {
  return __nv_bfloat16_raw{::cucc::narrow_down<::cucc::bfloat16>(f)};
}
CUCC_FN __nv_bfloat16 __double2bfloat16(double d) { return __nv_bfloat16(d); }
CUCC_FN __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16(v); }
CUCC_FN int __bfloat162int_rn(__nv_bfloat16 a) { return ::cucc::to_integer<int>(rintf(float(a))); }
CUCC_FN int __bfloat162int_rz(__nv_bfloat16 a) { return ::cucc::to_integer<int>(truncf(float(a))); }

CUCC_FN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
CUCC_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
CUCC_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
CUCC_FN __nv_bfloat162 __float2bfloat162_rn(float f) { return __bfloat162bfloat162(__nv_bfloat16(f)); }
CUCC_FN __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
CUCC_FN __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __floats2bfloat162_rn(f.x, f.y); }
CUCC_FN float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(float(a.x), float(a.y)); }
CUCC_FN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
CUCC_FN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
CUCC_FN unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
CUCC_FN short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.__x); }
CUCC_FN __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16_raw{bits}; }
CUCC_FN __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}

#undef CUCC_FN
#endif

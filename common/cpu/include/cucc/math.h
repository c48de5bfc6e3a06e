/* CUDA's mathematical functions beyond the C library's: min and max for all arithmetic types, intrinsics, bit
 * tricks. The fast intrinsics (__sinf …) are the exact functions here: a CPU gains nothing from a rougher
 * sine. They are macros because the C library declares functions of these names. */
#ifndef CUCC_MATH_H
#define CUCC_MATH_H

#define CUCC_MATH static inline __attribute__((always_inline))

#define CUCC_MIN_MAX(T)                                                                                      \
  CUCC_MATH T min(T a, T b) { return b < a ? b : a; }                                                        \
  CUCC_MATH T max(T a, T b) { return a < b ? b : a; }
CUCC_MIN_MAX(int)
CUCC_MIN_MAX(unsigned)
CUCC_MIN_MAX(long)
CUCC_MIN_MAX(unsigned long)
CUCC_MIN_MAX(long long)
CUCC_MIN_MAX(unsigned long long)
#undef CUCC_MIN_MAX
/* with a NaN on one side, the other side, as on the device */
CUCC_MATH float min(float a, float b) { return fminf(a, b); }
CUCC_MATH float max(float a, float b) { return fmaxf(a, b); }
CUCC_MATH double min(double a, double b) { return fmin(a, b); }
CUCC_MATH double max(double a, double b) { return fmax(a, b); }
CUCC_MATH double min(float a, double b) { return fmin(a, b); }
CUCC_MATH double max(float a, double b) { return fmax(a, b); }
CUCC_MATH double min(double a, float b) { return fmin(a, b); }
CUCC_MATH double max(double a, float b) { return fmax(a, b); }
CUCC_MATH unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
CUCC_MATH unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
CUCC_MATH unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
CUCC_MATH unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }

CUCC_MATH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
CUCC_MATH double rsqrt(double x) { return 1.0 / sqrt(x); }
CUCC_MATH float fdividef(float a, float b) { return a / b; }
CUCC_MATH float saturate(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
CUCC_MATH float sinpif(float x) { return sinf(x * 3.14159265358979323846f); }
CUCC_MATH float cospif(float x) { return cosf(x * 3.14159265358979323846f); }

#define __sinf(x)          (::sinf(x))
#define __cosf(x)          (::cosf(x))
#define __tanf(x)          (::tanf(x))
#define __expf(x)          (::expf(x))
#define __exp10f(x)        (::powf(10.0f, (x)))
#define __logf(x)          (::logf(x))
#define __log2f(x)         (::log2f(x))
#define __log10f(x)        (::log10f(x))
#define __powf(x, y)       (::powf((x), (y)))
#define __sincosf(x, s, c) (*(s) = ::sinf(x), *(c) = ::cosf(x), (void)0)
#define __saturatef(x)     (::saturate(x))
#define __fdividef(a, b)   (::fdividef((a), (b)))

CUCC_MATH float __fadd_rn(float a, float b) { return a + b; }
CUCC_MATH float __fsub_rn(float a, float b) { return a - b; }
CUCC_MATH float __fmul_rn(float a, float b) { return a * b; }
CUCC_MATH float __fdiv_rn(float a, float b) { return a / b; }
CUCC_MATH float __frcp_rn(float a) { return 1.0f / a; }
CUCC_MATH float __fsqrt_rn(float a) { return sqrtf(a); }
CUCC_MATH float __frsqrt_rn(float a) { return 1.0f / sqrtf(a); }
CUCC_MATH float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
CUCC_MATH double __dadd_rn(double a, double b) { return a + b; }
CUCC_MATH double __dmul_rn(double a, double b) { return a * b; }
CUCC_MATH double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

namespace cucc {
template <class To, class From> CUCC_MATH To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
} // namespace cucc
CUCC_MATH int __float_as_int(float x) { return ::cucc::bits<int>(x); }
CUCC_MATH unsigned __float_as_uint(float x) { return ::cucc::bits<unsigned>(x); }
CUCC_MATH float __int_as_float(int x) { return ::cucc::bits<float>(x); }
CUCC_MATH float __uint_as_float(unsigned x) { return ::cucc::bits<float>(x); }
CUCC_MATH long long __double_as_longlong(double x) { return ::cucc::bits<long long>(x); }
CUCC_MATH double __longlong_as_double(long long x) { return ::cucc::bits<double>(x); }

CUCC_MATH int __float2int_rn(float x) { return static_cast<int>(rintf(x)); }
CUCC_MATH int __float2int_rz(float x) { return static_cast<int>(x); }
CUCC_MATH int __float2int_rd(float x) { return static_cast<int>(floorf(x)); }
CUCC_MATH int __float2int_ru(float x) { return static_cast<int>(ceilf(x)); }
CUCC_MATH float __int2float_rn(int x) { return static_cast<float>(x); }

CUCC_MATH int __popc(unsigned x) { return __builtin_popcount(x); }
CUCC_MATH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUCC_MATH int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
CUCC_MATH int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
CUCC_MATH int __ffs(int x) { return __builtin_ffs(x); }
CUCC_MATH int __ffsll(long long x) { return __builtin_ffsll(x); }
CUCC_MATH int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
CUCC_MATH int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
CUCC_MATH unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
CUCC_MATH unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++) r |= ((x >> i) & 1u) << (31 - i);
  return r;
}

template <class T> CUCC_MATH T __ldg(const T *p) { return *p; }
template <class T> CUCC_MATH T __ldcs(const T *p) { return *p; }
template <class T> CUCC_MATH T __ldcg(const T *p) { return *p; }
template <class T> CUCC_MATH void __stcs(T *p, T v) { *p = v; }

/* Ticks of the CPU's counter. For differences within a kernel; they say nothing about a GPU. */
CUCC_MATH long long clock64(void) {
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#else
  unsigned long long t;
  asm volatile("mrs %0, cntvct_el0" : "=r"(t));
  return static_cast<long long>(t);
#endif
}

#undef CUCC_MATH
#endif

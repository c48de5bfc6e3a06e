/*
 * Numbers' bits, conversions with a rounding mode, and arithmetic with one.
 *
 * Suffixes as on the device: _rn to nearest even, _rz towards zero, _ru up, _rd down. Float results are made
 * in double and rounded to odd: the last bit says whether anything was cut off, so that rounding once more,
 * in any direction, is as good as rounding the exact value. Double results set the processor's rounding mode
 * (in the runtime).
 */
#ifndef CUCC_CONVERT_H
#define CUCC_CONVERT_H

#define CUCC_MATH static inline __attribute__((always_inline))

extern "C" {
enum cucc_operation { CUCC_SUM, CUCC_PRODUCT, CUCC_QUOTIENT, CUCC_ROOT, CUCC_FMA };
enum cucc_direction { CUCC_TO_ZERO, CUCC_UP, CUCC_DOWN };
/* a + b, a * b, a / b, sqrt(a) or a * b + c, rounded in this direction. */
double cucc_rounded(enum cucc_operation operation, enum cucc_direction direction, double a, double b,
                    double c);
}

namespace cucc {

/* No copy in memory: each would be a call that the checker judges. */
template <class To, class From> CUCC_MATH To bits(From from) { return __builtin_bit_cast(To, from); }

/* To an integer, saturating; f is whole. No number gives 0 where 32 bits meet 32, else the top bit (PTX). */
template <class T, bool Wide> CUCC_MATH T whole_to_integer(double f) {
  constexpr T top = T(T(1) << (sizeof(T) * 8 - 1));
  constexpr T low = T(-1) < T(0) ? top : T(0), high = static_cast<T>(~low);
  if (f != f) return Wide || sizeof(T) == 8 ? top : T(0);
  if (f >= static_cast<double>(high)) return high;
  return f <= static_cast<double>(low) ? low : static_cast<T>(f);
}
template <class T> CUCC_MATH T to_integer(float f) { return whole_to_integer<T, false>(f); }
template <class T> CUCC_MATH T to_integer(double f) { return whole_to_integer<T, true>(f); }

/* An integer as a double; of a large one, the bits that do not fit are jammed into the last that does. */
template <class T> CUCC_MATH double odd_double(T v) {
  const bool negative = v < T(0);
  unsigned long long u = static_cast<unsigned long long>(v);
  if (negative) u = 0ull - u;
  if (u >> 53) u = (u & ~0x7ffull) | ((u & 0x7ffu) ? 0x800u : 0u);
  return negative ? -static_cast<double>(u) : static_cast<double>(u);
}

/* A double as a float, rounded to odd. */
CUCC_MATH float odd_float(double d) {
  const float f = static_cast<float>(d);
  const double back = f;
  if (back == d || d != d) return f;
  unsigned u = bits<unsigned>(f);
  if (back > d ? d > 0 : d < 0) u--; /* towards zero */
  return bits<float>(u | 1u);
}

/* a * b + c, rounded to odd, where a * b is exact as a double. What the sum loses is found by the usual six
 * operations (Knuth). */
CUCC_MATH double odd_fma(double a, double b, double c) {
  const double p = a * b, s = p + c, t = s - p, lost = (p - (s - t)) + (c - t);
  const unsigned long long u = bits<unsigned long long>(s);
  if (!(lost == lost) || lost == 0 || (u & 1)) return s;
  return bits<double>((lost > 0) == (s > 0) ? u + 1 : u - 1);
}

CUCC_MATH float float_up(double d) {
  const float f = static_cast<float>(d);
  return static_cast<double>(f) < d ? nextafterf(f, __builtin_inff()) : f;
}
CUCC_MATH float float_down(double d) {
  const float f = static_cast<float>(d);
  return static_cast<double>(f) > d ? nextafterf(f, -__builtin_inff()) : f;
}
CUCC_MATH float float_to_zero(double d) { return d > 0 ? float_down(d) : float_up(d); }

/* A 64-bit integer as a double, in a direction. */
template <class T> CUCC_MATH double double_up(T v) {
  const double d = static_cast<double>(v);
  return static_cast<__int128>(d) < v ? nextafter(d, __builtin_inf()) : d;
}
template <class T> CUCC_MATH double double_down(T v) {
  const double d = static_cast<double>(v);
  return static_cast<__int128>(d) > v ? nextafter(d, -__builtin_inf()) : d;
}

} // namespace cucc

CUCC_MATH int __float_as_int(float x) { return ::cucc::bits<int>(x); }
CUCC_MATH unsigned __float_as_uint(float x) { return ::cucc::bits<unsigned>(x); }
CUCC_MATH float __int_as_float(int x) { return ::cucc::bits<float>(x); }
CUCC_MATH float __uint_as_float(unsigned x) { return ::cucc::bits<float>(x); }
CUCC_MATH long long __double_as_longlong(double x) { return ::cucc::bits<long long>(x); }
CUCC_MATH double __longlong_as_double(long long x) { return ::cucc::bits<double>(x); }
CUCC_MATH int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
CUCC_MATH int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
CUCC_MATH double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(high) << 32 | static_cast<unsigned>(low)));
}

#define CUCC_TO_INTEGER(NAME, T)                                                                             \
  CUCC_MATH T __float2##NAME##_rn(float x) { return ::cucc::to_integer<T>(rintf(x)); }                       \
  CUCC_MATH T __float2##NAME##_rz(float x) { return ::cucc::to_integer<T>(truncf(x)); }                      \
  CUCC_MATH T __float2##NAME##_ru(float x) { return ::cucc::to_integer<T>(ceilf(x)); }                       \
  CUCC_MATH T __float2##NAME##_rd(float x) { return ::cucc::to_integer<T>(floorf(x)); }                      \
  CUCC_MATH T __double2##NAME##_rn(double x) { return ::cucc::to_integer<T>(rint(x)); }                      \
  CUCC_MATH T __double2##NAME##_rz(double x) { return ::cucc::to_integer<T>(trunc(x)); }                     \
  CUCC_MATH T __double2##NAME##_ru(double x) { return ::cucc::to_integer<T>(ceil(x)); }                      \
  CUCC_MATH T __double2##NAME##_rd(double x) { return ::cucc::to_integer<T>(floor(x)); }                     \
  CUCC_MATH float __##NAME##2float_rn(T x) { return static_cast<float>(x); }                                 \
  CUCC_MATH float __##NAME##2float_rz(T x) { return ::cucc::float_to_zero(::cucc::odd_double(x)); }          \
  CUCC_MATH float __##NAME##2float_ru(T x) { return ::cucc::float_up(::cucc::odd_double(x)); }               \
  CUCC_MATH float __##NAME##2float_rd(T x) { return ::cucc::float_down(::cucc::odd_double(x)); }
CUCC_TO_INTEGER(int, int)
CUCC_TO_INTEGER(uint, unsigned)
CUCC_TO_INTEGER(ll, long long)
CUCC_TO_INTEGER(ull, unsigned long long)
#undef CUCC_TO_INTEGER

#define CUCC_TO_DOUBLE(NAME, T)                                                                              \
  CUCC_MATH double __##NAME##2double_rn(T x) { return static_cast<double>(x); }                              \
  CUCC_MATH double __##NAME##2double_ru(T x) { return ::cucc::double_up(x); }                                \
  CUCC_MATH double __##NAME##2double_rd(T x) { return ::cucc::double_down(x); }                              \
  CUCC_MATH double __##NAME##2double_rz(T x) { return x < 0 ? ::cucc::double_up(x) : ::cucc::double_down(x); }
CUCC_TO_DOUBLE(ll, long long)
CUCC_TO_DOUBLE(ull, unsigned long long)
#undef CUCC_TO_DOUBLE
CUCC_MATH double __int2double_rn(int x) { return x; }
CUCC_MATH double __uint2double_rn(unsigned x) { return x; }

CUCC_MATH float __double2float_rn(double x) { return static_cast<float>(x); }
CUCC_MATH float __double2float_rz(double x) { return ::cucc::float_to_zero(x); }
CUCC_MATH float __double2float_ru(double x) { return ::cucc::float_up(x); }
CUCC_MATH float __double2float_rd(double x) { return ::cucc::float_down(x); }

/* Arithmetic. A quotient or root of floats, if not exact, is
   farther from any float than double's last bit. */
#define CUCC_DIRECTED(NAME, PARAMETERS, NEAREST, EXACT)                                                      \
  CUCC_MATH float NAME##_rn PARAMETERS { return NEAREST; }                                                   \
  CUCC_MATH float NAME##_rz PARAMETERS { return ::cucc::float_to_zero(EXACT); }                              \
  CUCC_MATH float NAME##_ru PARAMETERS { return ::cucc::float_up(EXACT); }                                   \
  CUCC_MATH float NAME##_rd PARAMETERS { return ::cucc::float_down(EXACT); }
CUCC_DIRECTED(__fadd, (float a, float b), a + b, ::cucc::odd_fma(a, 1, b))
CUCC_DIRECTED(__fsub, (float a, float b), a - b, ::cucc::odd_fma(a, 1, -b))
CUCC_DIRECTED(__fmul, (float a, float b), a *b, static_cast<double>(a) * b)
CUCC_DIRECTED(__fdiv, (float a, float b), a / b, static_cast<double>(a) / b)
CUCC_DIRECTED(__frcp, (float a), 1.0f / a, 1.0 / a)
CUCC_DIRECTED(__fsqrt, (float a), sqrtf(a), sqrt(static_cast<double>(a)))
CUCC_DIRECTED(__fmaf, (float a, float b, float c), fmaf(a, b, c), ::cucc::odd_fma(a, b, c))
#undef CUCC_DIRECTED
CUCC_MATH float __frsqrt_rn(float a) { return static_cast<float>(1.0 / sqrt(static_cast<double>(a))); }

#define CUCC_DIRECTED(NAME, PARAMETERS, NEAREST, OPERATION, ...)                                             \
  CUCC_MATH double NAME##_rn PARAMETERS { return NEAREST; }                                                  \
  CUCC_MATH double NAME##_rz PARAMETERS { return cucc_rounded(OPERATION, CUCC_TO_ZERO, __VA_ARGS__); }       \
  CUCC_MATH double NAME##_ru PARAMETERS { return cucc_rounded(OPERATION, CUCC_UP, __VA_ARGS__); }            \
  CUCC_MATH double NAME##_rd PARAMETERS { return cucc_rounded(OPERATION, CUCC_DOWN, __VA_ARGS__); }
CUCC_DIRECTED(__dadd, (double a, double b), a + b, CUCC_SUM, a, b, 0)
CUCC_DIRECTED(__dsub, (double a, double b), a - b, CUCC_SUM, a, -b, 0)
CUCC_DIRECTED(__dmul, (double a, double b), a *b, CUCC_PRODUCT, a, b, 0)
CUCC_DIRECTED(__ddiv, (double a, double b), a / b, CUCC_QUOTIENT, a, b, 0)
CUCC_DIRECTED(__drcp, (double a), 1.0 / a, CUCC_QUOTIENT, 1.0, a, 0)
CUCC_DIRECTED(__dsqrt, (double a), sqrt(a), CUCC_ROOT, a, 0, 0)
CUCC_DIRECTED(__fma, (double a, double b, double c), fma(a, b, c), CUCC_FMA, a, b, c)
#undef CUCC_DIRECTED

#undef CUCC_MATH
#endif

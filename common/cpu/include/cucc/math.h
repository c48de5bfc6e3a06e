/* CUDA's mathematical functions beyond the C library's. The fast intrinsics (__sinf …) are as
 * coarse as on a GPU: runtime/base/fast_math.c. They are macros because the C library declares functions of
 * these names. What else is more than a line is in runtime/base/functions.c. */
#ifndef CUCC_MATH_H
#define CUCC_MATH_H

#define CUCC_MATH static inline __attribute__((always_inline))

/* glibc has some of these functions under C23's names: 2.41 sinpi and cospi, 2.42 rsqrt. */
#if defined(__GLIBC_PREREQ)
#define CUCC_LIBRARY_HAS(MINOR) __GLIBC_PREREQ(2, MINOR)
#else
#define CUCC_LIBRARY_HAS(MINOR) 0
#endif

extern "C" {
double cucc_sinpi(double x);
double cucc_cospi(double x);
double cucc_erfinv(double x);
double cucc_erfcinv(double x);
double cucc_erfcx(double x);
double cucc_normcdf(double x);
double cucc_normcdfinv(double x);
double cucc_cyl_bessel_i(int order, double x);
double cucc_norm(double a, double b, double c, double d);
double cucc_norm_of(int count, const double *values);
float cucc_fast_sin(float x);
float cucc_fast_cos(float x);
float cucc_fast_tan(float x);
float cucc_fast_tanh(float x);
float cucc_fast_exp(float x);
float cucc_fast_exp10(float x);
float cucc_fast_log(float x);
float cucc_fast_log2(float x);
float cucc_fast_log10(float x);
float cucc_fast_pow(float x, float y);
float cucc_fast_divide(float a, float b);
}

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
/* of mixed types, the unsigned or the longer one */
#define CUCC_MIN_MAX(A, B, T)                                                                                \
  CUCC_MATH T min(A a, B b) { return min(static_cast<T>(a), static_cast<T>(b)); }                            \
  CUCC_MATH T max(A a, B b) { return max(static_cast<T>(a), static_cast<T>(b)); }                            \
  CUCC_MATH T min(B a, A b) { return min(static_cast<T>(a), static_cast<T>(b)); }                            \
  CUCC_MATH T max(B a, A b) { return max(static_cast<T>(a), static_cast<T>(b)); }
CUCC_MIN_MAX(int, unsigned, unsigned)
CUCC_MIN_MAX(long, unsigned long, unsigned long)
CUCC_MIN_MAX(long long, unsigned long long, unsigned long long)
#undef CUCC_MIN_MAX
CUCC_MATH unsigned umin(unsigned a, unsigned b) { return min(a, b); }
CUCC_MATH unsigned umax(unsigned a, unsigned b) { return max(a, b); }
CUCC_MATH long long llmin(long long a, long long b) { return min(a, b); }
CUCC_MATH long long llmax(long long a, long long b) { return max(a, b); }
CUCC_MATH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
CUCC_MATH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

/* NAME(double), NAMEf(float), and NAME(float); floats are computed as doubles and rounded. */
#define CUCC_FUNCTION(NAME, EXPRESSION)                                                                      \
  CUCC_MATH double NAME(double x) { return EXPRESSION; }                                                     \
  CUCC_MATH float NAME##f(float a) {                                                                         \
    const double x = a;                                                                                      \
    return static_cast<float>(EXPRESSION);                                                                   \
  }                                                                                                          \
  CUCC_MATH float NAME(float a) { return NAME##f(a); }
#if !CUCC_LIBRARY_HAS(42)
CUCC_MATH double rsqrt(double x) { return 1.0 / sqrt(x); }
CUCC_MATH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
CUCC_MATH float rsqrt(float x) { return 1.0f / sqrtf(x); }
#endif
#if !CUCC_LIBRARY_HAS(41)
CUCC_FUNCTION(sinpi, cucc_sinpi(x))
CUCC_FUNCTION(cospi, cucc_cospi(x))
#endif
CUCC_FUNCTION(rcbrt, 1.0 / cbrt(x))
CUCC_FUNCTION(erfinv, cucc_erfinv(x))
CUCC_FUNCTION(erfcinv, cucc_erfcinv(x))
CUCC_FUNCTION(erfcx, cucc_erfcx(x))
CUCC_FUNCTION(normcdf, cucc_normcdf(x))
CUCC_FUNCTION(normcdfinv, cucc_normcdfinv(x))
CUCC_FUNCTION(cyl_bessel_i0, cucc_cyl_bessel_i(0, x))
CUCC_FUNCTION(cyl_bessel_i1, cucc_cyl_bessel_i(1, x))
#undef CUCC_FUNCTION
CUCC_MATH float exp10(float x) { return exp10f(x); }

CUCC_MATH double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
CUCC_MATH float rhypotf(float a, float b) { return static_cast<float>(1.0 / hypot(a, b)); }
CUCC_MATH double norm3d(double a, double b, double c) { return cucc_norm(a, b, c, 0); }
CUCC_MATH double norm4d(double a, double b, double c, double d) { return cucc_norm(a, b, c, d); }
CUCC_MATH double rnorm3d(double a, double b, double c) { return 1.0 / cucc_norm(a, b, c, 0); }
CUCC_MATH double rnorm4d(double a, double b, double c, double d) { return 1.0 / cucc_norm(a, b, c, d); }
CUCC_MATH float norm3df(float a, float b, float c) { return static_cast<float>(cucc_norm(a, b, c, 0)); }
CUCC_MATH float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(cucc_norm(a, b, c, d));
}
CUCC_MATH float rnorm3df(float a, float b, float c) {
  return static_cast<float>(1.0 / cucc_norm(a, b, c, 0));
}
CUCC_MATH float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(1.0 / cucc_norm(a, b, c, d));
}
CUCC_MATH double norm(int count, const double *values) { return cucc_norm_of(count, values); }
CUCC_MATH double rnorm(int count, const double *values) { return 1.0 / cucc_norm_of(count, values); }
CUCC_MATH float normf(int count, const float *values) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += static_cast<double>(values[i]) * values[i];
  return static_cast<float>(sqrt(sum));
}
CUCC_MATH float rnormf(int count, const float *values) { return 1.0f / normf(count, values); }

CUCC_MATH void sincospi(double x, double *s, double *c) {
  *s = cucc_sinpi(x);
  *c = cucc_cospi(x);
}
CUCC_MATH void sincospif(float x, float *s, float *c) {
  *s = static_cast<float>(cucc_sinpi(x));
  *c = static_cast<float>(cucc_cospi(x));
}
CUCC_MATH float fdividef(float a, float b) { return a / b; }

CUCC_MATH void cucc_fast_sincos(float x, float *s, float *c) {
  *s = cucc_fast_sin(x);
  *c = cucc_fast_cos(x);
}

#define __sinf(x)          (cucc_fast_sin(x))
#define __cosf(x)          (cucc_fast_cos(x))
#define __tanf(x)          (cucc_fast_tan(x))
#define __tanhf(x)         (cucc_fast_tanh(x))
#define __expf(x)          (cucc_fast_exp(x))
#define __exp10f(x)        (cucc_fast_exp10(x))
#define __logf(x)          (cucc_fast_log(x))
#define __log2f(x)         (cucc_fast_log2(x))
#define __log10f(x)        (cucc_fast_log10(x))
#define __powf(x, y)       (cucc_fast_pow((x), (y)))
#define __sincosf(x, s, c) (cucc_fast_sincos((x), (s), (c)))
#define __saturatef(x)     (::fminf(::fmaxf((x), 0.0f), 1.0f))
#define __fdividef(a, b)   (cucc_fast_divide((a), (b)))

#undef CUCC_MATH
#endif

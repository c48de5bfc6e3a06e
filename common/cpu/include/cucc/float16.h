/*
 * What __half and __nv_bfloat16 have in common: the types themselves, arithmetic, comparisons and functions,
 * of single values and of pairs. It has no include guard: cuda_fp16.h and cuda_bf16.h include it once each
 * and say
 *
 *   CUCC_H CUCC_H2            the types of one value and of two
 *   CUCC_H_RAW CUCC_H2_RAW    their bits as plain structures
 *   CUCC_OTHER                the other type, whose values convert
 *   CUCC_FORMAT               how it rounds: a struct of cucc/round16.h
 *
 * Values are computed as float and then rounded once more. Float has at least twice their digits and two
 * more, so sums, products, quotients and roots come out as if rounded once.
 */
#define CUCC_FN static inline __attribute__((always_inline))

typedef struct CUCC_ALIGNED(2) {
  unsigned short x;
} CUCC_H_RAW;
typedef struct CUCC_ALIGNED(4) {
  unsigned short x, y;
} CUCC_H2_RAW;

struct CUCC_OTHER;
struct CUCC_ALIGNED(2) CUCC_H {
  unsigned short __x;
  CUCC_H() = default;
  constexpr CUCC_H(const CUCC_H_RAW &raw) : __x(raw.x) {}
  operator CUCC_H_RAW() const { return {__x}; }
  CUCC_H(float f) : __x(::cucc::CUCC_FORMAT::narrow(f)) {}
  CUCC_H(double d) : __x(::cucc::narrow<::cucc::CUCC_FORMAT>(d)) {}
  explicit CUCC_H(const CUCC_OTHER &other); /* in cuda_bf16.h, where both are known */
  operator float() const { return ::cucc::CUCC_FORMAT::widen(__x); }
  operator bool() const { return (__x & 0x7fffu) != 0; }
#define CUCC_INTEGER(T)                                                                                      \
  CUCC_H(T v) : __x(::cucc::narrow<::cucc::CUCC_FORMAT>(::cucc::odd_double(v))) {}                           \
  operator T() const { return ::cucc::to_integer<T>(truncf(::cucc::CUCC_FORMAT::widen(__x))); }
  CUCC_INTEGER(short)
  CUCC_INTEGER(unsigned short)
  CUCC_INTEGER(int)
  CUCC_INTEGER(unsigned)
  CUCC_INTEGER(long)
  CUCC_INTEGER(unsigned long)
  CUCC_INTEGER(long long)
  CUCC_INTEGER(unsigned long long)
#undef CUCC_INTEGER
  operator char() const { return ::cucc::to_integer<char>(truncf(float(*this))); }
  operator signed char() const { return ::cucc::to_integer<signed char>(truncf(float(*this))); }
  operator unsigned char() const { return ::cucc::to_integer<unsigned char>(truncf(float(*this))); }
};

struct CUCC_ALIGNED(4) CUCC_H2 {
  CUCC_H x, y;
  CUCC_H2() = default;
  CUCC_H2(const CUCC_H &a, const CUCC_H &b) : x(a), y(b) {}
  CUCC_H2(const CUCC_H2_RAW &raw) : x(CUCC_H_RAW{raw.x}), y(CUCC_H_RAW{raw.y}) {}
  operator CUCC_H2_RAW() const { return {x.__x, y.__x}; }
};

/* ---------------------------------------------------------------------------------- arithmetic */

CUCC_FN CUCC_H __hadd(CUCC_H a, CUCC_H b) { return CUCC_H(float(a) + float(b)); }
CUCC_FN CUCC_H __hsub(CUCC_H a, CUCC_H b) { return CUCC_H(float(a) - float(b)); }
CUCC_FN CUCC_H __hmul(CUCC_H a, CUCC_H b) { return CUCC_H(float(a) * float(b)); }
CUCC_FN CUCC_H __hdiv(CUCC_H a, CUCC_H b) { return CUCC_H(float(a) / float(b)); }
CUCC_FN CUCC_H __hfma(CUCC_H a, CUCC_H b, CUCC_H c) {
  return CUCC_H(::cucc::odd_fma(float(a), float(b), float(c)));
}
CUCC_FN CUCC_H __hneg(CUCC_H a) { return CUCC_H_RAW{static_cast<unsigned short>(a.__x ^ 0x8000u)}; }
CUCC_FN CUCC_H __habs(CUCC_H a) { return CUCC_H_RAW{static_cast<unsigned short>(a.__x & 0x7fffu)}; }
CUCC_FN bool __hisnan(CUCC_H a) { return float(a) != float(a); }
CUCC_FN int __hisinf(CUCC_H a) { return isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0; }

namespace cucc {
CUCC_FN CUCC_H saturated(CUCC_H a) { return CUCC_H(fminf(fmaxf(float(a), 0.0f), 1.0f)); } /* NaN gives 0 */
CUCC_FN CUCC_H not_negative(CUCC_H a) { return __hisnan(a) || float(a) > 0 ? a : CUCC_H(0.0f); }
} // namespace cucc

CUCC_FN CUCC_H __hadd_rn(CUCC_H a, CUCC_H b) { return __hadd(a, b); }
CUCC_FN CUCC_H __hsub_rn(CUCC_H a, CUCC_H b) { return __hsub(a, b); }
CUCC_FN CUCC_H __hmul_rn(CUCC_H a, CUCC_H b) { return __hmul(a, b); }
CUCC_FN CUCC_H __hadd_sat(CUCC_H a, CUCC_H b) { return ::cucc::saturated(__hadd(a, b)); }
CUCC_FN CUCC_H __hsub_sat(CUCC_H a, CUCC_H b) { return ::cucc::saturated(__hsub(a, b)); }
CUCC_FN CUCC_H __hmul_sat(CUCC_H a, CUCC_H b) { return ::cucc::saturated(__hmul(a, b)); }
CUCC_FN CUCC_H __hfma_sat(CUCC_H a, CUCC_H b, CUCC_H c) { return ::cucc::saturated(__hfma(a, b, c)); }
CUCC_FN CUCC_H __hfma_relu(CUCC_H a, CUCC_H b, CUCC_H c) { return ::cucc::not_negative(__hfma(a, b, c)); }

/* Of a number and no number the number; of two zeros, max takes +0 and min -0. */
CUCC_FN CUCC_H __hmax(CUCC_H a, CUCC_H b) {
  if (__hisnan(a) || __hisnan(b)) return CUCC_H(__hisnan(a) ? float(b) : float(a));
  if (float(a) == 0 && float(b) == 0) return a.__x ? b : a;
  return float(a) < float(b) ? b : a;
}
CUCC_FN CUCC_H __hmin(CUCC_H a, CUCC_H b) {
  if (__hisnan(a) || __hisnan(b)) return CUCC_H(__hisnan(a) ? float(b) : float(a));
  if (float(a) == 0 && float(b) == 0) return a.__x ? a : b;
  return float(b) < float(a) ? b : a;
}
CUCC_FN CUCC_H __hmax_nan(CUCC_H a, CUCC_H b) {
  return __hisnan(a) || __hisnan(b) ? CUCC_H(float(a) + float(b)) : __hmax(a, b);
}
CUCC_FN CUCC_H __hmin_nan(CUCC_H a, CUCC_H b) {
  return __hisnan(a) || __hisnan(b) ? CUCC_H(float(a) + float(b)) : __hmin(a, b);
}

/* ---------------------------------------------------------------------------------- pairs, value by value */

#define CUCC_PAIRS_1(NAME, ONE)                                                                              \
  CUCC_FN CUCC_H2 NAME(CUCC_H2 a) { return CUCC_H2(ONE(a.x), ONE(a.y)); }
#define CUCC_PAIRS_2(NAME, ONE)                                                                              \
  CUCC_FN CUCC_H2 NAME(CUCC_H2 a, CUCC_H2 b) { return CUCC_H2(ONE(a.x, b.x), ONE(a.y, b.y)); }
#define CUCC_PAIRS_3(NAME, ONE)                                                                              \
  CUCC_FN CUCC_H2 NAME(CUCC_H2 a, CUCC_H2 b, CUCC_H2 c) {                                                    \
    return CUCC_H2(ONE(a.x, b.x, c.x), ONE(a.y, b.y, c.y));                                                  \
  }
CUCC_PAIRS_1(__hneg2, __hneg)
CUCC_PAIRS_1(__habs2, __habs)
CUCC_PAIRS_2(__hadd2, __hadd)
CUCC_PAIRS_2(__hsub2, __hsub)
CUCC_PAIRS_2(__hmul2, __hmul)
CUCC_PAIRS_2(__h2div, __hdiv)
CUCC_PAIRS_2(__hadd2_rn, __hadd)
CUCC_PAIRS_2(__hsub2_rn, __hsub)
CUCC_PAIRS_2(__hmul2_rn, __hmul)
CUCC_PAIRS_2(__hadd2_sat, __hadd_sat)
CUCC_PAIRS_2(__hsub2_sat, __hsub_sat)
CUCC_PAIRS_2(__hmul2_sat, __hmul_sat)
CUCC_PAIRS_2(__hmax2, __hmax)
CUCC_PAIRS_2(__hmin2, __hmin)
CUCC_PAIRS_2(__hmax2_nan, __hmax_nan)
CUCC_PAIRS_2(__hmin2_nan, __hmin_nan)
CUCC_PAIRS_3(__hfma2, __hfma)
CUCC_PAIRS_3(__hfma2_sat, __hfma_sat)
CUCC_PAIRS_3(__hfma2_relu, __hfma_relu)
CUCC_FN CUCC_H2 __hisnan2(CUCC_H2 a) {
  return CUCC_H2(CUCC_H(__hisnan(a.x) ? 1.0f : 0.0f), CUCC_H(__hisnan(a.y) ? 1.0f : 0.0f));
}

/* ---------------------------------------------------------------------------------- comparisons */

/* Ordered: false when one is no number; the second form, unordered: then true. Of pairs: 1 and 0 in each
 * half, both at once, or masks of 16 bits. */
#define CUCC_COMPARE(NAME, OPERATOR)                                                                         \
  CUCC_FN bool __h##NAME(CUCC_H a, CUCC_H b) { return float(a) OPERATOR float(b); }                          \
  CUCC_FN bool __h##NAME##u(CUCC_H a, CUCC_H b) {                                                            \
    return __hisnan(a) || __hisnan(b) || float(a) OPERATOR float(b);                                         \
  }                                                                                                          \
  CUCC_FN CUCC_H2 __h##NAME##2(CUCC_H2 a, CUCC_H2 b) {                                                       \
    return CUCC_H2(CUCC_H(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), CUCC_H(__h##NAME(a.y, b.y) ? 1.0f : 0.0f));    \
  }                                                                                                          \
  CUCC_FN CUCC_H2 __h##NAME##u2(CUCC_H2 a, CUCC_H2 b) {                                                      \
    return CUCC_H2(CUCC_H(__h##NAME##u(a.x, b.x) ? 1.0f : 0.0f),                                             \
                   CUCC_H(__h##NAME##u(a.y, b.y) ? 1.0f : 0.0f));                                            \
  }                                                                                                          \
  CUCC_FN bool __hb##NAME##2(CUCC_H2 a, CUCC_H2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); }    \
  CUCC_FN bool __hb##NAME##u2(CUCC_H2 a, CUCC_H2 b) {                                                        \
    return __h##NAME##u(a.x, b.x) && __h##NAME##u(a.y, b.y);                                                 \
  }                                                                                                          \
  CUCC_FN unsigned __h##NAME##2_mask(CUCC_H2 a, CUCC_H2 b) {                                                 \
    return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u);                  \
  }                                                                                                          \
  CUCC_FN bool operator OPERATOR(const CUCC_H &a, const CUCC_H &b) { return __h##NAME(a, b); }               \
  CUCC_FN bool operator OPERATOR(const CUCC_H2 &a, const CUCC_H2 &b) { return __hb##NAME##2(a, b); }
CUCC_COMPARE(eq, ==)
CUCC_COMPARE(lt, <)
CUCC_COMPARE(le, <=)
CUCC_COMPARE(gt, >)
CUCC_COMPARE(ge, >=)
#undef CUCC_COMPARE
CUCC_FN bool __hne(CUCC_H a, CUCC_H b) { return float(a) < float(b) || float(a) > float(b); }
CUCC_FN bool __hneu(CUCC_H a, CUCC_H b) { return float(a) != float(b); }
CUCC_FN bool __hbne2(CUCC_H2 a, CUCC_H2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
CUCC_FN bool __hbneu2(CUCC_H2 a, CUCC_H2 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }
CUCC_FN CUCC_H2 __hne2(CUCC_H2 a, CUCC_H2 b) {
  return CUCC_H2(CUCC_H(__hne(a.x, b.x) ? 1.0f : 0.0f), CUCC_H(__hne(a.y, b.y) ? 1.0f : 0.0f));
}
CUCC_FN bool operator!=(const CUCC_H &a, const CUCC_H &b) { return __hneu(a, b); }
CUCC_FN bool operator!=(const CUCC_H2 &a, const CUCC_H2 &b) { return __hbneu2(a, b); }

/* ---------------------------------------------------------------------------------- operators */

#define CUCC_OPERATOR(OPERATOR, ONE, PAIR)                                                                   \
  CUCC_FN CUCC_H operator OPERATOR(const CUCC_H &a, const CUCC_H &b) { return ONE(a, b); }                   \
  CUCC_FN CUCC_H &operator OPERATOR##=(CUCC_H &a, const CUCC_H &b) { return a = ONE(a, b); }                 \
  CUCC_FN CUCC_H2 operator OPERATOR(const CUCC_H2 &a, const CUCC_H2 &b) { return PAIR(a, b); }               \
  CUCC_FN CUCC_H2 &operator OPERATOR##=(CUCC_H2 &a, const CUCC_H2 &b) { return a = PAIR(a, b); }
CUCC_OPERATOR(+, __hadd, __hadd2)
CUCC_OPERATOR(-, __hsub, __hsub2)
CUCC_OPERATOR(*, __hmul, __hmul2)
CUCC_OPERATOR(/, __hdiv, __h2div)
#undef CUCC_OPERATOR
CUCC_FN CUCC_H operator+(const CUCC_H &a) { return a; }
CUCC_FN CUCC_H operator-(const CUCC_H &a) { return __hneg(a); }
CUCC_FN CUCC_H2 operator+(const CUCC_H2 &a) { return a; }
CUCC_FN CUCC_H2 operator-(const CUCC_H2 &a) { return __hneg2(a); }
CUCC_FN CUCC_H &operator++(CUCC_H &a) { return a = __hadd(a, CUCC_H(1.0f)); }
CUCC_FN CUCC_H &operator--(CUCC_H &a) { return a = __hsub(a, CUCC_H(1.0f)); }
CUCC_FN CUCC_H operator++(CUCC_H &a, int) {
  const CUCC_H old = a;
  ++a;
  return old;
}
CUCC_FN CUCC_H operator--(CUCC_H &a, int) {
  const CUCC_H old = a;
  --a;
  return old;
}

/* ---------------------------------------------------------------------------------- functions */

#define CUCC_FUNCTION(NAME, FLOAT)                                                                           \
  CUCC_FN CUCC_H h##NAME(CUCC_H a) { return CUCC_H(FLOAT); }                                                 \
  CUCC_PAIRS_1(h2##NAME, h##NAME)
CUCC_FUNCTION(sqrt, sqrtf(float(a)))
CUCC_FUNCTION(rsqrt, 1.0 / sqrt(double(float(a))))
CUCC_FUNCTION(rcp, 1.0f / float(a))
CUCC_FUNCTION(exp, expf(float(a)))
CUCC_FUNCTION(exp2, exp2f(float(a)))
CUCC_FUNCTION(exp10, powf(10.0f, float(a)))
CUCC_FUNCTION(log, logf(float(a)))
CUCC_FUNCTION(log2, log2f(float(a)))
CUCC_FUNCTION(log10, log10f(float(a)))
CUCC_FUNCTION(sin, sinf(float(a)))
CUCC_FUNCTION(cos, cosf(float(a)))
CUCC_FUNCTION(tanh, tanhf(float(a)))
CUCC_FUNCTION(ceil, ceilf(float(a)))
CUCC_FUNCTION(floor, floorf(float(a)))
CUCC_FUNCTION(trunc, truncf(float(a)))
CUCC_FUNCTION(rint, rintf(float(a)))
#undef CUCC_FUNCTION
#undef CUCC_PAIRS_1
#undef CUCC_PAIRS_2
#undef CUCC_PAIRS_3

/* --------------------------------------------------------------------------------- pairs and their halves */

CUCC_FN float __low2float(CUCC_H2 a) { return float(a.x); }
CUCC_FN float __high2float(CUCC_H2 a) { return float(a.y); }
CUCC_FN CUCC_H2 __lowhigh2highlow(CUCC_H2 a) { return CUCC_H2(a.y, a.x); }

/* ---------------------------------------------------------------------------------- warps and atomics */

CUCC_SHUFFLES(CUCC_H)
CUCC_SHUFFLES(CUCC_H2)
CUCC_ATOMIC_ADD_BY_CAS(CUCC_H, unsigned short)
CUCC_ATOMIC_ADD_BY_CAS(CUCC_H2, unsigned)

#undef CUCC_FN
#undef CUCC_H
#undef CUCC_H2
#undef CUCC_H_RAW
#undef CUCC_H2_RAW
#undef CUCC_OTHER
#undef CUCC_FORMAT

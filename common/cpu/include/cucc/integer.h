/* Integer intrinsics: bits, high halves of products, averages, dot products, and arithmetic on the bytes and
 * half-words of a register. */
#ifndef CUCC_INTEGER_H
#define CUCC_INTEGER_H

#define CUCC_INT static inline __attribute__((always_inline))

CUCC_INT int __popc(unsigned x) { return __builtin_popcount(x); }
CUCC_INT int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUCC_INT int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
CUCC_INT int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
CUCC_INT int __ffs(int x) { return __builtin_ffs(x); }
CUCC_INT int __ffsll(long long x) { return __builtin_ffsll(x); }

CUCC_INT unsigned long long __brevll(unsigned long long x) {
  x = (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
  x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
  return __builtin_bswap64(x);
}
CUCC_INT unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }

/* The bytes of y:x that the four low digits of s name; with digit 8 and more, the byte's sign eight times. */
CUCC_INT unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) r |= static_cast<unsigned>(both >> (s >> 4 * i & 7u) * 8 & 0xffu) << 8 * i;
  return r;
}

/* high:low shifted: its upper word to the left, its lower word to the right; l: modulo 32, lc: at most 32. */
CUCC_INT unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31u) >> 32);
}
CUCC_INT unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
CUCC_INT unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31u));
}
CUCC_INT unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
/* The n-th set bit of mask from `base` on (n > 0) or down from it (n < 0); all ones when there is none. */
CUCC_INT unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return base < 32 && (mask >> base & 1u) ? base : 0xffffffffu;
  for (int bit = static_cast<int>(base), left = n > 0 ? n : -n; bit >= 0 && bit<32; bit += n> 0 ? 1 : -1)
    if ((mask >> bit & 1u) && --left == 0) return static_cast<unsigned>(bit);
  return 0xffffffffu;
}

CUCC_INT int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(a) << 8) >> 8) *
                          static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(b) << 8) >> 8));
}
CUCC_INT unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
CUCC_INT int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
CUCC_INT unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
CUCC_INT long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
CUCC_INT unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
CUCC_INT unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
CUCC_INT unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                : static_cast<unsigned>(b) - static_cast<unsigned>(a)) +
         c;
}
CUCC_INT int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
CUCC_INT int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
CUCC_INT unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
CUCC_INT unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

/* ---------------------------------------------------------------------------- parts of a register */

namespace cucc {

CUCC_INT int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

} // namespace cucc

/* __vadd4 for four bytes, __vadd2 for two half-words: EXPRESSION of the parts x and y, cut to a part; `s` and
 * `u` in a name: signed and unsigned parts. No templates: each file would instantiate all of them. */
#define CUCC_PARTS_OF(NAME, T, EXPRESSION)                                                                   \
  CUCC_INT unsigned NAME(unsigned a, unsigned b) {                                                           \
    typedef T part;                                                                                          \
    constexpr int width = 8 * sizeof(part);                                                                  \
    [[maybe_unused]] constexpr int low = part(-1) < part(0) ? -(1 << (width - 1)) : 0;                       \
    [[maybe_unused]] constexpr int high = low + ((1 << width) - 1);                                          \
    unsigned result = 0;                                                                                     \
    for (int at = 0; at < 32; at += width) {                                                                 \
      const int x = part(a >> at), y = part(b >> at);                                                        \
      result |= (static_cast<unsigned>(EXPRESSION) & ((1u << width) - 1u)) << at;                            \
    }                                                                                                        \
    return result;                                                                                           \
  }
#define CUCC_SIGNED(NAME, EXPRESSION)                                                                        \
  CUCC_PARTS_OF(NAME##4, signed char, EXPRESSION)                                                            \
  CUCC_PARTS_OF(NAME##2, short, EXPRESSION)
#define CUCC_UNSIGNED(NAME, EXPRESSION)                                                                      \
  CUCC_PARTS_OF(NAME##4, unsigned char, EXPRESSION)                                                          \
  CUCC_PARTS_OF(NAME##2, unsigned short, EXPRESSION)
#define CUCC_COMPARED(NAME, OPERATOR)                                                                        \
  CUCC_SIGNED(__vcmp##NAME##s, x OPERATOR y ? -1 : 0)                                                        \
  CUCC_UNSIGNED(__vcmp##NAME##u, x OPERATOR y ? -1 : 0)                                                      \
  CUCC_SIGNED(__vset##NAME##s, x OPERATOR y)                                                                 \
  CUCC_UNSIGNED(__vset##NAME##u, x OPERATOR y)
CUCC_UNSIGNED(__vadd, x + y)
CUCC_UNSIGNED(__vsub, x - y)
CUCC_SIGNED(__vaddss, ::cucc::clamp(x + y, low, high))
CUCC_UNSIGNED(__vaddus, ::cucc::clamp(x + y, low, high))
CUCC_SIGNED(__vsubss, ::cucc::clamp(x - y, low, high))
CUCC_UNSIGNED(__vsubus, ::cucc::clamp(x - y, low, high))
CUCC_SIGNED(__vmaxs, x > y ? x : y)
CUCC_UNSIGNED(__vmaxu, x > y ? x : y)
CUCC_SIGNED(__vmins, x < y ? x : y)
CUCC_UNSIGNED(__vminu, x < y ? x : y)
CUCC_SIGNED(__vabsdiffs, x > y ? x - y : y - x)
CUCC_UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
CUCC_UNSIGNED(__vavgu, (x + y + 1) >> 1)
CUCC_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)
CUCC_UNSIGNED(__vhaddu, (x + y) >> 1)
CUCC_UNSIGNED(__vcmpeq, x == y ? -1 : 0)
CUCC_UNSIGNED(__vcmpne, x != y ? -1 : 0)
CUCC_UNSIGNED(__vseteq, x == y)
CUCC_UNSIGNED(__vsetne, x != y)
CUCC_COMPARED(gt, >)
CUCC_COMPARED(ge, >=)
CUCC_COMPARED(lt, <)
CUCC_COMPARED(le, <=)
#undef CUCC_PARTS_OF
#undef CUCC_SIGNED
#undef CUCC_UNSIGNED
#undef CUCC_COMPARED
CUCC_INT unsigned __vneg4(unsigned a) { return __vsub4(0, a); }
CUCC_INT unsigned __vneg2(unsigned a) { return __vsub2(0, a); }
CUCC_INT unsigned __vnegss4(unsigned a) { return __vsubss4(0, a); }
CUCC_INT unsigned __vnegss2(unsigned a) { return __vsubss2(0, a); }
CUCC_INT unsigned __vabs4(unsigned a) { return __vabsdiffs4(a, 0); }
CUCC_INT unsigned __vabs2(unsigned a) { return __vabsdiffs2(a, 0); }
CUCC_INT unsigned __vabsss4(unsigned a) { return __vmaxs4(a, __vnegss4(a)); }
CUCC_INT unsigned __vabsss2(unsigned a) { return __vmaxs2(a, __vnegss2(a)); }
CUCC_INT unsigned __vsadu4(unsigned a, unsigned b) {
  const unsigned d = __vabsdiffu4(a, b);
  return (d & 0xffu) + (d >> 8 & 0xffu) + (d >> 16 & 0xffu) + (d >> 24);
}
CUCC_INT unsigned __vsads4(unsigned a, unsigned b) { return __vsadu4(a ^ 0x80808080u, b ^ 0x80808080u); }
CUCC_INT unsigned __vsadu2(unsigned a, unsigned b) {
  const unsigned d = __vabsdiffu2(a, b);
  return (d & 0xffffu) + (d >> 16);
}
CUCC_INT unsigned __vsads2(unsigned a, unsigned b) { return __vsadu2(a ^ 0x80008000u, b ^ 0x80008000u); }

/* c plus the products of the bytes of a and b; of the half-words of a and the low or high bytes of b. */
CUCC_INT int __dp4a(int a, int b, int c) {
  unsigned sum = static_cast<unsigned>(c);
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<unsigned>(static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i));
  return static_cast<int>(sum);
}
CUCC_INT unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 0xffu) * (b >> i & 0xffu);
  return c;
}
CUCC_INT int __dp4a(char4 a, char4 b, int c) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c; }
CUCC_INT unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;
}
CUCC_INT int __dp2a_lo(int a, int b, int c) {
  return static_cast<short>(a) * static_cast<signed char>(b) +
         static_cast<short>(a >> 16) * static_cast<signed char>(b >> 8) + c;
}
CUCC_INT int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
CUCC_INT unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return (a & 0xffffu) * (b & 0xffu) + (a >> 16) * (b >> 8 & 0xffu) + c;
}
CUCC_INT unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }

#undef CUCC_INT
#endif

/*
 * Rounding to 16-bit floating point: exact, to nearest even unless said otherwise, with subnormal numbers, on
 * every compiler and processor.
 *
 * A format is a struct with two functions: widen(bits), exact, and narrow(float), to nearest even. All the
 * rest follows from these two and from rounding to odd (cucc/convert.h).
 */
#ifndef CUCC_ROUND16_H
#define CUCC_ROUND16_H

#define CUCC_ROUND static inline __attribute__((always_inline))

namespace cucc {

/* IEEE binary16: 5 bits of exponent, 10 of fraction. */
struct binary16 {
  static inline float widen(unsigned short bits16) {
    unsigned u = (bits16 & 0x7fffu) << 13;
    const unsigned exponent = u & 0x0f800000u;
    u += 112u << 23;
    if (exponent == 0x0f800000u) u += 112u << 23; /* infinite or no number */
    float f = bits<float>(u);
    if (exponent == 0) f = bits<float>(u + (1u << 23)) - bits<float>(113u << 23); /* subnormal */
    return bits<float>(bits<unsigned>(f) | (bits16 & 0x8000u) << 16);
  }
  static inline unsigned short narrow(float f) {
    const unsigned sign = bits<unsigned>(f) >> 16 & 0x8000u, u = bits<unsigned>(f) & 0x7fffffffu;
    if (u > 0x7f800000u) return 0x7fff;
    if (u >= 0x47800000u) return static_cast<unsigned short>(sign | 0x7c00u); /* 65536 and more */
    if (u < 0x38800000u) /* subnormal: in the sum, the last bit has the weight that it has in the result */
      return static_cast<unsigned short>(sign | (bits<unsigned>(bits<float>(u) + 0.5f) - 0x3f000000u));
    return static_cast<unsigned short>(sign | ((u - (112u << 23) + 0xfffu + (u >> 13 & 1u)) >> 13));
  }
};

/* bfloat16: the upper half of a float. */
struct bfloat16 {
  static inline float widen(unsigned short bits16) {
    return bits<float>(static_cast<unsigned>(bits16) << 16);
  }
  static inline unsigned short narrow(float f) {
    const unsigned u = bits<unsigned>(f);
    if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return static_cast<unsigned short>((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
  }
};

template <class Format> CUCC_ROUND unsigned short narrow(double d) { return Format::narrow(odd_float(d)); }

/* The nearest, or where that lies on the wrong side, its neighbour on the other. */
template <class Format> CUCC_ROUND unsigned short narrow_to_zero(float f) {
  const unsigned short h = Format::narrow(f);
  return fabsf(Format::widen(h)) > fabsf(f) ? static_cast<unsigned short>(h - 1) : h;
}
template <class Format> CUCC_ROUND unsigned short narrow_up(float f) {
  const unsigned short h = Format::narrow(f);
  return Format::widen(h) < f ? static_cast<unsigned short>(f > 0 ? h + 1 : h - 1) : h;
}
template <class Format> CUCC_ROUND unsigned short narrow_down(float f) {
  const unsigned short h = Format::narrow(f);
  return Format::widen(h) > f ? static_cast<unsigned short>(f > 0 ? h - 1 : h + 1) : h;
}

} // namespace cucc

#undef CUCC_ROUND
#endif

/*
 * Products on tensor cores are exact; sums are not rounded but cut off, group by group (16 terms of half or
 * bfloat16; 4 of TF32 in mma, 8 in wgmma). So a long sum leans towards zero, by more the longer it is. Fasi,
 * Higham, Mikaitis and Pranesh (2021) found such rules by experiment on earlier devices; the number of terms
 * and of bits here is that of an H200, of which 256000 results agree bit for bit.
 */
#include "base/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOT_FINITE INT32_MAX
#define NONE       (-1000) /* below all exponents */
#define LEAST      (-126)

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

struct tensor_factor tensor_factor(float value) {
  struct tensor_factor f = {value, 0, NONE};
  const uint32_t bits = bits_of(value), exponent = bits >> 23 & 255u;
  if (exponent == 255) {
    f.exponent = NOT_FINITE;
  } else if (exponent > 0) { /* what ilogbf and ldexpf would give, but faster */
    f.exponent = (int32_t)exponent - 127;
    f.significand = (int32_t)((bits >> 13 & 0x3ffu) | 0x400u);
    if (bits >> 31) f.significand = -f.significand;
  } else if (value != 0) {
    f.exponent = ilogbf(value);
    f.significand = (int32_t)ldexpf(value, 10 - f.exponent);
  }
  return f;
}

float tensor_tf32_cut(float value) { return float_of(bits_of(value) & ~0x1fffu); }

float tensor_tf32_rounded(float value) {
  const uint32_t bits = bits_of(value);
  if (!isfinite(value)) return value;
  return float_of((bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu);
}

/* value * 2^-places, towards zero. */
static int64_t shifted(int64_t value, int places) {
  if (places <= 0) return value * ((int64_t)1 << -places);
  if (places > 62) return 0;
  return value < 0 ? -(-value >> places) : value >> places;
}

double tensor_add(const struct tensor_factor *a, size_t step_a, const struct tensor_factor *b, size_t step_b,
                  int count, float start) {
  int largest = !isfinite(start) ? NOT_FINITE : start != 0 ? ilogbf(start) : NONE;
  const int start_exponent = largest;
  for (int i = 0; i < count && largest != NOT_FINITE; i++) {
    const struct tensor_factor *x = a + (size_t)i * step_a, *y = b + (size_t)i * step_b;
    if (x->exponent == NOT_FINITE || y->exponent == NOT_FINITE)
      largest = NOT_FINITE;
    else if (x->exponent + y->exponent > largest && x->significand && y->significand)
      largest = x->exponent + y->exponent;
  }
  if (largest == NONE) return 0;
  if (largest == NOT_FINITE) { /* infinities and NaN: as IEEE adds them */
    double sum = start;
    for (int i = 0; i < count; i++) sum += (double)a[(size_t)i * step_a].value * b[(size_t)i * step_b].value;
    return sum;
  }
  if (largest < LEAST) largest = LEAST;
  int64_t sum = 0; /* in units of 2^(largest - 25) */
  if (start != 0) sum = shifted((int64_t)ldexpf(start, 23 - start_exponent), largest - start_exponent - 2);
  for (int i = 0; i < count; i++) {
    const struct tensor_factor *x = a + (size_t)i * step_a, *y = b + (size_t)i * step_b;
    if (x->significand && y->significand)
      sum += shifted((int64_t)x->significand * y->significand, largest - x->exponent - y->exponent - 5);
  }
  return ldexp((double)sum, largest - 25);
}

float tensor_cut(double value) {
  const float nearest = (float)value;
  return fabs((double)nearest) > fabs(value) ? nextafterf(nearest, 0) : nearest;
}

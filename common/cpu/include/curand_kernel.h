/*
 * Random numbers in kernels, the same bits as cuRAND's: the generators XORWOW (curandState) and Philox
 * 4x32-10, with uniform, normal and log-normal distributions.
 *
 *   curand_init(seed, sequence, offset, &state)     sequences are 2^67 (Philox: 2^66) numbers apart
 *   curand, curand_uniform, curand_normal …         on a state, preferably a thread's own copy
 *
 * Sources: G. Marsaglia, "Xorshift RNGs" (2003); J. Salmon et al., "Parallel random numbers: as easy as 1, 2,
 * 3" (2011). Not in the CPU backend: MRG32k3a, MTGP32, Sobol, curand_poisson and curand_discrete.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "curand.h" // as the toolkit's

#define CUCC_RANDOM static inline __attribute__((always_inline))

extern "C" {
/* Steps five words of XORWOW's state n * 2^power times (runtime/xorwow.c). */
void cucc_xorwow_skip(unsigned v[5], unsigned long long n, int power);
}

/* ------------------------------------------------------------------------------------ XORWOW */

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double; /* a second normal number is kept for the next call */
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

CUCC_RANDOM unsigned curand(curandStateXORWOW *s) {
  const unsigned t = s->v[0] ^ s->v[0] >> 2, last = s->v[4];
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = last;
  s->v[4] = last ^ last << 4 ^ t ^ t << 1;
  s->d += 362437u;
  return s->v[4] + s->d;
}

namespace cucc {
/* On a copy, which no check sees: the runtime writes to it. */
static inline void xorwow_skip(curandStateXORWOW *s, unsigned long long n, int power) {
  unsigned v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  cucc_xorwow_skip(v, n, power);
  for (int i = 0; i < 5; i++) s->v[i] = v[i];
  if (power < 32) s->d += 362437u * static_cast<unsigned>(n) << power;
}
} // namespace cucc

static inline void skipahead(unsigned long long n, curandStateXORWOW *s) { ::cucc::xorwow_skip(s, n, 0); }
static inline void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) {
  ::cucc::xorwow_skip(s, n, 67);
}

static inline void curand_init(unsigned long long seed, unsigned long long sequence,
                               unsigned long long offset, curandStateXORWOW *state) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  curandStateXORWOW s = {
      6615241u + low + high,
      {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
      0,
      0,
      0.0f,
      0.0};
  skipahead_sequence(sequence, &s);
  skipahead(offset, &s);
  *state = s;
}

/* ------------------------------------------------------------------------------------ Philox */

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE; /* how many words of output are used */
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace cucc {

CUCC_RANDOM uint4 philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; round++) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = uint4{static_cast<unsigned>(b >> 32) ^ c.y ^ key.x, static_cast<unsigned>(b),
              static_cast<unsigned>(a >> 32) ^ c.w ^ key.y, static_cast<unsigned>(a)};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}

/* The counter, one number of 128 bits, advanced by n blocks (low) and n subsequences (high). */
CUCC_RANDOM void philox_advance(curandStatePhilox4_32_10 *s, unsigned long long blocks,
                                unsigned long long sequences) {
  unsigned long long low = static_cast<unsigned long long>(s->ctr.y) << 32 | s->ctr.x;
  unsigned long long high = static_cast<unsigned long long>(s->ctr.w) << 32 | s->ctr.z;
  low += blocks;
  high += sequences + (low < blocks);
  s->ctr = uint4{static_cast<unsigned>(low), static_cast<unsigned>(low >> 32), static_cast<unsigned>(high),
                 static_cast<unsigned>(high >> 32)};
}

} // namespace cucc

CUCC_RANDOM unsigned curand(curandStatePhilox4_32_10 *s) {
  const unsigned word = s->STATE == 0   ? s->output.x
                        : s->STATE == 1 ? s->output.y
                        : s->STATE == 2 ? s->output.z
                                        : s->output.w;
  if (++s->STATE == 4) {
    ::cucc::philox_advance(s, 1, 0);
    s->output = ::cucc::philox(s->ctr, s->key);
    s->STATE = 0;
  }
  return word;
}
CUCC_RANDOM uint4 curand4(curandStatePhilox4_32_10 *s) {
  const unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return uint4{x, y, z, w};
}

static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
  const unsigned long long words = (n & 3u) + s->STATE;
  ::cucc::philox_advance(s, n / 4 + words / 4, 0);
  s->STATE = static_cast<unsigned>(words % 4);
  s->output = ::cucc::philox(s->ctr, s->key);
}
static inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
  ::cucc::philox_advance(s, 0, n);
  s->output = ::cucc::philox(s->ctr, s->key);
}
static inline void curand_init(unsigned long long seed, unsigned long long sequence,
                               unsigned long long offset, curandStatePhilox4_32_10 *state) {
  curandStatePhilox4_32_10 s = {};
  s.key = uint2{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  skipahead_sequence(sequence, &s);
  skipahead(offset, &s);
  *state = s;
}

/* ------------------------------------------------------------------------------------ distributions */

namespace cucc {

/* In (0, 1]: the word's middle of its 2^-32. */
CUCC_RANDOM float uniform(unsigned x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
/* Of 53 bits. */
CUCC_RANDOM double uniform(unsigned x, unsigned y) {
  const unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
  return static_cast<double>(z) * 0x1p-53 + 0x1p-54;
}

/* Box and Muller's: two normal numbers of two uniform ones. */
CUCC_RANDOM float2 two_normal(unsigned x, unsigned y) {
  const float angle = y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2.0f;
  const float length = sqrtf(-2.0f * logf(uniform(x)));
  return float2{sinf(angle) * length, cosf(angle) * length};
}
CUCC_RANDOM double2 two_normal(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const unsigned long long y = y0 ^ static_cast<unsigned long long>(y1) << 21;
  const double half_turns = static_cast<double>(y) * 0x1p-52 + 0x1p-53;
  const double length = sqrt(-2.0 * log(uniform(x0, x1)));
  return double2{cucc_sinpi(half_turns) * length, cucc_cospi(half_turns) * length};
}

/* Every second call gives what the first has kept; who: 1 for normal numbers, 2 for log-normal ones. */
template <class State> CUCC_RANDOM float next_normal(State *s, int who) {
  if (s->boxmuller_flag == who) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  const unsigned x = curand(s), y = curand(s);
  const float2 both = two_normal(x, y);
  s->boxmuller_flag = who;
  s->boxmuller_extra = both.y;
  return both.x;
}
template <class State> CUCC_RANDOM double next_normal_double(State *s, int who) {
  if (s->boxmuller_flag_double == who) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  const unsigned x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
  const double2 both = two_normal(x0, x1, y0, y1);
  s->boxmuller_flag_double = who;
  s->boxmuller_extra_double = both.y;
  return both.x;
}

} // namespace cucc

/* Of 53 bits where the numbers come one by one, of 32 where they
   come by four: as cuRAND does it, to the bit. */
CUCC_RANDOM double curand_uniform_double(curandStateXORWOW *s) {
  const unsigned x = curand(s), y = curand(s);
  return ::cucc::uniform(x, y);
}
CUCC_RANDOM double curand_uniform_double(curandStatePhilox4_32_10 *s) {
  return curand(s) * 0x1p-32 + 0x1p-32;
}

#define CUCC_DISTRIBUTIONS(STATE_TYPE)                                                                       \
  CUCC_RANDOM float curand_uniform(STATE_TYPE *s) { return ::cucc::uniform(curand(s)); }                     \
  CUCC_RANDOM float2 curand_normal2(STATE_TYPE *s) {                                                         \
    const unsigned x = curand(s), y = curand(s);                                                             \
    return ::cucc::two_normal(x, y);                                                                         \
  }                                                                                                          \
  CUCC_RANDOM double2 curand_normal2_double(STATE_TYPE *s) {                                                 \
    const unsigned x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);                           \
    return ::cucc::two_normal(x0, x1, y0, y1);                                                               \
  }                                                                                                          \
  CUCC_RANDOM float curand_normal(STATE_TYPE *s) { return ::cucc::next_normal(s, 1); }                       \
  CUCC_RANDOM double curand_normal_double(STATE_TYPE *s) { return ::cucc::next_normal_double(s, 1); }        \
  CUCC_RANDOM float curand_log_normal(STATE_TYPE *s, float mean, float deviation) {                          \
    return expf(mean + deviation * ::cucc::next_normal(s, 2));                                               \
  }                                                                                                          \
  CUCC_RANDOM double curand_log_normal_double(STATE_TYPE *s, double mean, double deviation) {                \
    return exp(mean + deviation * ::cucc::next_normal_double(s, 2));                                         \
  }
CUCC_DISTRIBUTIONS(curandStateXORWOW)
CUCC_DISTRIBUTIONS(curandStatePhilox4_32_10)
#undef CUCC_DISTRIBUTIONS

CUCC_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  const uint4 w = curand4(s);
  return float4{::cucc::uniform(w.x), ::cucc::uniform(w.y), ::cucc::uniform(w.z), ::cucc::uniform(w.w)};
}
CUCC_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
  const uint4 w = curand4(s);
  return double2{::cucc::uniform(w.x, w.y), ::cucc::uniform(w.z, w.w)};
}
CUCC_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  const uint4 w = curand4(s);
  const float2 a = ::cucc::two_normal(w.x, w.y), b = ::cucc::two_normal(w.z, w.w);
  return float4{a.x, a.y, b.x, b.y};
}

#undef CUCC_RANDOM
#endif

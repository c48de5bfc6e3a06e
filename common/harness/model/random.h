/* model/random.h: the inputs' random numbers. They are counter-based: element i of the stream `key` is a
 * function of (key, i) alone, so any thread can make any part of an array, and make it again. */
#ifndef WB_RANDOM_H
#define WB_RANDOM_H

#include "wb.h"

/* Mixes 64 bits so that every input bit reaches every output bit (the finaliser of splitmix64, Steele et al.
 * 2014, with Stafford's constants no. 13). */
static inline uint64_t wb_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/* 64 random bits: number i of the stream `key`. */
static inline uint64_t wb_random(uint64_t key, uint64_t i) {
  return wb_mix(key + (i + 1) * 0x9E3779B97F4A7C15u);
}

/* The key of a stream within a stream: of a phase, a round, an array. Adding x makes it hard to compute
 * the parent key from it. */
static inline uint64_t wb_random_key(uint64_t key, uint64_t part) {
  const uint64_t x = wb_random(key, part);
  return wb_mix(x ^ 0xA5A5A5A5A5A5A5A5u) + x;
}

/*
 * One element of an input array, as a double that its type holds exactly. Never zero, and not uniform; u is
 * uniform in [0, 1). Floating point: magnitude 0.5 + 1.5 u^2, both signs. WB_I32: magnitude 1 + 2^20 u^2,
 * both signs; WB_U32: the same bits. WB_U8: 1 + 255 u^2, so that small values are more frequent.
 */
double wb_random_value(wb_type type, uint64_t key, uint64_t i);

/* Writes elements [0, count) to `to` and, if not NULL, to `copy` as well, on all cores. */
void wb_random_fill(void *to, void *copy, wb_type type, size_t count, uint64_t key);

/* Rounds floating-point values in place to odd multiples of 1/16: their sums and products are exact in any
 * order, and none is 0 or 1. */
void wb_random_coarsen(wb_type type, void *values, size_t count);

/*
 * Puts special numbers into an array of floats or doubles. WB_ANY: every 13th element, so that each place of
 * a vector or of a warp gets some, from another place on in each array of a task; the last one; and -0 at the
 * same places of all arrays. WB_NAN: one NaN. In turn 0 it is the first of the array, or of the last row of an array
 * of `rows` rows, so that who reads past the end of a row finds it; in turn 1 the last; in turn 2 the first, or
 * anywhere; in turn 3 anywhere, and all of array 0 is 0: 0 times NaN is NaN. WB_INFINITY: the same, and in turn 4
 * the last is infinite, in turn 5 the first.
 */
void wb_random_special(void *values, wb_type type, size_t count, size_t rows, wb_special kind, int array,
                       int turn, uint64_t key);

/* A factor in [0.5, 2) that is exactly a float. */
double wb_random_factor(uint64_t key, uint64_t i);

/* 64 bits from the system's random source. */
uint64_t wb_random_seed(void);

/* Bytes of one element. */
size_t wb_type_bytes(wb_type type);

#endif

/*
 * Jumping ahead in XORWOW: its step is linear over bits, so n steps are the n-th power of a matrix of 160 x
 * 160 bits. The powers of two of that matrix are made by squaring, each when it is first asked for.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#include "base/needed.h"

#define WORDS  5
#define BITS   (32 * WORDS)
#define POWERS (67 + 64)

/* row[i] is what the state with only bit i set becomes. */
struct matrix {
  uint32_t row[BITS][WORDS];
};

static struct matrix *powers[POWERS]; /* [k]: 2^k steps */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void cucc_xorwow_skip(unsigned v[WORDS], unsigned long long n, int power);

static void apply(const struct matrix *m, uint32_t v[WORDS]) {
  uint32_t result[WORDS] = {0};
  for (int i = 0; i < BITS; i++)
    if (v[i / 32] >> (i % 32) & 1)
      for (int k = 0; k < WORDS; k++) result[k] ^= m->row[i][k];
  memcpy(v, result, sizeof result);
}

static struct matrix *one_step(void) {
  struct matrix *m = needed(calloc(1, sizeof *m));
  for (int i = 0; i < BITS; i++) {
    uint32_t v[WORDS] = {0}, *after = m->row[i];
    v[i / 32] = UINT32_C(1) << (i % 32);
    const uint32_t t = v[0] ^ v[0] >> 2;
    memcpy(after, v + 1, 4 * sizeof *v);
    after[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
  }
  return m;
}

static struct matrix *square(const struct matrix *m) {
  struct matrix *result = needed(malloc(sizeof *result));
  *result = *m;
  for (int i = 0; i < BITS; i++) apply(m, result->row[i]);
  return result;
}

static const struct matrix *steps(int power) {
  const struct matrix *known = __atomic_load_n(&powers[power], __ATOMIC_ACQUIRE);
  if (known) return known;
  pthread_mutex_lock(&lock);
  for (int k = 0; k <= power; k++)
    if (!powers[k]) __atomic_store_n(&powers[k], k ? square(powers[k - 1]) : one_step(), __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return powers[power];
}

void cucc_xorwow_skip(unsigned v[WORDS], unsigned long long n, int power) {
  for (int k = 0; k < 64 && n >> k; k++)
    if (n >> k & 1) apply(steps(power + k), v);
}

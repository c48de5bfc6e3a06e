/* wb_random.c: see wb_random.h. */
#include "wb_random.h"
#include "wb_threads.h"
#include <string.h>
#include <sys/random.h>
#include <time.h>

size_t wb_type_bytes(wb_type type) {
  switch (type) {
  case WB_F64:
    return 8;
  case WB_U8:
    return 1;
  default:
    return 4;
  }
}

/* Random bits to u in [0, 1): the upper 24 bits for a float, 53 for a double. The lowest bit gives the sign.
 */
static float real32(uint64_t bits) {
  const float u = (float)(bits >> 40) * 0x1p-24f;
  const float magnitude = 0.5f + 1.5f * (u * u);
  return bits & 1 ? -magnitude : magnitude;
}

static double real64(uint64_t bits) {
  const double u = (double)(bits >> 11) * 0x1p-53;
  const double magnitude = 0.5 + 1.5 * (u * u);
  return bits & 1 ? -magnitude : magnitude;
}

static int32_t integer32(uint64_t bits) {
  const double u = (double)(bits >> 11) * 0x1p-53;
  const int32_t magnitude = 1 + (int32_t)(0x1p20 * (u * u));
  return bits & 1 ? -magnitude : magnitude;
}

static uint8_t integer8(uint64_t bits) {
  const double u = (double)(bits >> 11) * 0x1p-53;
  return (uint8_t)(1 + (int)(255 * (u * u)));
}

double wb_random_value(wb_type type, uint64_t key, uint64_t i) {
  const uint64_t bits = wb_random(key, i);
  switch (type) {
  case WB_F32:
    return real32(bits);
  case WB_F64:
    return real64(bits);
  case WB_I32:
    return integer32(bits);
  default:
    return integer8(bits);
  }
}

typedef struct fill {
  char *to, *copy;
  wb_type type;
  uint64_t key;
} fill;

#define CHUNK 4096 /* elements made at a time: 32 KiB of doubles stay in the cache until they are copied */

static void fill_part(void *argument, int part, size_t first, size_t last) {
  (void)part;
  const fill *f = argument;
  const size_t bytes = wb_type_bytes(f->type);
  for (size_t start = first; start < last; start += CHUNK) {
    const size_t count = last - start < CHUNK ? last - start : CHUNK;
    char *to = f->to + start * bytes;
    for (size_t i = 0; i < count; i++) {
      const uint64_t bits = wb_random(f->key, start + i);
      switch (f->type) {
      case WB_F32:
        ((float *)to)[i] = real32(bits);
        break;
      case WB_F64:
        ((double *)to)[i] = real64(bits);
        break;
      case WB_I32:
        ((int32_t *)to)[i] = integer32(bits);
        break;
      case WB_U8:
        ((uint8_t *)to)[i] = integer8(bits);
        break;
      }
    }
    if (f->copy) memcpy(f->copy + start * bytes, to, count * bytes);
  }
}

void wb_random_fill(void *to, void *copy, wb_type type, size_t count, uint64_t key) {
  fill f = {to, copy, type, key};
  wb_parallel(count, 65536, fill_part, &f);
}

double wb_random_factor(uint64_t key, uint64_t i) {
  return 0.5f + 1.5f * ((float)(wb_random(key, i) >> 40) * 0x1p-24f);
}

uint64_t wb_random_seed(void) {
  uint64_t seed;
  if (getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed) return seed;
  struct timespec now; /* a system without getrandom: still different in every run */
  clock_gettime(CLOCK_REALTIME, &now);
  return wb_mix((uint64_t)now.tv_nsec ^ ((uint64_t)now.tv_sec << 20));
}

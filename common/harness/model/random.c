/* model/random.c: see model/random.h. */
#include "model/random.h"
#include "base/threads.h"
#include <float.h>
#include <math.h>
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

/*
 * Turns random bits into a value: u in [0, 1) from the upper bits, the sign from the lowest bit. 64 random
 * bits make one double, two floats or integers, or eight bytes. Making them takes most of the time, and
 * every timed call has new inputs.
 */
static inline float real32(uint32_t bits) {
  const float u = (float)(bits >> 8) * 0x1p-24f;
  const float magnitude = 0.5f + 1.5f * (u * u);
  return bits & 1 ? -magnitude : magnitude;
}

static inline double real64(uint64_t bits) {
  const double u = (double)(bits >> 11) * 0x1p-53;
  const double magnitude = 0.5 + 1.5 * (u * u);
  return bits & 1 ? -magnitude : magnitude;
}

static inline int32_t integer32(uint32_t bits) {
  const float u = (float)(bits >> 8) * 0x1p-24f;
  const int32_t magnitude = 1 + (int32_t)(0x1p20f * (u * u));
  return bits & 1 ? -magnitude : magnitude;
}

static inline uint8_t integer8(uint8_t bits) { return (uint8_t)(1 + 255 * bits * bits / 65536); }

double wb_random_value(wb_type type, uint64_t key, uint64_t i) {
  switch (type) {
  case WB_F32:
    return real32((uint32_t)(wb_random(key, i / 2) >> 32 * (i % 2)));
  case WB_F64:
    return real64(wb_random(key, i));
  case WB_I32:
    return integer32((uint32_t)(wb_random(key, i / 2) >> 32 * (i % 2)));
  case WB_U32:
    return (uint32_t)integer32((uint32_t)(wb_random(key, i / 2) >> 32 * (i % 2)));
  default:
    return integer8((uint8_t)(wb_random(key, i / 8) >> 8 * (i % 8)));
  }
}

typedef struct fill {
  char *to, *copy;
  wb_type type;
  size_t count;
  uint64_t key;
} fill;

#define CHUNK 4096 /* elements made at a time: 32 KiB of doubles stay in the cache until copied */

/* CHUNK elements from element `first` on, a multiple of 8. The loops are simple, so that compilers
 * vectorise them. */
static void make_chunk(wb_type type, uint64_t key, size_t first, void *to) {
  float *restrict f32 = to;
  double *restrict f64 = to;
  int32_t *restrict i32 = to;
  uint8_t *restrict u8 = to;
  switch (type) {
  case WB_F32:
    for (size_t j = 0; j < CHUNK / 2; j++) {
      const uint64_t bits = wb_random(key, first / 2 + j);
      f32[2 * j] = real32((uint32_t)bits);
      f32[2 * j + 1] = real32((uint32_t)(bits >> 32));
    }
    break;
  case WB_F64:
    for (size_t j = 0; j < CHUNK; j++) f64[j] = real64(wb_random(key, first + j));
    break;
  case WB_I32:
  case WB_U32: /* the same bits */
    for (size_t j = 0; j < CHUNK / 2; j++) {
      const uint64_t bits = wb_random(key, first / 2 + j);
      i32[2 * j] = integer32((uint32_t)bits);
      i32[2 * j + 1] = integer32((uint32_t)(bits >> 32));
    }
    break;
  case WB_U8:
    for (size_t j = 0; j < CHUNK; j++)
      u8[j] = integer8((uint8_t)(wb_random(key, first / 8 + j / 8) >> 8 * (j % 8)));
    break;
  }
}

/* Parts are counted in chunks. */
static void fill_part(void *argument, int part, size_t first, size_t last) {
  (void)part;
  const fill *f = argument;
  const size_t bytes = wb_type_bytes(f->type);
  double chunk[CHUNK]; /* of the largest type */
  for (size_t c = first; c < last; c++) {
    const size_t start = c * CHUNK, count = f->count - start < CHUNK ? f->count - start : CHUNK;
    make_chunk(f->type, f->key, start, chunk);
    memcpy(f->to + start * bytes, chunk, count * bytes);
    if (f->copy) memcpy(f->copy + start * bytes, chunk, count * bytes);
  }
}

void wb_random_fill(void *to, void *copy, wb_type type, size_t count, uint64_t key) {
  fill f = {to, copy, type, count, key};
  wb_parallel((count + CHUNK - 1) / CHUNK, 16, fill_part, &f);
}

void wb_random_coarsen(wb_type type, void *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (type == WB_F32) ((float *)values)[i] = (floorf(((float *)values)[i] * 8) + 0.5f) / 8;
    if (type == WB_F64) ((double *)values)[i] = (floor(((double *)values)[i] * 8) + 0.5) / 8;
  }
}

double wb_random_factor(uint64_t key, uint64_t i) {
  return 0.5f + 1.5f * ((float)(wb_random(key, i) >> 40) * 0x1p-24f);
}

uint64_t wb_random_seed(void) {
  uint64_t seed;
  if (getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed) return seed;
  struct timespec now; /* without getrandom, still different in every run */
  clock_gettime(CLOCK_REALTIME, &now);
  return wb_mix((uint64_t)now.tv_nsec ^ ((uint64_t)now.tv_sec << 20));
}

static void put(void *values, wb_type type, size_t i, double value) {
  if (type == WB_F64)
    ((double *)values)[i] = value;
  else
    ((float *)values)[i] = (float)value;
}

#define APART     13
#define BOTH_ZERO 8 /* no array begins there: array * 5 % APART */

/* Where the one NaN of a turn is, or the infinity. */
static size_t place_of_nan(size_t count, size_t rows, int turn, uint64_t key) {
  const int has_rows = rows > 1 && rows < count && count % rows == 0;
  if (turn == 0) return has_rows ? count - count / rows : 0;
  if (turn == 1 || turn == 4) return count - 1;
  if (turn == 5) return 0;
  if (turn == 2 && has_rows) return 0;
  return (size_t)(wb_random(key, (uint64_t)(1000 + turn)) % count);
}

void wb_random_special(void *values, wb_type type, size_t count, size_t rows, wb_special kind, int array,
                       int turn, uint64_t key) {
  if (kind == WB_ORDINARY || count == 0 || (type != WB_F32 && type != WB_F64)) return;
  const double least = type == WB_F64 ? DBL_TRUE_MIN : FLT_TRUE_MIN;
  const double list[] = {NAN, INFINITY, -0.0, least, -INFINITY, -3 * least, -NAN};
  if (kind != WB_ANY && turn == 3 && array == 0) {
    memset(values, 0, count * wb_type_bytes(type));
    return;
  }
  const double one = kind == WB_INFINITY && turn >= 4 ? INFINITY : NAN;
  if (kind != WB_ANY) put(values, type, place_of_nan(count, rows, turn, key), one);
  if (kind != WB_ANY) return;
  for (size_t i = (size_t)array * 5 % APART, k = (size_t)turn; i < count; i += APART, k++)
    put(values, type, i, list[k % (sizeof list / sizeof *list)]);
  for (size_t i = BOTH_ZERO; i < count; i += APART) put(values, type, i, -0.0);
  if (array == 0) put(values, type, count - 1, NAN);
}

/* A warp's product of tiles (include/mma.h). */
#include "blocks/tile.h"

#include <math.h>
#include <string.h>

#include "base/tensor.h"
#include "state/counters.h"
#include "cucc.h"

#define TILE_MAX (32 * 16)

static float half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float size =
      exponent == 31 ? (fraction ? NAN : INFINITY)
                     : ldexpf((float)(exponent ? fraction + 1024 : fraction), (exponent ? exponent : 1) - 25);
  return bits >> 15 ? -size : size;
}

/* Rounded to the nearest, halves to even. */
static uint16_t half_bits(double value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  const double size = fabs(value);
  if (isnan(value)) return 0x7fff;
  if (size >= 65520) return sign | 0x7c00;
  int exponent = size > 0 ? ilogb(size) : -14;
  if (exponent < -14) exponent = -14;
  const int scaled = (int)nearbyint(ldexp(size, 10 - exponent)); /* the leading bit counts once more above */
  return sign | (uint16_t)((exponent + 14) * 1024 + scaled);
}

static float load(const void *part, int i, enum number kind) {
  uint32_t wide;
  uint16_t narrow;
  float value;
  if (kind == HALF || kind == BFLOAT16) {
    memcpy(&narrow, (const char *)part + i * 2, sizeof narrow);
    if (kind == HALF) return half_value(narrow);
    wide = (uint32_t)narrow << 16;
  } else
    memcpy(&wide, (const char *)part + i * 4, sizeof wide);
  memcpy(&value, &wide, sizeof value);
  return kind == TF32 ? tensor_tf32_cut(value) : value;
}

/* Which element of a tile lane l holds as its i-th, counted by rows. As include/mma.h has fragments, the
 * lanes hold consecutive elements, in the order in which they lie in memory; `by_quads`: as mma.sync.m16n8k8
 * has them. */
static int element_of_a(const struct tile *t, int i, int lane) {
  if (t->by_quads) return (lane / 4 + i % 2 * 8) * t->k + lane % 4 + i / 2 * 4;
  const int e = i * 32 + lane;
  return t->a_by_columns ? e % t->m * t->k + e / t->m : e;
}

static int element_of_b(const struct tile *t, int i, int lane) {
  if (t->by_quads) return (lane % 4 + 4 * i) * t->n + lane / 4;
  const int e = i * 32 + lane;
  return t->b_by_columns ? e % t->k * t->n + e / t->k : e;
}

static int element_of_d(const struct tile *t, int i, int lane) {
  return t->by_quads ? (lane / 4 + i / 2 * 8) * t->n + lane % 4 * 2 + i % 2 : i * 32 + lane;
}

/* What products leave out (cucc_idle_tensor_cores). */
static int idle;

void cucc_idle_tensor_cores(int parts) { __atomic_store_n(&idle, parts, __ATOMIC_RELAXED); }

static int left_out(void) { return __atomic_load_n(&idle, __ATOMIC_RELAXED); }

/* A or B, from the lanes' parts, in their order. Returns whether all its elements are 0; *finite: whether all are
 * finite. */
static bool gather(float *to, const struct tile *const lanes[32], bool is_b, bool *finite) {
  const struct tile *t = lanes[0];
  const bool no_negatives = left_out() == 2;
  bool zero = true;
  *finite = true;
  for (int i = 0; i < (is_b ? t->b_held : t->a_held); i++)
    for (int lane = 0; lane < 32; lane++) {
      const float held = load(is_b ? lanes[lane]->b : lanes[lane]->a, i, t->in);
      const float value = held < 0 && no_negatives ? 0 : held;
      zero = zero && value == 0;
      *finite = *finite && isfinite(value);
      to[i * 32 + lane] = value;
    }
  return zero;
}

/* What gather gave, by rows. */
static void order(struct tensor_factor *to, const float *from, const struct tile *t, bool is_b) {
  for (int i = 0; i < (is_b ? t->b_held : t->a_held); i++)
    for (int lane = 0; lane < 32; lane++)
      to[is_b ? element_of_b(t, i, lane) : element_of_a(t, i, lane)] = tensor_factor(from[i * 32 + lane]);
}

/* d = c, where a b is 0: tiles beyond the edges of a matrix are many. Half is rounded and stays as it is. */
static void add_nothing(const struct tile *const lanes[32]) {
  const struct tile *t = lanes[0];
  const size_t size = t->out == HALF ? 2 : 4;
  for (int lane = 0; lane < 32; lane++)
    memmove(lanes[lane]->d, lanes[lane]->c, (size_t)(t->m * t->n / 32) * size);
}

void tile_multiply(const struct tile *const lanes[32]) {
  const struct tile *t = lanes[0];
  const int group = t->by_quads ? 8 : t->in == TF32 ? 4 : 16;
  float held_a[TILE_MAX], held_b[TILE_MAX];
  struct tensor_factor a[TILE_MAX], b[TILE_MAX];
  count(COUNT_TENSOR_PRODUCTS);
  bool a_finite, b_finite;
  const bool a_zero = gather(held_a, lanes, false, &a_finite),
             b_zero = gather(held_b, lanes, true, &b_finite);
  if ((a_zero && b_finite) || (b_zero && a_finite)) {
    add_nothing(lanes);
    return;
  }
  order(a, held_a, t, false);
  order(b, held_b, t, true);
  const bool adds = left_out() != 1;
  for (int i = 0; i < t->m * t->n / 32; i++)
    for (int lane = 0; lane < 32; lane++) {
      const int e = element_of_d(t, i, lane), row = e / t->n, column = e % t->n;
      float cut = load(lanes[lane]->c, i, t->out);
      double sum = cut;
      for (int k = 0; k < t->k && adds; k += group) {
        sum = tensor_add(a + row * t->k + k, 1, b + k * t->n + column, (size_t)t->n, group, cut);
        cut = tensor_cut(sum);
      }
      if (t->out == HALF) { /* one group: rounded once */
        const uint16_t bits = half_bits(sum);
        memcpy((char *)lanes[lane]->d + i * 2, &bits, sizeof bits);
      } else
        memcpy((char *)lanes[lane]->d + i * 4, &cut, sizeof cut);
    }
}

/* A warp's product of tiles (include/mma.h). */
#include "blocks/tile.h"

#include <math.h>
#include <string.h>

#include "base/tensor.h"
#include "state/counters.h"

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

/* A or B, from the lanes' parts, by rows. */
static void gather(struct tensor_factor *to, const struct tile *const lanes[32], bool is_b, int rows,
                   int columns) {
  const struct tile *t = lanes[0];
  const bool by_columns = is_b ? t->b_by_columns : t->a_by_columns;
  for (int i = 0; i < (is_b ? t->b_held : t->a_held); i++)
    for (int lane = 0; lane < 32; lane++) {
      const int e = i * 32 + lane;
      to[by_columns ? e % rows * columns + e / rows : e] =
          tensor_factor(load(is_b ? lanes[lane]->b : lanes[lane]->a, i, t->in));
    }
}

void tile_multiply(const struct tile *const lanes[32]) {
  const struct tile *t = lanes[0];
  const int group = t->in == TF32 ? 4 : 16;
  struct tensor_factor a[TILE_MAX], b[TILE_MAX];
  count(COUNT_TENSOR_PRODUCTS);
  gather(a, lanes, false, t->m, t->k);
  gather(b, lanes, true, t->k, t->n);
  for (int i = 0; i < t->m * t->n / 32; i++)
    for (int lane = 0; lane < 32; lane++) {
      const int e = i * 32 + lane, row = e / t->n, column = e % t->n;
      double sum = 0;
      float cut = load(lanes[lane]->c, i, t->out);
      for (int k = 0; k < t->k; k += group) {
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

#ifndef CUCC_BLOCKS_TILE_H
#define CUCC_BLOCKS_TILE_H

#include "base/base.h"

/* As in include/mma.h. a, b, c and d are one lane's parts: of the tiles' elements, in the order in which they
 * lie in memory, lane l holds l, l + 32 and so on. */
enum number { HALF, BFLOAT16, TF32, FLOAT };
struct tile {
  void *d;
  const void *a, *b, *c;
  int m, n, k, a_held, b_held; /* held: elements a lane */
  enum number in, out;
  int a_by_columns, b_by_columns;
  int by_quads; /* which lane holds what: as in PTX's mma.sync.m16n8k8 */
};

/* Computes d = a b + c for a warp whose 32 lanes gave these. */
void tile_multiply(const struct tile *const lanes[32]);

#endif

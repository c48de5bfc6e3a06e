/* inputs.h: the numbers of a case of lesson10. */
#ifndef INPUTS_H
#define INPUTS_H

#include "baselines.h"
#include "integration.h"

#include <string.h>

enum { NX, NY, BLOCKS, THREADS }; /* sizes of integrate and richardson; NX and NY of the others, too */
enum { GRIDS = 2 };               /* of integrate_same_bits: how many shapes of the grid are tried */
enum { N, FIRST };                /* of monte_carlo, then GRIDS */

#define NUMBERS 9 /* in the array of the problem: its eight, and the bits of the seed */

static inline problem problem_of(const wb_case *c) {
  problem p;
  memcpy(&p, c->array[PROBLEM], sizeof p);
  return p;
}

static inline uint64_t seed_of(const wb_case *c) {
  uint64_t seed;
  memcpy(&seed, wb_f64(c, PROBLEM) + NUMBERS - 1, sizeof seed);
  return seed;
}

/* Sizes of which a few blocks run on the CPU backend. Cut to 32 bits, nx * ny and n are small, whatever the
 * type's sign: 2 * 2^32 + 18531 and 2^33 + 11. */
#define NX_BEYOND 92683
#define NY_BEYOND 92681
#define N_BEYOND  (((size_t)1 << 33) + 11)

#endif

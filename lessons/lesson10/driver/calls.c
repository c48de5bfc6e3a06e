/* calls.c: see calls.h. */
#include "calls.h"
#include "inputs.h"

#include <stdint.h>
#include <string.h>

int call_integrate(const wb_case *c) {
  const size_t *n = c->size.n;
  return integrate(problem_of(c), n[NX], n[NY], (unsigned)n[BLOCKS], (unsigned)n[THREADS], wb_f64(c, RESULT),
                   wb_f64(c, D_WORK));
}

int call_richardson(const wb_case *c) {
  const size_t *n = c->size.n;
  return richardson(problem_of(c), n[NX], n[NY], (unsigned)n[BLOCKS], (unsigned)n[THREADS], wb_f64(c, RESULT),
                    wb_f64(c, D_WORK));
}

int call_fast(const wb_case *c) {
  return integrate_fast(problem_of(c), c->size.n[NX], c->size.n[NY], wb_f64(c, RESULT), wb_f64(c, D_WORK));
}

grid grid_of(const wb_case *c, size_t g) {
  static const grid small[] = {{24, 128}, {24, 128}, {7, 96}, {3, 1}, {2, 1024}, {64, 33}};
  const double points = (double)c->size.n[0] * (c->size.n[GRIDS] > 1 ? 1 : (double)c->size.n[1]);
  if (c->size.n[0] == NX_BEYOND || c->size.n[0] == N_BEYOND) return (grid){32768, 8};
  return g == 0 && points >= 1e7 ? (grid){1024, 256} : small[g % WB_COUNT(small)];
}

/* Calls a function once for each grid, and compares the bits of its results with those of the first. */
static int call_grids(const wb_case *c, int call(const wb_case *c, grid g, double *result)) {
  double first = 0;
  for (size_t g = 0; g < c->size.n[GRIDS]; g++) {
    double result;
    memset(&result, 0xFF, sizeof result); /* never written, as the harness says it */
    const int status = call(c, grid_of(c, g), &result);
    if (status) return status;
    if (g == 0) first = result;
    uint64_t bits, bits_of_first;
    memcpy(&bits, &result, sizeof bits);
    memcpy(&bits_of_first, &first, sizeof bits_of_first);
    wb_u32(c, DIFFERENT)[g] = (uint32_t)__builtin_popcountll(bits ^ bits_of_first);
  }
  wb_f64(c, RESULT)[0] = first;
  return 0;
}

static int same_bits(const wb_case *c, grid g, double *result) {
  return integrate_same_bits(problem_of(c), c->size.n[NX], c->size.n[NY], g.blocks, g.threads, result,
                             wb_f64(c, D_WORK));
}

static int random_points(const wb_case *c, grid g, double *result) {
  return monte_carlo(problem_of(c), seed_of(c), c->size.n[FIRST], c->size.n[N], g.blocks, g.threads, result,
                     wb_f64(c, D_WORK));
}

int call_same_bits(const wb_case *c) { return call_grids(c, same_bits); }
int call_monte_carlo(const wb_case *c) { return call_grids(c, random_points); }

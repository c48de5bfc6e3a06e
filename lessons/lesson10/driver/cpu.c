/* cpu.c: see cpu.h. */
#include "cpu.h"
#include "inputs.h"
#include "oracle.h"

#include <math.h>

static double sum_cpu(const problem *p, size_t nx, size_t ny) {
  const double hx = (p->x1 - p->x0) / (double)nx, hy = (p->y1 - p->y0) / (double)ny;
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < nx; i++) {
      const double x = p->x0 + ((double)i + 0.5) * hx, y = p->y0 + ((double)j + 0.5) * hy;
      total += p->c * sin(p->a * x + (p->b * y + p->d));
    }
  return nx && ny ? total * hx * hy : 0;
}

void integral_cpu(const wb_case *c) {
  const problem p = problem_of(c);
  wb_f64(c, RESULT)[0] = sum_cpu(&p, c->size.n[NX], c->size.n[NY]);
}

void same_bits_cpu(const wb_case *c) {
  integral_cpu(c);
  memset(c->array[DIFFERENT], 0, c->size.n[GRIDS] * sizeof(uint32_t));
}

void points_cpu(const wb_case *c) {
  const problem p = problem_of(c);
  const uint64_t seed = seed_of(c), first = c->size.n[FIRST];
  const size_t n = c->size.n[N];
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (size_t i = 0; i < n; i++) total += f_at_point(&p, seed, first + i, 0);
  wb_f64(c, RESULT)[0] = n ? (p.x1 - p.x0) * (p.y1 - p.y0) * total / (double)n : 0;
  memset(c->array[DIFFERENT], 0, c->size.n[GRIDS] * sizeof(uint32_t));
}

/* cpu.c: see cpu.h. */
#include "cpu.h"
#include "host.h"
#include "problem.h"

#include <stdlib.h>
#include <string.h>

void sweeps_cpu(const wb_case *c) {
  const plate plate = problem_plate(c);
  const size_t bytes = c->size.n[ROWS] * c->size.n[COLS] * sizeof(float);
  float *now = wb_f32(c, P), *next = malloc(bytes + 1), *const work = next;
  if (!next) abort();
  for (size_t k = 0; k < c->size.n[COUNT]; k++) {
#pragma omp parallel for
    for (int row = 0; row < plate.rows; row++) sweep_host(now, next, plate, row, row + 1);
    float *const swept = next;
    next = now;
    now = swept;
  }
  wb_i32(c, DEVICE_AFTER)[0] = 0;
  if (now != wb_f32(c, P)) memcpy(wb_f32(c, P), now, bytes);
  free(work);
}

/* host.c: see host.h. */
#include "host.h"
#include "problem.h"

#include <stdlib.h>
#include <string.h>

void sweep_host(const float *p, float *next, plate plate, int first, int end) {
  const size_t cols = (size_t)plate.cols;
#pragma omp parallel for if ((size_t)(end - first) * cols > 1 << 16)
  for (int row = first; row < end; row++) {
    const float *mid = p + (size_t)row * cols;
    float *to = next + (size_t)row * cols;
    memcpy(to, mid, cols * sizeof *to);
    if (row == 0 || row == plate.rows - 1) continue;
    for (size_t col = 1; col + 1 < cols; col++)
      to[col] = ((mid[col - cols] + mid[col + cols]) + (mid[col - 1] + mid[col + 1])) / 4;
    const size_t s = (size_t)plate.source_col;
    if (row == plate.source_row && s > 0 && s + 1 < cols)
      to[s] = ((mid[s - cols] + mid[s + cols]) + (mid[s - 1] + mid[s + 1]) + plate.strength) / 4;
  }
}

void sweeps_cpu(const wb_case *c) {
  const plate plate = problem_plate(c);
  const size_t bytes = c->size.n[ROWS] * c->size.n[COLS] * sizeof(float);
  float *now = wb_f32(c, P), *next = malloc(bytes + 1), *const work = next;
  if (!next) abort();
  for (size_t k = 0; k < c->size.n[COUNT]; k++) {
    sweep_host(now, next, plate, 0, plate.rows);
    float *const swept = next;
    next = now;
    now = swept;
  }
  wb_i32(c, DEVICE_AFTER)[0] = 0;
  if (now != wb_f32(c, P)) memcpy(wb_f32(c, P), now, bytes);
  free(work);
}

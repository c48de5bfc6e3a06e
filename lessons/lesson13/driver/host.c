/* host.c: see host.h. */
#include "host.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

/* The rows are swept in bands. A core takes a band through several sweeps while it is in its cache: so a large plate
 * comes from memory once for all of them. On 8192 columns a band with its rows around it is 1 MiB. */
#define BAND  16 /* rows of a band */
#define DEPTH 8  /* sweeps of a band at a time */

#define FEW_CELLS (1 << 20) /* of a plate for which threads are not worth their start */

float swept_cell(const float *p, plate plate, size_t i) {
  const size_t cols = (size_t)plate.cols, row = i / cols, col = i % cols;
  if (row == 0 || row + 1 == (size_t)plate.rows || col == 0 || col + 1 == cols) return p[i];
  const int source = row == (size_t)plate.source_row && col == (size_t)plate.source_col;
  return ((p[i - cols] + p[i + cols]) + (p[i - 1] + p[i + 1]) + (source ? plate.strength : 0)) / 4;
}

void sweep_host(const float *p, float *next, plate plate, int first, int end) {
  const size_t cols = (size_t)plate.cols;
  for (int row = first; row < end; row++) {
    const float *mid = p + (size_t)row * cols;
    float *to = next + (size_t)row * cols;
    if (row == 0 || row == plate.rows - 1 || cols < 3) {
      memcpy(to, mid, cols * sizeof *to);
      continue;
    }
    to[0] = mid[0];
    to[cols - 1] = mid[cols - 1];
    for (size_t col = 1; col + 1 < cols; col++)
      to[col] = ((mid[col - cols] + mid[col + cols]) + (mid[col - 1] + mid[col + 1])) / 4;
    const size_t s = (size_t)plate.source_col;
    if (row == plate.source_row && s > 0 && s + 1 < cols)
      to[s] = ((mid[s - cols] + mid[s + cols]) + (mid[s - 1] + mid[s + 1]) + plate.strength) / 4;
  }
}

/* `depth` sweeps from p to next. */
typedef struct pass {
  const float *p;
  float *next;
  plate plate;
  int depth;
} pass;

static int at_least(int a, int b) { return a > b ? a : b; }
static int at_most(int a, int b) { return a < b ? a : b; }

/* A band is swept in arrays of its own. They begin `depth` rows above it, and each sweep does one row less at either
 * side: nothing from further away reaches the band. At the plate's edge all rows are there. */
static void sweep_bands(void *argument, int part, size_t first_band, size_t end_band) {
  const pass *a = argument;
  const int rows = a->plate.rows, cols = a->plate.cols;
  const size_t most = (size_t)(BAND + 2 * DEPTH) * (size_t)cols;
  float *const room = malloc(2 * most * sizeof *room + 1), *now = room, *next = room + most;
  if (!room) abort();
  (void)part;
  for (int band = (int)first_band; band < (int)end_band; band++) {
    const int first = band * BAND, end = at_most(rows, first + BAND);
    const int top = at_least(0, first - a->depth), bottom = at_most(rows, end + a->depth);
    const plate piece = {bottom - top, cols, a->plate.source_row - top, a->plate.source_col,
                         a->plate.strength};
    memcpy(now, a->p + (size_t)top * (size_t)cols, (size_t)piece.rows * (size_t)cols * sizeof *now);
    for (int left = a->depth - 1; left >= 0; left--) {
      sweep_host(now, next, piece, at_least(0, first - left - top), at_most(piece.rows, end + left - top));
      float *const swept = next;
      next = now;
      now = swept;
    }
    memcpy(a->next + (size_t)first * (size_t)cols, now + (size_t)(first - top) * (size_t)cols,
           (size_t)(end - first) * (size_t)cols * sizeof *now);
  }
  free(room);
}

float *sweeps_host(float *p, float *work, plate plate, int count) {
  const size_t bands = ((size_t)plate.rows + BAND - 1) / BAND;
  for (int done = 0; done < count && bands > 0; done += DEPTH) {
    pass a = {p, work, plate, at_most(DEPTH, count - done)};
    if ((size_t)plate.rows * (size_t)plate.cols < FEW_CELLS)
      sweep_bands(&a, 0, 0, bands);
    else
      wb_parallel(bands, 1, sweep_bands, &a);
    work = p;
    p = a.next;
  }
  return p;
}

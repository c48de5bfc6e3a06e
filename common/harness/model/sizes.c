/* model/sizes.c: see model/sizes.h. */
#include "model/sizes.h"
#include "model/random.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

int wb_dims(const wb_task *task) {
  int count = 0;
  for (const char *p = task->dims; *p; p++)
    if (!isspace((unsigned char)*p) && (p == task->dims || isspace((unsigned char)p[-1]))) count++;
  return count;
}

bool wb_size_given(const wb_size *size) {
  for (int d = 0; d < WB_MAX_DIMS; d++)
    if (size->n[d]) return true;
  return false;
}

#define TIMES_THE_MOST 4 /* elements of the largest declared case; more may take too long */

static double product(const wb_size *size, int dims) {
  double p = 1;
  for (int d = 0; d < dims; d++) p *= (double)size->n[d];
  return p;
}

/* Of all arrays of a case of this size. */
static double elements(const wb_task *task, const wb_size *size) {
  const wb_case c = {.size = *size};
  double sum = 0;
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) sum += (double)task->arrays[a].count(&c);
  return sum;
}

/* A multiple of step in [low, high], as likely below their geometric mean as above it: most mistakes show at
 * small sizes, which cost little time. */
static size_t between(size_t low, size_t high, size_t step, uint64_t key, uint64_t i) {
  if (high <= low) return low;
  const double u = (double)(wb_random(key, i) >> 11) * 0x1p-53;
  const double n = (double)low * pow((double)high / (double)low, u);
  const size_t whole = (size_t)llround(n / (double)step) * step;
  return whole < low ? low : whole > high ? high : whole;
}

static bool random_size(const wb_task *task, uint64_t seed, wb_size *size) {
  const int dims = wb_dims(task);
  wb_size low = {{0}}, high = {{0}};
  double most = 0, most_elements = 0;
  for (size_t s = 0; s < task->size_count; s++) {
    for (int d = 0; d < dims; d++) {
      const size_t n = task->sizes[s].n[d];
      if (n >= task->least.n[d] && n > 0 && (low.n[d] == 0 || n < low.n[d])) low.n[d] = n;
      if (n > high.n[d]) high.n[d] = n;
    }
    most = fmax(most, product(&task->sizes[s], dims));
    most_elements = fmax(most_elements, elements(task, &task->sizes[s]));
  }
  for (uint64_t attempt = 0; attempt < 64; attempt++) {
    *size = (wb_size){{0}};
    for (int d = 0; d < dims; d++)
      size->n[d] = between(low.n[d], high.n[d], task->step.n[d] ? task->step.n[d] : 1,
                           wb_random_key(seed, attempt), (uint64_t)d);
    bool new = product(size, dims) > 0 &&
               product(size, dims) <= most &&elements(task, size) <= TIMES_THE_MOST *most_elements;
    for (size_t s = 0; s < task->size_count && new; s++) {
      bool same = true;
      for (int d = 0; d < dims; d++) same = same && size->n[d] == task->sizes[s].n[d];
      new = !same;
    }
    if (new) return true;
  }
  return false;
}

wb_size_list wb_sizes(const wb_task *task, uint64_t seed, bool with_large) {
  wb_size_list sizes = {.list = calloc(task->size_count + 2, sizeof(wb_size))};
  if (!sizes.list) return sizes;
  for (size_t s = 0; s < task->size_count; s++) sizes.list[sizes.count++] = task->sizes[s];
  if (random_size(task, seed, &sizes.list[sizes.count])) sizes.count++;
  if (with_large && wb_size_given(&task->large)) {
    sizes.list[sizes.count++] = task->large;
    sizes.has_large = true;
  }
  return sizes;
}

void wb_sizes_free(wb_size_list *sizes) {
  free(sizes->list);
  *sizes = (wb_size_list){0};
}

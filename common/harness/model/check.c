/* model/check.c: see model/check.h. Compile without -ffast-math: the comparison relies on NaN. */
#include "model/check.h"
#include "base/threads.h"
#include "model/large.h"
#include "model/random.h"
#include "model/sizes.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double wb_element(wb_type type, const void *array, size_t i) {
  switch (type) {
  case WB_F32:
    return ((const float *)array)[i];
  case WB_F64:
    return ((const double *)array)[i];
  case WB_I32:
    return ((const int32_t *)array)[i];
  case WB_U32:
    return ((const uint32_t *)array)[i];
  default:
    return ((const uint8_t *)array)[i];
  }
}

wb_matrix wb_shape(const wb_task *task, const wb_case *c, int array) {
  const wb_array *a = &task->arrays[array];
  const size_t *n = c->size.n, count = a->count(c);
  const int dims = wb_dims(task);
  if (a->rows && count > 0) {
    const wb_rows rows = a->rows(c);
    if (rows.pitch > rows.columns) return (wb_matrix){count / rows.pitch, rows.columns, rows.pitch};
  }
  for (int r = 0; r < dims && n[0] != count; r++)
    for (int k = r + 1; k < dims; k++)
      if (n[r] > 1 && n[k] > 1 && n[r] * n[k] == count) return (wb_matrix){n[r], n[k], n[k]};
  return (wb_matrix){1, count, count};
}

/* An output array while it is checked. */
typedef struct checking {
  const wb_task *task;
  const wb_case *inputs;
  const void *got;
  int array;
  size_t count, sample; /* sample 0: all */
  const size_t *window; /* where the windows of a large case begin; NULL: it is checked otherwise */
  uint64_t key;
  struct partial {
    double max_error, max_tolerance, least_tolerance, max_share;
    double expected, value, tolerance; /* of the first wrong element */
    wb_pattern pattern;
  } * part; /* one for each thread */
} checking;

static size_t divisor(size_t a, size_t b) {
  while (b) {
    const size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static bool is_poison(const void *got, size_t bytes, size_t i) {
  const unsigned char *p = (const unsigned char *)got + i * bytes;
  for (size_t b = 0; b < bytes; b++)
    if (p[b] != 0xFF) return false;
  return true;
}

static void note_wrong(const checking *c, wb_pattern *pattern, size_t i, double value) {
  const wb_array *array = &c->task->arrays[c->array];
  const size_t bytes = wb_type_bytes(array->type);
  const char *before = c->inputs->array[c->array];
  if (pattern->wrong == 0) {
    pattern->first = pattern->last = i;
  } else {
    const size_t distance = i > pattern->first ? i - pattern->first : pattern->first - i;
    pattern->stride = divisor(distance, pattern->stride);
    if (i > pattern->last) pattern->last = i;
  }
  pattern->wrong++;
  if (is_poison(c->got, bytes, i))
    pattern->never_written++;
  else if (!isfinite(value))
    pattern->not_a_number++;
  if (array->role == WB_INOUT && before &&
      memcmp(before + i * bytes, (const char *)c->got + i * bytes, bytes) == 0)
    pattern->unchanged++;

  const wb_matrix *shape = &pattern->shape;
  const size_t rows = shape->rows, cols = shape->cols, row = i / shape->pitch, col = i % shape->pitch;
  const size_t map_rows = rows < WB_MAP_ROWS ? rows : WB_MAP_ROWS;
  const size_t map_cols = cols < WB_MAP_COLS ? cols : WB_MAP_COLS;
  const bool padding = wb_in_padding(shape, i);
  pattern->in_padding += padding;
  pattern->after_row += padding && col == cols;
  pattern->map[row * map_rows / rows][padding ? WB_MAP_COLS : col * map_cols / cols]++;
}

/* The difference of equal infinities is NaN, so equality is tested first. A NaN fails both tests, except
 * where it is expected; the poison is a NaN that was never written. Of two zeros with unequal signs, where that
 * counts, the error is no larger than it must be. */
double wb_error(wb_type type, const void *array, size_t i, wb_expected expected) {
  const double want = expected.value, got = wb_element(type, array, i);
  if (got == want)
    return expected.zero_has_sign && got == 0 && !signbit(got) != !signbit(want) ? DBL_TRUE_MIN : 0;
  if (isnan(want) && isnan(got) && !is_poison(array, wb_type_bytes(type), i)) return 0;
  return fabs(got - want);
}

static void check_part(void *argument, int part, size_t first, size_t last) {
  checking *c = argument;
  struct partial *p = &c->part[part];
  const wb_type type = c->task->arrays[c->array].type;
  for (size_t k = first; k < last; k++) {
    size_t i = k;
    if (c->window)
      i = c->window[k / WB_WINDOW] + k % WB_WINDOW;
    else if (c->sample)
      i = k == 0 ? 0 : k == 1 ? c->count - 1 : (size_t)(wb_random(c->key, k) % c->count);
    const wb_expected want = c->task->expect(c->inputs, c->array, i);
    const double got = wb_element(type, c->got, i);
    const double error = wb_error(type, c->got, i, want);
    if (want.tolerance > p->max_tolerance) p->max_tolerance = want.tolerance;
    if (want.tolerance > 0) {
      p->least_tolerance = p->least_tolerance > 0 ? fmin(p->least_tolerance, want.tolerance) : want.tolerance;
      p->max_share = fmax(p->max_share, error / want.tolerance);
    }
    /* Where a sum is infinite or no number, so may be its tolerance, which then allows nothing. */
    if (error == 0 || (isfinite(want.tolerance) && error <= want.tolerance)) {
      if (error > p->max_error) p->max_error = error;
      continue;
    }
    p->max_error = isfinite(error) ? fmax(p->max_error, error) : INFINITY;
    if (p->pattern.wrong == 0 || i < p->pattern.first) {
      p->expected = want.value;
      p->value = got;
      p->tolerance = want.tolerance;
    }
    const size_t before = p->pattern.first;
    note_wrong(c, &p->pattern, i, got);
    /* Samples come in no order: keep the smallest wrong index. */
    if (i < before) p->pattern.first = i;
  }
}

/* Adds the results of one thread to those of the threads before it. */
static void join_pattern(wb_pattern *all, const wb_pattern *part) {
  if (part->wrong == 0) return;
  if (all->wrong == 0) {
    const wb_matrix shape = all->shape;
    *all = *part;
    all->shape = shape;
    return;
  }
  const size_t distance = part->first > all->first ? part->first - all->first : all->first - part->first;
  all->stride = divisor(divisor(distance, all->stride), part->stride);
  if (part->first < all->first) all->first = part->first;
  if (part->last > all->last) all->last = part->last;
  all->wrong += part->wrong;
  all->never_written += part->never_written;
  all->unchanged += part->unchanged;
  all->not_a_number += part->not_a_number;
  all->in_padding += part->in_padding;
  all->after_row += part->after_row;
  for (int r = 0; r < WB_MAP_ROWS; r++)
    for (int c = 0; c <= WB_MAP_COLS; c++) all->map[r][c] += part->map[r][c];
}

static void check_array(checking *c, wb_verdict *verdict) {
  const size_t looks = c->sample ? c->sample : c->count;
  const wb_matrix shape = wb_shape(c->task, c->inputs, c->array);
  memset(c->part, 0, WB_MAX_THREADS * sizeof *c->part);
  for (int p = 0; p < WB_MAX_THREADS; p++) c->part[p].pattern.shape = shape;
  if (looks > 0) wb_parallel(looks, c->sample ? 256 : 16384, check_part, c);

  wb_pattern pattern = {.shape = shape};
  struct partial *earliest = NULL;
  for (int p = 0; p < WB_MAX_THREADS; p++) {
    struct partial *part = &c->part[p];
    verdict->max_error = fmax(verdict->max_error, part->max_error);
    verdict->max_tolerance = fmax(verdict->max_tolerance, part->max_tolerance);
    verdict->max_share = fmax(verdict->max_share, part->max_share);
    if (part->least_tolerance > 0)
      verdict->least_tolerance = verdict->least_tolerance > 0
                                     ? fmin(verdict->least_tolerance, part->least_tolerance)
                                     : part->least_tolerance;
    if (part->pattern.wrong && (!earliest || part->pattern.first < earliest->pattern.first)) earliest = part;
    join_pattern(&pattern, &part->pattern);
  }
  verdict->count += looks;
  verdict->wrong += pattern.wrong;
  if (earliest && verdict->array < 0) {
    verdict->array = c->array;
    verdict->expected = earliest->expected;
    verdict->got = earliest->value;
    verdict->tolerance = earliest->tolerance;
    verdict->pattern = pattern;
  }
}

bool wb_check(const wb_task *task, const wb_case *inputs, void *const *got, size_t sample, uint64_t key,
              wb_verdict *verdict) {
  *verdict = (wb_verdict){.array = -1};
  struct partial *part = malloc(WB_MAX_THREADS * sizeof *part);
  wb_layout layout;
  if (!part || !wb_arena_layout(task, &inputs->size, &layout)) {
    free(part);
    return false;
  }
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) {
    if (task->arrays[a].role == WB_IN) continue;
    checking c = {.task = task, .inputs = inputs, .got = got[a], .array = a, .key = key, .part = part};
    c.count = task->arrays[a].count(inputs);
    c.sample = sample && sample < c.count ? sample : 0;
    size_t start[WB_WINDOWS];
    if (layout.head[a]) {
      c.window = start;
      c.sample = WB_WINDOW * (size_t)wb_large_windows(task, &layout, a, key, start);
    }
    check_array(&c, verdict);
  }
  free(part);
  return true;
}

int wb_check_untouched(const wb_task *task, const wb_case *inputs, void *const *got, size_t *index) {
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) {
    const wb_array *array = &task->arrays[a];
    if (array->role == WB_IN) continue;
    const size_t count = array->count(inputs), bytes = wb_type_bytes(array->type);
    for (size_t i = 0; i < count; i++) {
      const char *now = (const char *)got[a] + i * bytes,
                 *before = (const char *)inputs->array[a] + i * bytes;
      const bool same =
          array->role == WB_INOUT ? memcmp(now, before, bytes) == 0 : is_poison(got[a], bytes, i);
      if (!same) {
        *index = i;
        return a;
      }
    }
  }
  return -1;
}

static void poison_part(void *to, int part, size_t first, size_t last) {
  (void)part;
  memset((char *)to + first, 0xFF, last - first);
}

void wb_poison(void *to, size_t bytes) { wb_parallel(bytes, 1 << 20, poison_part, to); }

#define LINE  64
#define WHOLE ((size_t)1 << 20)
#define LOOKS 4096

/* The index of the first of `bytes` bytes in which the two differ; `bytes` if none does. */
static size_t first_difference(const char *a, const char *b, size_t bytes) {
  if (memcmp(a, b, bytes) == 0) return bytes;
  size_t i = 0;
  while (a[i] == b[i]) i++;
  return i;
}

int wb_check_inputs(const wb_task *task, const wb_case *inputs, void *const *now, size_t *byte) {
  const uint64_t key = wb_random_seed();
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) {
    const wb_array *array = &task->arrays[a];
    if (array->role != WB_IN || array->memory == WB_DEVICE) continue;
    const size_t bytes = array->count(inputs) * wb_type_bytes(array->type);
    const char *own = inputs->array[a], *shared = now[a];
    const size_t looks = bytes > WHOLE ? LOOKS : 1, part = bytes > WHOLE ? LINE : bytes;
    for (size_t k = 0; k < looks; k++) {
      const size_t at = k == 0 ? 0 : (size_t)(wb_random(key, k) % (bytes / LINE)) * LINE;
      *byte = at + first_difference(own + at, shared + at, part);
      if (*byte < at + part) return a;
    }
  }
  return -1;
}

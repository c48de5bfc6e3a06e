/* run/short_launch.c: see run/short_launch.h. */
#include "run/short_launch.h"

#define MOST_EACH 16 /* elements of a thread */

/* How many of `right` things each of `threads` threads has, if it is the same number for all; 0: it is not. */
static size_t each_of(size_t threads, size_t right) {
  for (size_t each = 1; each <= MOST_EACH; each *= 2)
    if (threads > 1 && each * threads == right) return each;
  return 0;
}

static size_t add_threads(const wb_shape_of_launch *launch, size_t threads, const char *along, size_t right,
                          size_t total, const char *things, wb_text *text) {
  const unsigned *g = launch->grid, *b = launch->block;
  const size_t each = each_of(threads, right);
  if (each == 0 || right >= total) return 0;
  wb_text_add(
      text,
      "The launch, <<<(%u,%u,%u), (%u,%u,%u)>>>, has %zu threads%s, and the first %zu of %zu %s are right",
      g[0], g[1], g[2], b[0], b[1], b[2], threads, along, right, total, things);
  if (each > 1) wb_text_add(text, ", %zu a thread", each);
  wb_text_add(text, ": there is no thread for the next one.%s\n",
              each == 1 ? " Is the number of blocks rounded down, limited, or made for larger blocks?" : "");
  return each;
}

size_t wb_short_launch(const wb_task *task, const wb_verdict *verdict, const wb_launched *launched,
                       wb_text *text) {
  const wb_pattern *p = &verdict->pattern;
  const wb_matrix *m = &p->shape;
  if (!launched->known || launched->launches != 1 || launched->shapes != 1 || p->in_padding > 0) return 0;
  if (task->arrays[verdict->array].memory != WB_DEVICE) return 0;
  if (verdict->count < wb_elements(m) || (p->unchanged < p->wrong && p->never_written < p->wrong)) return 0;
  const wb_shape_of_launch *launch = &launched->shape[0];
  const unsigned *g = launch->grid, *b = launch->block;
  const size_t in_x = (size_t)g[0] * b[0], in_yz = (size_t)g[1] * g[2] * b[1] * b[2];
  const size_t row = p->first / m->pitch, column = p->first % m->pitch;
  if (m->rows == 1) return add_threads(launch, in_x * in_yz, "", p->first, m->cols, "elements", text);
  const size_t each = column ? 0 : add_threads(launch, in_yz, " in y and z", row, m->rows, "rows", text);
  return each || row ? each : add_threads(launch, in_x, " in x", column, m->cols, "columns", text);
}

bool wb_no_copy_back(const wb_task *task, const wb_verdict *verdict, const wb_launched *launched,
                     wb_text *text) {
  const wb_pattern *p = &verdict->pattern;
  if (!launched->known || launched->launches == 0 || launched->copies_back > 0) return false;
  if (task->arrays[verdict->array].memory == WB_DEVICE || p->wrong < verdict->count) return false;
  if (p->unchanged < p->wrong && p->never_written < p->wrong) return false;
  wb_text_add(
      text, "Its kernels ran, but no copy went to the host: is there one, and is its destination, the first "
            "argument, the array of the host?\n");
  return true;
}

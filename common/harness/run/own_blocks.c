/* run/own_blocks.c: see run/own_blocks.h. */
#include "run/own_blocks.h"
#include "base/progress.h"
#include "model/random.h"
#include "model/sizes.h"
#include "run/case.h"
#include <string.h>

#define MOST_THREADS 1024

/* n = blocks * threads + more. A thread does 1 element, or 4 as a float4, or 8. */
static const struct {
  unsigned blocks;
  int more;
} around[] = {{1, 1}, {2, -1}, {4, 1}, {4, 2}, {4, 3}, {8, 1}, {8, 3}, {16, 5}};

static bool counts_n(const wb_task *task) {
  return strncmp(task->dims, "n", 1) == 0 && strchr(" ", task->dims[1]);
}

/* The case of the largest n that has a right answer, and launched blocks of one size; NULL: none. */
static wb_case_result *largest(const wb_runner *runner) {
  wb_case_result *found = NULL;
  for (size_t i = 0; i < runner->result->case_count; i++) {
    wb_case_result *c = &runner->result->cases[i];
    if (c->state == WB_RIGHT && !c->must_fail && c->block && (!found || c->size.n[0] > found->size.n[0]))
      found = c;
  }
  return found;
}

bool wb_own_blocks_run(wb_runner *runner, uint64_t key) {
  const wb_task *task = runner->task;
  wb_case_result *base = counts_n(task) && task->step.n[0] <= 1 ? largest(runner) : NULL;
  if (!base || base->block > MOST_THREADS) return true;
  for (size_t k = 0; k < WB_COUNT(around); k++) {
    wb_case_result c = {.size = base->size};
    c.size.n[0] = (size_t)around[k].blocks * base->block + (size_t)around[k].more;
    if (c.size.n[0] >= base->size.n[0]) break;
    wb_progress("%s: %s", task->name, wb_text_size(c.size.n, wb_dims(task)));
    if (wb_case_run(runner, &c, wb_random_key(key, k), 0)) continue;
    *base = c;
    base->varied = true;
    return false;
  }
  return true;
}

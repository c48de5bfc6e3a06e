/* Runs a launch: chooses the order of its blocks and threads, and has the workers run them. */
#include "blocks/run.h"

#include "base/options.h"
#include "state/launch_record.h"
#include "blocks/grid.h"
#include "blocks/pool.h"
#include "blocks/watch.h"

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b ? common_divisor(b, a % b) : a; }

/* A walk through 0 … n-1 that meets each once: n-th is (n * step + offset) % n. */
static void choose_walk(uint64_t n, uint64_t salt, uint64_t *step, uint64_t *offset) {
  *step = 1;
  *offset = 0;
  if (options()->order == ORDER_REVERSE) {
    *step = n - 1 ? n - 1 : 1;
    *offset = n - 1;
  } else if (options()->order == ORDER_RANDOM) {
    *offset = random_of(salt) % n;
    do *step = 1 + random_of(++salt) % n;
    while (common_divisor(*step, n) != 1);
  }
}

void pool_run(struct launch *l) {
  uint64_t step, offset;
  choose_walk(l->blocks, l->op->issue << 8, &l->step, &l->offset);
  choose_walk((uint64_t)l->threads, (l->op->issue << 8) + 128, &step, &offset);
  l->thread_step = (uint32_t)step;
  l->thread_offset = (uint32_t)offset;
  if (!pool_ready()) {
    launch_stop(l, cudaErrorMemoryAllocation);
    return;
  }
  watch_begin(l); /* before any worker runs a block of it, which may fault at once */
  pool_work(l);
  watch_end();
}

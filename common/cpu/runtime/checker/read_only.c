/*
 * __ldg is for memory that no thread writes while the kernel runs: its value may come from a cache that does not see
 * writes. Of the words that a launch reads so, some are kept, the first for each place of a table. At its end those
 * that it has written, too, are reported: as a warning where the same thread writes the word that it has read, since a
 * GPU of today gives the right value then.
 */
#include "checker/read_only.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "state/op.h"
#include "state/sample.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/ids.h"
#include "checker/thread_state.h"

#define PLACES 4096 /* a power of two */

static struct read_only {
  unsigned launch;
  uint32_t who; /* the thread in its block */
  uint64_t block;
  uintptr_t address, pc;
} kept[PLACES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void cucc_read_only(const void *p) {
  const uintptr_t address = (uintptr_t)p & ~(uintptr_t)3;
  struct read_only *r = &kept[address / 4 * 0x9e3779b1u % PLACES];
  if (!cucc_worker || !thread_state.race || address - arena.base >= arena.size ||
      __atomic_load_n(&r->launch, __ATOMIC_RELAXED) == ids.launches)
    return;
  pthread_mutex_lock(&lock);
  *r = (struct read_only){ids.launches, WHO(thread_state.me), block_of(thread_state.me), address, CALLER};
  pthread_mutex_unlock(&lock);
}

static void report(const struct read_only *r, const struct op *op, const struct cell *c) {
  const uintptr_t other = site_table[ARENA_SITES[(r->address - ARENA_BASE) / 4].write];
  const bool own = !(c->write & FLAG) && WHO(c->write) == r->who && block_of(c->write) == r->block;
  if (finding_repeats(TOOL_RACE, own, r->pc, op->launch)) return;
  struct finding f = {
      .tool = TOOL_RACE, .warning = own, .launch = op->launch, .site = r->pc, .other_site = other};
  snprintf(f.sentence, sizeof f.sentence, "__ldg reads what %s of the same kernel writes",
           own ? "the same thread" : "another thread");
  snprintf(f.other, sizeof f.other, "where it is written");
  describe_address(&f, r->address, 4);
  f.cause = "__ldg is only for memory that no thread writes while the kernel runs: read it plainly";
  finding_add(&f);
}

void read_only_judge(const struct op *op) {
  if (!checking(TOOL_RACE) || sampling() || ids.round) return;
  for (size_t i = 0; i < PLACES; i++) {
    const struct read_only *r = &kept[i];
    if (r->launch != ids.launches) continue;
    const struct cell *c = &ARENA_CELLS[(r->address - ARENA_BASE) / 4];
    if (c->write >= RECORD(ids.launch_first) && c->write < SPLIT) report(r, op, c);
  }
}

#endif

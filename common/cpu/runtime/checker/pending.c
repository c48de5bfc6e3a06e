/*
 * Findings that wait: two plain writes that may store the same value, and reads of shared memory that
 * another thread may still write.
 */
#include "checker/pending.h"
#if CUCC_CHECKED
#include <string.h>

#include "state/worker.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "checker/loads.h"
#include "checker/report.h"
#include "checker/thread_state.h"

/* The store that a hook announces has now happened: did it change anything? */
void judge_pending(void) {
  struct thread_state *l = &thread_state;
  const size_t size = l->pending.size;
  if (!size) return;
  l->pending.size = 0;
  const uintptr_t address = l->pending.address;
  const bool same = !memcmp(l->pending.old, (const void *)address, size);
  if (l->pending.store && same) return; /* several threads may set a flag */
  const struct region *r = in_arena(address)                           ? &arena
                           : address - l->shared.base < l->shared.size ? &l->shared
                                                                       : &data;
  if (l->pending.store)
    report_lost(r, &(struct lost){.address = address,
                                  .size = size,
                                  .access = WRITE,
                                  .pc = l->pending.pc,
                                  .load_pc = l->pending.load,
                                  .other = l->pending.other,
                                  .other_pc = l->pending.other_pc,
                                  .other_load_pc = loads_of_store((uint16_t)l->pending.other_pc),
                                  .relation = (enum relation)l->pending.relation});
  else
    report_race(r, address, size, WRITE, l->pending.pc, l->pending.other, true, l->pending.other_pc, same);
}

void judge_unwritten(void) {
  struct thread_state *l = &thread_state;
  for (int i = 0; i < l->unwritten_count; i++) {
    const size_t offset = l->unwritten[i].address - l->shared.base;
    const struct cell *c = &l->shared.cells[offset / 4];
    if (c->write == SPLIT) c = &l->shared.bytes[offset];
    if (c->write < l->block || (c->write & FLAG) || WHO(c->write) == (unsigned)l->unwritten[i].thread)
      report_uninitialised(&l->shared, l->unwritten[i].address, l->unwritten[i].size, l->unwritten[i].pc,
                           l->unwritten[i].block, cucc_worker->index_of[l->unwritten[i].thread],
                           l->unwritten[i].arriving);
  }
  l->unwritten_count = 0;
}

#endif

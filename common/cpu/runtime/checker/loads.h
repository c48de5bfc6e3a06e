#ifndef CUCC_CHECKER_LOADS_H
#define CUCC_CHECKER_LOADS_H

#include "base/base.h"
#include "checker/relation.h"

struct thread_state;

/* The last load of a word by a thread, through a volatile pointer or atomically, or by an atomic operation that
 * changed nothing, such as atomicAdd(p, 0) or an atomicCAS that failed. */
struct load {
  uintptr_t address, pc;
  uint32_t block, thread; /* whose it is: first record of its block, index */
  uint32_t write;         /* the record of the last write of then */
  uintptr_t write_pc;
  enum relation relation; /* of that one to the load */
  uint32_t after;         /* the last write after the load: its own record, if it was such an operation */
};

/* Whether a program has swaps that are tried once: only then are operations that change nothing noted. */
extern bool loads_by_updates;
/* An atomic operation at this place has changed a value. */
void loads_set_changing(uintptr_t pc);
bool loads_changing(uintptr_t pc);

void loads_note(struct thread_state *l, struct load load);
/* The running thread's, or NULL: none, or it gave its place to another one. */
const struct load *loads_find(const struct thread_state *l, uintptr_t address);
void loads_forget(struct thread_state *l, uintptr_t address);
/* Whether atomic loads at this place may belong to updates of several threads, by a load and a store, in no
 * loop that waits. Such an update that loses another one is no data race: the wrong result must show it. So
 * after the load other threads run (hooks/atomics.c). */
extern bool loads_of_updates;
void loads_set_of_update(uintptr_t load_pc);
bool loads_is_of_update(uintptr_t pc);
/* Where a word was loaded that is stored at this site; 0: nowhere. */
void loads_set_store(uint16_t site, uintptr_t load_pc);
uintptr_t loads_of_store(uint16_t site);

#endif

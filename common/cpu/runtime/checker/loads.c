/*
 * Loads and stores that may be two halves of an update: of the words that a thread loaded through volatile
 * pointers or atomically, the newest are kept. Few kernels have any.
 *
 * Where a program has an atomicCAS that is tried once, the other half may also be an atomic operation that
 * leaves the word as it is. Such an operation is a load, and not what another thread's update can lose.
 */
#include "checker/loads.h"
#if CUCC_CHECKED
#include <stdlib.h>

#include "base/needed.h"
#include "memory/shadow.h"
#include "checker/thread_state.h"

#define PLACES 1024 /* a power of two; the next load with the same place takes it */

bool loads_by_updates;
static uintptr_t load_pcs[65536]; /* by the site of the store */
static uintptr_t changing[65536];

static struct load *place_for(const struct thread_state *l, uintptr_t address) {
  return &l->loads[(address / 4 * 0x9e3779b1u ^ WHO(l->me) * 33) % PLACES];
}

void loads_note(struct thread_state *l, struct load load) {
  if (!l->loads) l->loads = needed(calloc(PLACES, sizeof *l->loads));
  load.block = l->block;
  load.thread = WHO(l->me);
  *place_for(l, load.address) = load;
}

const struct load *loads_find(const struct thread_state *l, uintptr_t address) {
  const struct load *load = l->loads ? place_for(l, address) : NULL;
  return load && load->address == address && load->block == l->block && load->thread == WHO(l->me) ? load
                                                                                                   : NULL;
}

void loads_forget(struct thread_state *l, uintptr_t address) {
  if (loads_find(l, address)) place_for(l, address)->address = 0;
}

void loads_set_store(uint16_t site, uintptr_t load_pc) { load_pcs[site] = load_pc; }

void loads_set_changing(uintptr_t pc) { changing[(uint16_t)pc] = pc; }

bool loads_changing(uintptr_t pc) { return changing[(uint16_t)pc] == pc; }

bool loads_of_updates;
static uintptr_t of_updates[65536];

void loads_set_of_update(uintptr_t load_pc) {
  of_updates[(uint16_t)load_pc] = load_pc;
  loads_of_updates = true;
}

bool loads_is_of_update(uintptr_t pc) { return of_updates[(uint16_t)pc] == pc; }

uintptr_t loads_of_store(uint16_t site) { return load_pcs[site]; }

#endif

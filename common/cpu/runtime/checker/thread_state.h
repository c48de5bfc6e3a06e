#ifndef CUCC_CHECKER_THREAD_STATE_H
#define CUCC_CHECKER_THREAD_STATE_H

#include "base/base.h"
#include "memory/shadow.h"

struct op;

#define KNOWN 8

/* Which memory a fence orders: that of the block, or all. */
enum fence { FENCE_NONE, FENCE_BLOCK, FENCE_GRID };

/*
 * What the running thread of the operating system knows while it checks. On the host's threads all windows
 * have size zero, so that every access takes the slow way, which recognises the host.
 */
struct thread_state {
  size_t arena_size;
  uint32_t old_span;                           /* `write` - OLD below this: before this launch */
  uint32_t safe;                               /* records below this are before this launch for sure */
  uint32_t launch;                             /* records from here on are of this launch */
  uint32_t me;                                 /* the running thread's record */
  uint32_t many_warp, many_block, many_blocks; /* `read` of cells with several readers, me among them, now */
  uint32_t block, phase;                       /* first records of this block, and since its last barrier */
  uint32_t phase_span;                         /* phase - block */
  bool phases;                                 /* this block has barriers in memory (checker/seen.c) */
  struct region shared;
  size_t shared_window; /* its size; 0 while all accesses are counted, as arena_size */
  uintptr_t stack;
  size_t stack_size;
  /* allocations that accesses of this launch had to look for; the last one comes first */
  struct {
    uintptr_t start, end;
  } known[KNOWN];
  /* used on slow ways only */
  bool race, init, mem, profile;
  uint32_t next_id, ids_end; /* what is left of its portion of ids */
  unsigned round;
  uint32_t ordered_first, ordered_last; /* an older operation known to be in order */
  uint32_t *acquired;                   /* per worker: what this block has seen released */
  bool acquired_any;
  enum fence fenced; /* the widest fence of this block so far */
  struct {
    uintptr_t address;
    size_t size;
    unsigned char old[16];
    uintptr_t pc, other_pc;
    uint32_t other;
    bool store;       /* no plain write: one through a volatile pointer, or an atomic store */
    uintptr_t load;   /* of its update; 0: none */
    int relation;     /* of the other one to the update */
  } pending;          /* two plain writes met: was it the same value? Known when the store has happened. */
  struct load *loads; /* checker/loads.c; NULL: none yet */
  /* Reads of shared memory that had not been written. When another thread writes it before the next barrier,
   * the fault is the race, which is reported as such; else it is reported at the barrier. */
  struct {
    uintptr_t address, pc;
    size_t size;
    int thread;
    uint3 block;
    bool arriving; /* a copy was under way to there */
  } unwritten[8];
  int unwritten_count;
  unsigned marks;          /* of the next atomic operation: ALONE, BLOCK_SCOPE */
  uintptr_t volatile_read; /* acquires, too, but only when it has happened: at the next access that looks */
  const struct op *callback;
};

/* NO_INIT: nothing is said about the value (padding in a copied structure); an atomic write without it
 * reads, too. VOLATILE: atomic only in that it is volatile. SWAP: a compare-and-swap. RANGE: a copy of a
 * structure. ALONE: in no loop that would try again, and its result is not used. BLOCK_SCOPE: atomic only among
 * the threads of a block. LOAD and STORE: one half of what may be an update, through a volatile pointer or by
 * atomic functions that do nothing else. */
enum access {
  READ = 0,
  WRITE = 1,
  ATOMIC = 2,
  UNALIGNED = 4,
  NO_INIT = 8,
  VOLATILE = 16,
  SWAP = 32,
  RANGE = 64,
  ALONE = 128,
  BLOCK_SCOPE = 256,
  LOAD = 512,
  STORE = 1024,
  WHOLE = 2048, /* a compare-and-swap by which we update a whole number */
  OBJECT = 4096 /* an operation on a barrier in memory */
};
extern __thread struct thread_state thread_state IN_PROGRAM;

/* One more reader in the same segment of the block: which record stands for all of them? Inline, because with
 * a call in them the fast ways of hooks/hooks.c would save registers at each access. */
static inline __attribute__((always_inline)) uint32_t merge_readers(const struct thread_state *l,
                                                                    uint32_t read) {
  const uint32_t warp = read & FLAG ? WHO(read) : WHO(read) / 32; /* a number from 32 on is no warp */
  if (read == l->many_block || read == l->many_warp || read == l->me) return read;
  if (warp != WHO(l->many_warp)) return l->many_block;
  return ID(read) == ID(l->me) ? l->many_warp : l->me; /* the warp has synchronised since: the newer one */
}

#endif

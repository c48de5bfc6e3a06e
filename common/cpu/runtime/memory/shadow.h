/*
 * The shadow: what the checker keeps of each piece of memory.
 *
 * Each four bytes of memory have a cell: who wrote there last, who read there last. A record is
 *
 *     | id: 21 bits | flag | who: 10 bits |
 *
 * An id stands for a segment of a block between two barriers (of a warp, where warps synchronise on their
 * own), or for a copy. Ids of one worker only grow, so "before my block's last barrier" and "before this
 * launch" are comparisons. In `write`, flag means atomic and `who` is the thread. In `read`, flag means that
 * there were several readers, and `who` says how far apart they were: the number of their warp, or
 * MANY_IN_BLOCK, or MANY_BLOCKS. Several threads that updated the cell by atomic operations are noted there,
 * too (ATOMICS_…), as `write` has room for the last one only.
 *
 * Atomic operations on a word do not make a race of each other, but with what was read or written there
 * plainly: so the last plain write and read before them are kept, too (struct plain). That memory is touched
 * only where atomic operations are.
 *
 * Four bytes that were accessed in parts, so that their records differ, have a split cell: a record for each
 * byte, but in the arena in four bits each (split.c), so that all that is kept of memory, of whatever type,
 * is four times its size. Exact are
 *   - always: which bytes were ever written; the record of an access until another byte of its word is
 *     accessed; all records of shared memory
 *   - among the four: the newest write's id and the newest read's, and all records with these ids of up to
 *     ten threads in a row (four, where it is atomic), or of several
 * What cannot be stored so is dropped from the older records: their write becomes OLD, their read none. So a
 * race with an access older than the newest of a neighbouring byte, of another block or segment or of a thread
 * far off, may be missed at this byte; none is made up.
 *
 * Records of earlier launches are never cleared: their ids are small. When ids run out, all records are
 * forgotten at once (checker/past.c).
 */
#ifndef CUCC_MEMORY_SHADOW_H
#define CUCC_MEMORY_SHADOW_H

#include "base/base.h"
#include "base/check.h"
#include "memory/arena.h"

#define WHO_BITS  11
#define FLAG      1024u
#define WHO(r)    ((r)&1023u)
#define ID(r)     ((r) >> WHO_BITS)
#define RECORD(i) ((uint32_t)(i) << WHO_BITS)
#define ID_MAX    (HOST_FIRST - 16384) /* each worker may still take a portion */

/* Ids of what the host does to memory that kernels touch, too (checker/early_access.c). */
#define RECORD_IDS (1u << 21)
#define HOST_FIRST (RECORD_IDS / 8 * 7 - 2048)
#define HOST_LAST  (RECORD_IDS / 8 * 7 - 1)
#define BY_HOST(r) (ID(r) >= HOST_FIRST)

#define MANY_IN_BLOCK    (FLAG | 32u)
#define MANY_BLOCKS      (FLAG | 33u)
#define ATOMICS_IN_BLOCK (MANY_IN_BLOCK | 2u)
#define ATOMICS_BLOCKS   (MANY_BLOCKS | 2u)
#define BY_ATOMICS(r)    (((r) & (FLAG | 1022u)) == ATOMICS_IN_BLOCK)

/* Values of `write` that are no record. */
#define NOTHING  0u                         /* never written, as far as we know */
#define SPLIT    RECORD(RECORD_IDS / 8 * 7) /* and all above: accessed in parts (split.c) */
#define OLD      RECORD(1)                  /* initialised, long ago: the smallest record */
#define FIRST_ID 2u

struct cell {
  uint32_t write, read;
};
/* Where the last write and the last read were: the low half of the return address; site_table has the
 * rest. */
struct sites {
  uint16_t write, read;
};

/* What a word's cell held before atomic operations: the last plain write, and the plain reads. */
struct plain {
  uint32_t write, read;
  struct sites sites;
};

/* Shadow of the arena, at fixed places: for each byte two of cells, one of sites, one of codes where cells
 * are split, and three of what was plain where there are atomic operations. */
#define CELLS_BASE  ((uintptr_t)0x210000000000)
#define SITES_BASE  ((uintptr_t)0x220000000000)
#define CODES_BASE  ((uintptr_t)0x230000000000)
#define PLAIN_BASE  ((uintptr_t)0x240000000000)
#define ARENA_CELLS ((struct cell *)CELLS_BASE)
#define ARENA_SITES ((struct sites *)SITES_BASE)
#define ARENA_CODES ((unsigned char *)CODES_BASE)
#define ARENA_PLAIN ((struct plain *)PLAIN_BASE)

/* A piece of memory with its shadow. */
struct region {
  uintptr_t base;
  size_t size;
  struct cell *cells;
  struct cell *bytes;   /* of split cells; NULL in the arena, which has codes */
  unsigned char *codes; /* instead of them */
  struct sites *sites;
  struct plain *plain;
};

CHECK(void check_start(void))
CHECK(void check_allocated(uintptr_t address, size_t size))
CHECK(void check_freed(uintptr_t address, size_t size))
/* Memory of the device that holds values from the start. */
CHECK(void check_initialised(uintptr_t address, size_t size))
/* A shared object with kernels was loaded */
CHECK(void check_module(void *handle))
extern uintptr_t site_table[65536];
extern uint16_t site_kind[65536]; /* VOLATILE, SWAP, ALONE, LOAD and so on: what the access there is */
static inline uint16_t site_of(uintptr_t pc) {
  const uint16_t s = (uint16_t)pc;
  if (UNLIKELY(site_table[s] != pc)) site_table[s] = pc;
  return s;
}

extern struct region arena, data; /* device and pinned memory; the program's own variables */
void shadow_start(void);
void shadow_forget(void);
bool shadow_is_program(uintptr_t address);
/* Visits the records of [address, address + size), within a word of the arena, byte by byte. */
void shadow_each_byte(uintptr_t address, size_t size,
                      void (*visit)(struct cell *c, uintptr_t at, void *context), void *context);
/* Visits the cells of [address, address + size) of the arena, whole ones one by one; of split ones, and at
 * torn ends, those of single bytes. Inline, because copies visit millions. */
static inline __attribute__((always_inline)) void
shadow_each(uintptr_t address, size_t size, void (*visit)(struct cell *c, uintptr_t at, void *context),
            void *context) {
  const uintptr_t end = address + size;
  for (uintptr_t next; address < end; address = next) {
    struct cell *c = &ARENA_CELLS[(address - ARENA_BASE) / 4];
    next = (address | 3) + 1 < end ? (address | 3) + 1 : end;
    if (c->write < SPLIT && next - address == 4)
      visit(c, address, context);
    else
      shadow_each_byte(address, next - address, visit, context);
  }
}

#endif

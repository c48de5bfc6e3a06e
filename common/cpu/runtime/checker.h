/*
 * The checker's inner interface (checked build only).
 *
 *   hooks.c    what the compiler calls before each access; answers the common cases in a few instructions
 *   atomics.c  the same for atomic operations
 *   judge.c    all other cases: is this access in order with the last ones of other threads
 *   shadow.c   where the records are; copies and memsets; freed memory
 *   split.c    words that are accessed in parts
 *   shared.c   what in thread-local storage is __shared__
 *   order.c    identifiers: when accesses happened; operations that may overlap; fences
 *   host.c     accesses of the host, copies that are still on their way
 *   sync.c     barriers
 *   turn.h     at each turn of a thread
 *   extents.c  matrices and vectors that libraries read and write
 *   variables.c  device variables
 *   bounds.c   the compiler's checks of array indices
 *   report.c   sentences
 *
 * Each four bytes of memory have a cell: who wrote there last, who read there last. A record is
 *
 *     | id: 21 bits | flag | who: 10 bits |
 *
 * An id stands for a stretch of a block between two barriers (of a warp, where warps synchronise on their
 * own), or for a copy. Ids of one worker only grow, so "before my block's last barrier" and "before this
 * launch" are comparisons. In `write`, flag means atomic and `who` is the thread. In `read`, flag means that
 * there were several readers, and `who` tells how far apart: the number of their warp, or MANY_IN_BLOCK, or
 * MANY_BLOCKS. Several threads that updated the cell by atomic operations are noted there, too (ATOMICS_…),
 * as `write` has room for the last one only.
 *
 * Four bytes that were accessed in parts, so that their records differ, have a split cell: a record for each
 * byte, but in the arena in four bits each (split.c), so that all that is kept of memory, of whatever type,
 * is four times its size. Exact are
 *   - always: which bytes were ever written; the record of an access until another byte of its word is
 *     accessed; all records of shared memory
 *   - among the four: the newest write's id and the newest read's, and all records with these ids of up to
 *     ten threads in a row (four, where it is atomic), or of several
 * What cannot be told so is forgotten from the older: its write becomes OLD, its read none. So a race with
 * an access older than the newest of a neighbouring byte, of another block or stretch or of a thread far off,
 * may be missed at this byte; none is made up.
 *
 * Records of earlier launches are never cleared: their ids are small. When ids run out, all records are
 * forgotten at once (order.c).
 */
#ifndef CUCC_CHECKER_H
#define CUCC_CHECKER_H

#include "block.h"
#include "check.h"
#include "findings.h"

#define WHO_BITS  11
#define FLAG      1024u
#define WHO(r)    ((r)&1023u)
#define ID(r)     ((r) >> WHO_BITS)
#define RECORD(i) ((uint32_t)(i) << WHO_BITS)
#define ID_MAX    (HOST_FIRST - 16384) /* each worker may still take a portion */

/* Ids of what the host does to memory that kernels touch, too (beside.c). */
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
/* Where the last write and the last read were: the low half of the return address; site_table has the rest.
 */
struct sites {
  uint16_t write, read;
};
extern uintptr_t site_table[65536];
extern unsigned char site_kind[65536]; /* VOLATILE, SWAP: what the access there is */
static inline uint16_t site_of(uintptr_t pc) {
  const uint16_t s = (uint16_t)pc;
  if (UNLIKELY(site_table[s] != pc)) site_table[s] = pc;
  return s;
}

/* Shadow of the arena, at fixed places: for each byte two of cells, one of sites, and one of codes where
 * cells are split. */
#define CELLS_BASE  ((uintptr_t)0x210000000000)
#define SITES_BASE  ((uintptr_t)0x220000000000)
#define CODES_BASE  ((uintptr_t)0x230000000000)
#define ARENA_CELLS ((struct cell *)CELLS_BASE)
#define ARENA_SITES ((struct sites *)SITES_BASE)
#define ARENA_CODES ((unsigned char *)CODES_BASE)

/* A piece of memory with its shadow. */
struct region {
  uintptr_t base;
  size_t size;
  struct cell *cells;
  struct cell *bytes;   /* of split cells; NULL in the arena, which has codes */
  unsigned char *codes; /* instead of them */
  struct sites *sites;
};

/*
 * What the running thread of the operating system knows while it checks. On the host's threads all windows
 * have size zero, so that every access takes the slow way and is told apart there.
 */
struct lane {
  size_t arena_size;
  uint32_t old_span;                           /* `write` - OLD below this: before this launch */
  uint32_t safe;                               /* records below this are before this launch for sure */
  uint32_t launch;                             /* records from here on are of this launch */
  uint32_t me;                                 /* the running thread's record */
  uint32_t many_warp, many_block, many_blocks; /* `read` of cells with several readers, me among them, now */
  uint32_t block, phase;                       /* first records of this block, and since its last barrier */
  uint32_t phase_span;                         /* phase - block */
  struct region shared;
  size_t shared_window; /* its size; 0 while all accesses are counted, as arena_size */
  uintptr_t stack;
  size_t stack_size;
  uintptr_t known, known_end; /* the allocation of the last access that had to look */
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
  } pending; /* two plain writes met: was it the same value? Known when the store has happened. */
  /* Reads of shared memory that nobody had written. When another thread writes it before the next barrier,
   * the fault is the race, which is reported as such; else it is reported at the barrier. */
  struct {
    uintptr_t address, pc;
    size_t size;
    int thread;
    uint3 block;
    bool arriving; /* a copy was under way to there */
  } unwritten[8];
  int unwritten_count;
  uintptr_t volatile_read; /* acquires, too, but only when it has happened: at the next access that looks */
  const struct op *callback;
};
extern __thread struct lane lane;

/* One more reader in the same stretch of the block: who stands for all of them? Inline, because with a call
 * in them the fast ways of hooks.c would save registers at each access. */
static inline __attribute__((always_inline)) uint32_t merge_readers(const struct lane *l, uint32_t read) {
  const uint32_t warp = read & FLAG ? WHO(read) : WHO(read) / 32; /* a number from 32 on is no warp */
  if (read == l->many_block || read == l->many_warp || read == l->me) return read;
  if (warp != WHO(l->many_warp)) return l->many_block;
  return ID(read) == ID(l->me) ? l->many_warp : l->me; /* the warp has synchronised since: the newer one */
}

/* NO_INIT: nothing is said about the value (padding in a copied structure); an atomic write without it reads,
 * too. VOLATILE: atomic only in that it is volatile. SWAP: a compare-and-swap. RANGE: a copy of a structure.
 */
enum access {
  READ = 0,
  WRITE = 1,
  ATOMIC = 2,
  UNALIGNED = 4,
  NO_INIT = 8,
  VOLATILE = 16,
  SWAP = 32,
  RANGE = 64
};

/* judge.c: any access that the fast ways did not settle. Does not return when the access must not happen. */
void judge(uintptr_t address, size_t size, unsigned access, uintptr_t pc);
void judge_pending(void);
/* A barrier or the end of a block: reports the reads of unwritten shared memory since the last one. */
void judge_unwritten(void);

/* shadow.c */
extern struct region arena, data; /* device and pinned memory; the program's own variables */
void shadow_start(void);
void shadow_forget(void);
bool shadow_is_program(uintptr_t address);
/* Visits the cells of [address, address + size) of the arena, whole ones one by one; of split ones, and at
 * torn ends, those of single bytes. */
void shadow_each(uintptr_t address, size_t size, void (*visit)(struct cell *c, uintptr_t at, void *context),
                 void *context);
/* A stretch of the arena that an operation reads or writes: judges and notes it. Returns the first address
 * that nobody had written, or 0. */
struct piece {
  const struct op *op;
  uint32_t record, safe;
  bool writes, reported; /* reported: a race was, no further one will be */
};
uintptr_t check_piece(struct piece *piece, uintptr_t address, size_t size);

/* split.c */
/* The records of bytes [first, end) of a word; and their way back. */
void split_load(const struct region *r, size_t index, struct cell four[4], size_t first, size_t end);
void split_store(const struct region *r, size_t index, const struct cell four[4], size_t first, size_t end);
/* Whether a byte of the arena was ever written. */
bool split_written(uintptr_t address);

/* shared.c */
struct variable {
  size_t offset, size; /* in thread-local storage */
  bool guard;          /* the compiler's own, of a variable with a constructor: "it has been called" */
  char name[96];
};
void shared_start(void);
/* This thread's storage and its shadow, made at the first call. */
struct region shared_region(void);
void shared_free(struct region *r);
/* The variable at an offset, or the nearest one before it; NULL when there is none. */
const struct variable *shared_variable(size_t offset);
/* The variable that an access at an offset may have been meant for: in the gap between two, the nearer one.
 */
const struct variable *shared_variable_near(size_t offset);
size_t shared_dynamic_offset(void);

/* arriving.c: whether a copy is under way to an address of this block's shared memory. */
bool arriving_at(uintptr_t address);
void arriving_block_begins(const struct worker *w);

/* order.c */
enum relation { IN_ORDER, SAME_WARP, SAME_BLOCK, OTHER_BLOCK, OTHER_OPERATION, THE_HOST };
enum relation relation_of(struct lane *l, uint32_t record, bool read);
struct past { /* an operation that has run */
  uint32_t first, last, slot;
  uint64_t seq;
  int stream;
  uintptr_t site;
  char name[64], file[128];
  int line;
};
const struct past *past_of(uint32_t record);
/* For the host: work that made this record and that the host has not waited for is copied to *found. */
bool order_behind(uint32_t record, struct past *found);
/* The block, by its linear index, that a record of this launch is of. */
uint64_t block_of(uint32_t record);
/* An id for a copy; *safe: records below are before it. */
uint32_t order_operation(const struct op *op, uint32_t *safe);
bool order_unordered(const struct op *op, uint32_t record);
/* Around an atomic operation: release before it, acquire after it. */
/* `fence`: that of the operation itself. */
void order_release(struct lane *l, uintptr_t address, enum fence fence);
void order_acquire(struct lane *l, uintptr_t address);
void order_new_id(struct worker *w, struct warp *warp);

/* Drops operations that nothing can overlap any more; with cucc.lock held. */
void order_prune(void);
void order_barrier(struct worker *w);
/* Another thread takes its turn: what waits for the running one's next access is settled now. */
void order_settle(void);
/* The record was stamped by the running worker; of its block when not smaller than lane.block. */
bool order_mine(uint32_t record);

/* beside.c */
#define BESIDE_CAUSE                                                                                         \
  "a missing cudaDeviceSynchronize (cudaStreamSynchronize, cudaEventSynchronize) between the launch and "    \
  "what the host does with its memory"
bool beside_in_order(const struct op *op, uint32_t record);
void beside_queued(void);
void beside_all_waited(void);
/* The host touches pinned or managed memory. */
void beside_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc);

/* host.c */
void host_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc);

/* variables.c */
/* Allocation and index of a finding, where the address is a device variable's. */
bool variable_describe(struct finding *f, uintptr_t address, size_t element);
/* The records of a kernel's access to a device variable; NULL when it is none, or not all of it. Of use until
 * the thread's next call. */
const struct region *variable_region(uintptr_t address, size_t size);
bool variable_is_constant(uintptr_t address);
/* These report, or fill in a finding, and tell whether the address is a device variable's at all. */
bool variable_host_access(uintptr_t address, size_t size, bool writes, uintptr_t pc);
bool variable_explain(struct finding *f, const char *who, const char *verb, uintptr_t address, size_t size,
                      bool writes);
bool variable_explain_copy(struct finding *f, const char *call, const void *p, const char *side,
                           size_t bytes);

/* report.c */
void report_bad_address(uintptr_t address, size_t size, unsigned access, uintptr_t pc)
    __attribute__((noreturn));
void report_misaligned(uintptr_t address, size_t size, unsigned access, uintptr_t pc)
    __attribute__((noreturn));
void report_uninitialised(const struct region *r, uintptr_t address, size_t size, uintptr_t pc, uint3 block,
                          uint3 thread, bool arriving);
void report_race(const struct region *r, uintptr_t address, size_t size, unsigned access, uintptr_t pc,
                 uint32_t other, bool other_writes, uintptr_t other_pc, bool same_value);
void report_copy_race(const struct op *op, uintptr_t address, bool writes, uint32_t other, bool other_writes);
void report_empty_copy(const struct op *op);
/* A copy that does not come after the cudaMallocAsync of its memory. */
void report_early_copy(const struct op *op, const struct allocation *a);
/* Fills allocation and index of a finding. */
/* "thread (1,0,0) of block (2,0,0)" */
void thread_text(char *out, size_t size, const struct finding *f);
void describe_address(struct finding *f, uintptr_t address, size_t size);

#endif

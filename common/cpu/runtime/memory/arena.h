#ifndef CUCC_MEMORY_ARENA_H
#define CUCC_MEMORY_ARENA_H

#include "base/base.h"
#include "base/clock.h"
#include "memory/symbol.h"

enum space { SPACE_DEVICE, SPACE_PINNED, SPACE_REGISTERED, SPACE_VARIABLE, SPACE_MANAGED };

struct allocation {
  uintptr_t start;
  size_t size;
  enum space space;
  bool freed;
  bool mapped; /* the program asked for its device pointer */
  int device;
  unsigned flags, epoch;
  uintptr_t site, freed_site;
  const char *call;
  uint64_t freed_number;           /* the how many-th that was freed */
  uint32_t made_slot;              /* cudaMallocAsync: its place in a stream */
  uint64_t made_seq;               /* 0: made by another call */
  uint32_t copied_slot;            /* of pinned memory: the last copy from or to it, its place in a stream */
  uint64_t copied_seq;             /* 0: there was none */
  uint64_t free_issue;             /* cudaFreeAsync was asked for; its place among all operations */
  struct device_variable variable; /* with SPACE_VARIABLE: which one */
};

/* An allocation of so many bytes or more starts on a large page and has the rest of its last one to itself, so
 * that it and its records (memory/shadow.h) can have large pages. */
#define LARGE_PAGE ((size_t)2 << 20)

/* All memory but the registered has fixed places, so that a pointer's kind is two comparisons. */
#define ARENA_BASE   ((uintptr_t)0x200000000000)
#define DEVICE_SIZE  ((size_t)1 << 38) /* the devices share it evenly */
#define PINNED_BASE  (ARENA_BASE + DEVICE_SIZE)
#define PINNED_SIZE  ((size_t)1 << 36)
#define MANAGED_BASE (PINNED_BASE + PINNED_SIZE)
#define MANAGED_SIZE ((size_t)1 << 36)
#define ARENA_SIZE   (DEVICE_SIZE + PINNED_SIZE + MANAGED_SIZE)

/* Finds room for a new allocation of a->size bytes and sets a->start; 0 when there is none, or when more than
 * `most` bytes of its kind would be in use. poison: fills it with bytes 0xff. */
uintptr_t arena_add(struct allocation *a, size_t most, bool poison);
/* Frees the allocation of this kind that starts there; false when there is none. A site of 0 leaves the one
 * that is known. `freed` is called before the place can be given to another allocation. */
bool arena_free(uintptr_t address, enum space space, uintptr_t site,
                void (*freed)(uintptr_t address, size_t size));
/* Changes the live allocation that starts there; false when there is none. */
bool arena_update(uintptr_t address, void (*change)(struct allocation *a, void *context), void *context);
cudaError_t arena_register(const struct allocation *a);
bool arena_unregister(uintptr_t start);
/* Memory of a device for its values of the program's variables: no call frees it. 0 when there is none. */
uintptr_t memory_for_variables(int device, size_t size);
static inline bool is_device(uintptr_t a) { return a - ARENA_BASE < DEVICE_SIZE; }
static inline bool is_managed(uintptr_t a) { return a - MANAGED_BASE < MANAGED_SIZE; }
static inline bool in_arena(uintptr_t a) { return a - ARENA_BASE < ARENA_SIZE; }

/* Copies the allocation, live or freed, that contains `address`, or in the arena the one closest to it, to
 * *found; false when there is none. Takes no lock but its own: kernels may ask. */
bool memory_find(uintptr_t address, struct allocation *found);
/* The allocation in the gap after which the address is. It takes no lock that another one holds: for handlers of
 * signals. */
bool memory_past(uintptr_t address, struct allocation *found);
/* The registered memory that is nearest to an address outside of the arena; false when none is registered. */
bool memory_nearest_registered(uintptr_t address, struct allocation *found);
/* The same for a live allocation that holds all of [address, address + size). */
bool memory_contains(uintptr_t address, size_t size, struct allocation *found);
/* The device whose memory an address is in, -1 for the host's and managed memory. */
int memory_device_of(uintptr_t address);
/* Notes that the program has the device pointer of the pinned memory at `address`. */
void memory_set_mapped(uintptr_t address);
/* Notes that a copy from or to the pinned memory at `address` has this place in a stream. */
void memory_set_copied(uintptr_t address, uint32_t slot, uint64_t seq);
/* True when all of [address, address + size) is page-locked. */
bool memory_pinned(uintptr_t address, size_t size);
/* The allocation has its place before an operation with this clock: always, but for cudaMallocAsync. */
static inline bool memory_made_before(const struct allocation *a, const struct clock *c) {
  return !a->made_seq || clock_get(c, a->made_slot) >= a->made_seq;
}
/* "device memory", for reports. */
const char *memory_name(enum space space);
/* An operation of a device begins or ends. With cucc_without(CUCC_HOST_ACCESS) the process cannot access memory that
 * programs allocated on devices unless one runs. */
void memory_guard(bool running);
size_t memory_live(enum space space);
size_t memory_live_on(int device);
/* The most bytes of managed memory that were allocated at a time. */
size_t memory_managed(void);
void memory_each(void (*visit)(const struct allocation *a, void *context), void *context);
/* Bytes of the made-up device. */
size_t memory_total(void);

#endif

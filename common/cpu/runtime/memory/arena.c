/*
 * Where memory is, and what is known of it.
 *
 *   ARENA_BASE               PINNED_BASE        MANAGED_BASE
 *   | device 0 | device 1 … | pinned host memory | managed memory |
 *     gap [allocation] gap [allocation] gap …
 *
 * Each kind of memory has addresses of its own. They are given in turn and not again until they run out, so
 * that a pointer to freed memory goes on pointing at nothing. Each allocation starts on a page of its own,
 * with an unmapped gap of a page after it; one of LARGE_PAGE or more starts on a large page. What was freed
 * is remembered for reports, the last REMEMBERED at least.
 */
#include "memory/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cucc.h"

#include "base/options.h"
#include "base/page.h"
#include "state/without.h"
#include "memory/symbol.h"

#define REMEMBERED 16384
/* The system allows a process some 65530 mappings. From so many allocations on the gaps are mapped too:
 * neighbours become one mapping. */
#define MANY 16384

struct table {
  struct allocation *at; /* by address */
  size_t count, room, freed;
  uintptr_t base, next; /* where to look for the next place */
  size_t size, live;    /* bytes: of addresses, of allocations */
  size_t most_live;     /* the most bytes of allocations at a time */
  uint64_t frees;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table devices[DEVICES_MAX];
static struct table pinned = {.base = PINNED_BASE, .next = PINNED_BASE + WB_PAGE, .size = PINNED_SIZE};
static struct table managed = {.base = MANAGED_BASE, .next = MANAGED_BASE + WB_PAGE, .size = MANAGED_SIZE};
static struct table registered = {.base = 0, .size = SIZE_MAX};

static size_t round_to(size_t n, size_t unit) { return (n + unit - 1) & ~(unit - 1); }
static size_t round_page(size_t n) { return round_to(n, WB_PAGE); }

/* An even share for each device, of a power of two. */
static size_t device_slice(void) {
  size_t slice = DEVICE_SIZE;
  for (int n = 1; n < options()->devices; n *= 2) slice /= 2;
  return slice;
}

int memory_device_of(uintptr_t address) {
  return is_device(address) ? (int)((address - ARENA_BASE) / device_slice()) : -1;
}

static struct table *table_of(enum space space, int device) {
  if (space == SPACE_PINNED) return &pinned;
  if (space == SPACE_MANAGED) return &managed;
  if (space == SPACE_REGISTERED) return &registered;
  struct table *t = &devices[device];
  if (!t->base) {
    t->size = device_slice();
    t->base = ARENA_BASE + (size_t)device * t->size;
    t->next = t->base + WB_PAGE;
  }
  return t;
}

static struct table *table_at(uintptr_t address) {
  return is_device(address)    ? table_of(SPACE_DEVICE, memory_device_of(address))
         : is_managed(address) ? &managed
         : in_arena(address)   ? &pinned
                               : &registered;
}

/* ---------------------------------------------------------------------------------------------- tables */

/* Index of the first allocation that starts after `address`. */
static size_t after(const struct table *t, uintptr_t address) {
  size_t low = 0, high = t->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (t->at[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool insert(struct table *t, const struct allocation *a) {
  if (t->count == t->room) {
    const size_t room = t->room ? 2 * t->room : 64;
    struct allocation *more = realloc(t->at, room * sizeof *t->at);
    if (!more) return false;
    t->at = more;
    t->room = room;
  }
  const size_t i = after(t, a->start);
  memmove(t->at + i + 1, t->at + i, (t->count - i) * sizeof *t->at);
  t->at[i] = *a;
  t->count++;
  t->live += a->size;
  if (t->live > t->most_live) t->most_live = t->live;
  return true;
}

static void erase(struct table *t, size_t i) {
  memmove(t->at + i, t->at + i + 1, (t->count - i - 1) * sizeof *t->at);
  t->count--;
}

/* Forgets all freed allocations but the last `kept`. */
static void forget_freed(struct table *t, size_t kept) {
  size_t n = 0;
  t->freed = 0;
  for (size_t i = 0; i < t->count; i++) {
    if (t->at[i].freed && t->frees - t->at[i].freed_number >= kept) continue;
    t->freed += t->at[i].freed;
    t->at[n++] = t->at[i];
  }
  t->count = n;
}

/* From so many bytes on a gap is as large as the array, if there is room: an index that has passed 2^31 and is negative
 * then falls into it, and not into the array before. */
#define BEYOND_INT ((size_t)1 << 32)

/* A place for `pages` bytes with a gap after it; 0 when there is none. At the end of the addresses once more
 * from their beginning, where freed allocations leave room, and then with a small gap. */
static uintptr_t take(struct table *t, size_t pages) {
  const uintptr_t end = t->base + t->size;
  const size_t align = pages >= LARGE_PAGE ? LARGE_PAGE : WB_PAGE;
  for (int lap = 0; lap < 3; lap++) {
    const size_t need = pages + WB_PAGE + (lap < 2 && pages >= BEYOND_INT ? pages : 0);
    for (size_t i = after(t, t->next - 1);; i++) {
      const uintptr_t limit = i < t->count ? t->at[i].start : end;
      const uintptr_t start = round_to(t->next, align);
      if (limit >= start + need) {
        t->next = round_to(start + need, align);
        return start;
      }
      if (i == t->count) break;
      t->next = t->at[i].start + round_page(t->at[i].size) + WB_PAGE;
    }
    forget_freed(t, 0);
    t->next = t->base + WB_PAGE;
  }
  return 0;
}

/* ---------------------------------------------------------------------------------------------- mappings */

static bool map(const struct table *t, uintptr_t start, size_t pages) {
  const size_t gap = t->count - t->freed > MANY ? WB_PAGE : 0;
  void *const p = mmap((void *)(start - gap), pages + gap, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (p == MAP_FAILED) return false;
  if (pages >= LARGE_PAGE) /* the first touch of a page costs more than all else that a simple kernel does */
    madvise((void *)start, pages, MADV_HUGEPAGE);
  return true;
}

/* Where the system cannot take a mapping apart for want of more, its memory goes back all the same. */
static void unmap(uintptr_t start, size_t pages) {
  if (munmap((void *)start, pages)) madvise((void *)start, pages, MADV_DONTNEED);
}

uintptr_t arena_add(struct allocation *a, size_t most, bool poison) {
  const size_t pages = round_page(a->size);
  struct table *t = table_of(a->space, a->device);
  pthread_mutex_lock(&lock);
  a->start = 0;
  if (pages >= a->size && a->size <= most && t->live <= most - a->size) a->start = take(t, pages);
  if (a->start && !map(t, a->start, pages)) a->start = 0;
  if (a->start && poison) memset((void *)a->start, 0xff, a->size); /* before memory_guard may close it */
  if (a->start && !insert(t, a)) {
    unmap(a->start, pages);
    a->start = 0;
  }
  if (a->space == SPACE_VARIABLE && a->start) t->live -= a->size; /* the program's, not what it asked for */
  pthread_mutex_unlock(&lock);
  return a->start;
}

bool arena_free(uintptr_t address, enum space space, uintptr_t site,
                void (*freed)(uintptr_t address, size_t size)) {
  pthread_mutex_lock(&lock);
  struct table *t = table_at(address);
  const size_t i = after(t, address);
  struct allocation *a = i ? &t->at[i - 1] : NULL;
  const bool right = a && a->start == address && !a->freed && a->space == space;
  const size_t size = right ? a->size : 0;
  if (right) {
    a->freed = true;
    a->freed_number = ++t->frees;
    if (site) a->freed_site = site;
    t->live -= size;
    freed(address, size);
    unmap(address, round_page(size));
    if (++t->freed > 2 * REMEMBERED) forget_freed(t, REMEMBERED);
  }
  pthread_mutex_unlock(&lock);
  return right;
}

bool arena_update(uintptr_t address, void (*change)(struct allocation *a, void *context), void *context) {
  pthread_mutex_lock(&lock);
  struct table *t = table_at(address);
  const size_t i = after(t, address);
  struct allocation *a = i ? &t->at[i - 1] : NULL;
  const bool right = a && a->start == address && !a->freed && a->space != SPACE_VARIABLE;
  if (right) change(a, context);
  pthread_mutex_unlock(&lock);
  return right;
}

/* --------------------------------------------------------------------------------------------- registered */

cudaError_t arena_register(const struct allocation *a) {
  pthread_mutex_lock(&lock);
  /* ranges do not overlap, so only the last one that starts before the new one's end can meet it */
  const size_t i = after(&registered, a->start + a->size - 1);
  const struct allocation *before = i ? &registered.at[i - 1] : NULL;
  cudaError_t error = cudaSuccess;
  if (before && before->start + before->size > a->start)
    error = cudaErrorHostMemoryAlreadyRegistered;
  else if (!insert(&registered, a))
    error = cudaErrorMemoryAllocation;
  pthread_mutex_unlock(&lock);
  return error;
}

bool arena_unregister(uintptr_t start) {
  pthread_mutex_lock(&lock);
  const size_t i = after(&registered, start);
  const bool right = i && registered.at[i - 1].start == start;
  if (right) {
    registered.live -= registered.at[i - 1].size;
    erase(&registered, i - 1);
  }
  pthread_mutex_unlock(&lock);
  return right;
}

/* ---------------------------------------------------------------------------------------------- questions */

bool memory_find(uintptr_t address, struct allocation *found) {
  pthread_mutex_lock(&lock);
  const struct table *t = table_at(address);
  const size_t i = after(t, address);
  const struct allocation *before = i ? &t->at[i - 1] : NULL, *next = i < t->count ? &t->at[i] : NULL,
                          *a = before;
  if (t == &registered)
    a = before && address - before->start < before->size ? before : NULL;
  else if (next && (!before || (address - before->start >= before->size &&
                                next->start - address < address - before->start - before->size)))
    a = next;
  if (a) *found = *a;
  pthread_mutex_unlock(&lock);
  if (a && found->space == SPACE_VARIABLE && symbol_find_place(address, &found->variable)) {
    found->start = found->variable.start;
    found->size = found->variable.size;
  }
  return a != NULL;
}

bool memory_past(uintptr_t address, struct allocation *found) {
  if (!in_arena(address) || pthread_mutex_trylock(&lock) != 0) return false;
  const struct table *t = table_at(address);
  const size_t i = after(t, address);
  const bool past = i && !t->at[i - 1].freed && address - t->at[i - 1].start >= t->at[i - 1].size &&
                    address - t->at[i - 1].start < round_page(t->at[i - 1].size) + WB_PAGE;
  if (past) *found = t->at[i - 1];
  pthread_mutex_unlock(&lock);
  return past;
}

void memory_set_mapped(uintptr_t address) {
  pthread_mutex_lock(&lock);
  const struct table *t = table_at(address);
  const size_t i = after(t, address);
  if (i) t->at[i - 1].mapped = true;
  pthread_mutex_unlock(&lock);
}

void memory_set_copied(uintptr_t address, uint32_t slot, uint64_t seq) {
  pthread_mutex_lock(&lock);
  const struct table *t = table_at(address);
  const size_t i = after(t, address);
  if (i) t->at[i - 1].copied_slot = slot, t->at[i - 1].copied_seq = seq;
  pthread_mutex_unlock(&lock);
}

bool memory_nearest_registered(uintptr_t address, struct allocation *found) {
  pthread_mutex_lock(&lock);
  const struct table *t = &registered;
  const size_t i = after(t, address);
  const struct allocation *a = i ? &t->at[i - 1] : NULL, *next = i < t->count ? &t->at[i] : NULL;
  if (next && (!a || next->start - address < address - a->start - a->size)) a = next;
  if (a) *found = *a;
  pthread_mutex_unlock(&lock);
  return a != NULL;
}

bool memory_contains(uintptr_t address, size_t size, struct allocation *found) {
  return memory_find(address, found) && !found->freed && address - found->start < found->size &&
         size <= found->size - (address - found->start);
}

bool memory_pinned(uintptr_t address, size_t size) {
  struct allocation a;
  return memory_contains(address, size, &a) && (a.space == SPACE_PINNED || a.space == SPACE_REGISTERED);
}

const char *memory_name(enum space space) {
  return space == SPACE_PINNED || space == SPACE_REGISTERED ? "pinned host memory"
         : space == SPACE_MANAGED                           ? "managed memory"
                                                            : "device memory";
}

void memory_guard(bool running) {
  static bool was;
  pthread_mutex_lock(&lock);
  const bool closed = !running && without(CUCC_HOST_ACCESS);
  for (int d = 0; d < options()->devices && (closed || was); d++)
    for (size_t i = 0; i < devices[d].count; i++) {
      const struct allocation *a = &devices[d].at[i];
      if (!a->freed && a->space == SPACE_DEVICE)
        mprotect((void *)a->start, round_page(a->size), closed ? PROT_NONE : PROT_READ | PROT_WRITE);
    }
  was = closed;
  pthread_mutex_unlock(&lock);
}

size_t memory_live(enum space space) {
  size_t sum = 0;
  if (space != SPACE_DEVICE) return table_of(space, 0)->live;
  for (int d = 0; d < options()->devices; d++) sum += devices[d].live;
  return sum;
}

size_t memory_managed(void) { return managed.most_live; }

size_t memory_live_on(int device) { return devices[device].live; }

void memory_each(void (*visit)(const struct allocation *a, void *context), void *context) {
  for (int d = 0; d < options()->devices; d++)
    for (size_t i = 0; i < devices[d].count; i++) visit(&devices[d].at[i], context);
  for (size_t i = 0; i < pinned.count; i++) visit(&pinned.at[i], context);
  for (size_t i = 0; i < managed.count; i++) visit(&managed.at[i], context);
}

size_t memory_total(void) {
  const size_t ram = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGE_SIZE);
  const size_t most = (size_t)16 << 30, least = (size_t)1 << 30;
  /* checked: the shadow needs 3 to 4 times as much */
  const size_t share = ram / (CUCC_CHECKED ? 5 : 2) / (size_t)options()->devices & ~(((size_t)1 << 20) - 1);
  return share > most ? most : share < least ? least : share;
}

uintptr_t memory_for_variables(int device, size_t size) {
  struct allocation a = {.size = size, .space = SPACE_VARIABLE, .device = device, .call = ""};
  return arena_add(&a, SIZE_MAX, false);
}

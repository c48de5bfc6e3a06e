/*
 * Device and pinned memory.
 *
 *   ARENA_BASE                          PINNED_BASE
 *   | device memory, 128 GiB of addresses | pinned host memory, 64 GiB |
 *     gap [allocation ][pad] gap [allocation][pad] gap …
 *
 * Addresses are reserved once and never given twice until they run out, so that a pointer to freed memory
 * goes on pointing at nothing. Each allocation starts on a page of its own, with an inaccessible page between
 * neighbours; freed pages go back to the system. New device memory is filled with 0xff (a NaN, or -1): memory
 * that happens to be zero hides a forgotten initialisation.
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "findings.h"
#include "memory.h"

#define PAGE ((size_t)4096)
#define HUGE ((size_t)4 << 20)
#define POISON_MAX                                                                                           \
  ((size_t)64 << 20) /* larger ones are left as the system gives them: filling costs time                    \
                      */

struct table {
  struct allocation *at; /* by address */
  size_t count, room;
  uintptr_t base, next;
  size_t size, live;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table device = {.base = ARENA_BASE, .next = ARENA_BASE + PAGE, .size = DEVICE_SIZE};
static struct table pinned = {.base = PINNED_BASE, .next = PINNED_BASE + PAGE, .size = PINNED_SIZE};
static struct table registered = {.base = 0, .size = SIZE_MAX};

static size_t round_page(size_t n) { return (n + PAGE - 1) & ~(PAGE - 1); }

size_t memory_total(void) {
  const size_t ram = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGE_SIZE);
  const size_t most = (size_t)16 << 30, least = (size_t)1 << 30;
  const size_t share = ram / (CUCC_CHECKED ? 5 : 2) &
                       ~(((size_t)1 << 20) - 1); /* checked: shadow needs 3 to 4 times as much */
  return share > most ? most : share < least ? least : share;
}

static bool reserve_arena(void) {
  static bool done;
  if (done) return true;
  void *p = mmap((void *)ARENA_BASE, ARENA_SIZE, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  done = p == (void *)ARENA_BASE;
  return done;
}

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

static void insert(struct table *t, const struct allocation *a) {
  if (t->count == t->room) {
    t->room = t->room ? 2 * t->room : 64;
    t->at = realloc(t->at, t->room * sizeof *t->at);
  }
  const size_t i = after(t, a->start);
  memmove(t->at + i + 1, t->at + i, (t->count - i) * sizeof *t->at);
  t->at[i] = *a;
  t->count++;
}

static void erase(struct table *t, size_t i) {
  memmove(t->at + i, t->at + i + 1, (t->count - i - 1) * sizeof *t->at);
  t->count--;
}

/* A place for `pages` bytes with a gap behind; 0 when there is none. All addresses used: begin again with
 * freed ones. */
static uintptr_t take(struct table *t, size_t pages) {
  const uintptr_t end = t->base + t->size;
  if (end - t->next < pages + PAGE) {
    t->next = t->base + PAGE;
    size_t i = 0;
    while (i < t->count) {
      if (t->at[i].freed) {
        erase(t, i);
        continue;
      }
      if (t->at[i].start - t->next >= pages + PAGE) break;
      t->next = t->at[i].start + round_page(t->at[i].size) + PAGE;
      i++;
    }
    if (end - t->next < pages + PAGE) return 0;
    /* the next call that does not fit behind this one searches again */
  }
  const size_t i = after(t, t->next);
  if (i < t->count && t->at[i].start - t->next < pages + PAGE) {
    t->next = end;
    return take(t, pages);
  }
  const uintptr_t start = t->next;
  t->next += pages + PAGE;
  return start;
}

uintptr_t memory_for_variables(int device_index, size_t size) {
  pthread_mutex_lock(&lock);
  uintptr_t start = reserve_arena() ? take(&device, round_page(size)) : 0;
  if (start && mprotect((void *)start, round_page(size), PROT_READ | PROT_WRITE)) start = 0;
  if (start) {
    const struct allocation a = {
        .start = start, .size = size, .space = SPACE_VARIABLE, .device = device_index, .call = ""};
    insert(&device, &a);
  }
  pthread_mutex_unlock(&lock);
  return start;
}

static cudaError_t allocate(struct table *t, enum space space, const char *call, void **pointer, size_t size,
                            unsigned flags, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!pointer) return cucc_fail(cudaErrorInvalidValue);
  *pointer = NULL;
  if (size == 0) return cudaSuccess;
  pthread_mutex_lock(&lock);
  const size_t pages = round_page(size);
  const size_t total = memory_total();
  uintptr_t start = 0;
  if (pages >= size && t->live + size <= total && reserve_arena()) start = take(t, pages);
  if (start && mprotect((void *)start, pages, PROT_READ | PROT_WRITE)) start = 0;
  if (start) {
    const struct allocation a = {.start = start,
                                 .size = size,
                                 .space = space,
                                 .flags = flags,
                                 .site = site,
                                 .call = call,
                                 .epoch = cucc.epoch};
    insert(t, &a);
    t->live += size;
  }
  pthread_mutex_unlock(&lock);
  if (!start) return cucc_fail(cudaErrorMemoryAllocation);
  if (size >= HUGE) /* the first touch of a page costs more than everything else that a simple kernel does */
    madvise((void *)start, pages, MADV_HUGEPAGE);
  check_allocated(start, size);
  if (space == SPACE_DEVICE && size <= POISON_MAX) memset((void *)start, 0xff, size);
  count(space == SPACE_DEVICE ? COUNT_DEVICE_ALLOCATIONS : COUNT_PINNED_ALLOCATIONS);
  *pointer = (void *)start;
  return cudaSuccess;
}

/* Freeing waits for the device, as on hardware. */
static cudaError_t release(struct table *t, enum space space, const char *call, void *pointer,
                           uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error || !pointer) return error;
  pthread_mutex_lock(&cucc.lock);
  struct clock all = {0};
  stream_join_all(&all);
  engine_wait(&all);
  clock_free(&all);
  pthread_mutex_unlock(&cucc.lock);

  const uintptr_t address = (uintptr_t)pointer;
  pthread_mutex_lock(&lock);
  const size_t i = after(t, address);
  struct allocation *a = i ? &t->at[i - 1] : NULL;
  const bool right = a && a->start == address && !a->freed && a->space == space;
  size_t size = 0;
  if (right) {
    a->freed = true;
    a->freed_site = site;
    size = a->size;
    t->live -= size;
  }
  pthread_mutex_unlock(&lock);
  if (!right) {
    check_bad_free(call, address, space, site);
    return cucc_fail(cudaErrorInvalidValue);
  }
  check_freed(address, size);
  madvise(pointer, round_page(size), MADV_DONTNEED);
  mprotect(pointer, round_page(size), PROT_NONE);
  return cucc_fail(cucc.sticky);
}

cudaError_t cudaMalloc(void **pointer, size_t size) {
  return allocate(&device, SPACE_DEVICE, "cudaMalloc", pointer, size, 0, CALLER);
}

cudaError_t cudaMallocHost(void **pointer, size_t size) {
  return allocate(&pinned, SPACE_PINNED, "cudaMallocHost", pointer, size, 0, CALLER);
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags) {
  if (flags & ~7u) return cucc_fail(cudaErrorInvalidValue);
  return allocate(&pinned, SPACE_PINNED, "cudaHostAlloc", pointer, size, flags, CALLER);
}

cudaError_t cudaFree(void *pointer) { return release(&device, SPACE_DEVICE, "cudaFree", pointer, CALLER); }

cudaError_t cudaFreeHost(void *pointer) {
  return release(&pinned, SPACE_PINNED, "cudaFreeHost", pointer, CALLER);
}

/* The registered range that touches [address, address + size), or NULL. With the lock held. */
static struct allocation *overlapping(uintptr_t address, size_t size) {
  for (size_t i = 0; i < registered.count; i++)
    if (registered.at[i].start < address + size && address < registered.at[i].start + registered.at[i].size)
      return &registered.at[i];
  return NULL;
}

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags) {
  cudaError_t error = cucc_enter("cudaHostRegister");
  if (error) return error;
  if (!pointer || !size || (flags & ~15u) || in_arena((uintptr_t)pointer))
    return cucc_fail(cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  if (overlapping((uintptr_t)pointer, size))
    error = cudaErrorHostMemoryAlreadyRegistered;
  else {
    const struct allocation a = {.start = (uintptr_t)pointer,
                                 .size = size,
                                 .space = SPACE_REGISTERED,
                                 .flags = flags,
                                 .site = CALLER,
                                 .call = "cudaHostRegister",
                                 .epoch = cucc.epoch};
    insert(&registered, &a);
    registered.live += size;
  }
  pthread_mutex_unlock(&lock);
  if (!error) count(COUNT_PINNED_ALLOCATIONS);
  return cucc_fail(error);
}

cudaError_t cudaHostUnregister(void *pointer) {
  cudaError_t error = cucc_enter("cudaHostUnregister");
  if (error) return error;
  error = cudaErrorHostMemoryNotRegistered;
  pthread_mutex_lock(&lock);
  const size_t i = after(&registered, (uintptr_t)pointer);
  if (i && registered.at[i - 1].start == (uintptr_t)pointer) {
    registered.live -= registered.at[i - 1].size;
    erase(&registered, i - 1);
    error = cudaSuccess;
  }
  pthread_mutex_unlock(&lock);
  return cucc_fail(pointer ? error : cudaErrorInvalidValue);
}

bool memory_find(uintptr_t address, struct allocation *found) {
  struct table *t = is_device(address) ? &device : in_arena(address) ? &pinned : &registered;
  pthread_mutex_lock(&lock);
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

bool memory_pinned(uintptr_t address, size_t size) {
  struct allocation a;
  return memory_find(address, &a) && (a.space == SPACE_PINNED || a.space == SPACE_REGISTERED) && !a.freed &&
         address - a.start <= a.size && size <= a.size - (address - a.start);
}

size_t memory_live(enum space space) {
  return space == SPACE_DEVICE ? device.live : space == SPACE_PINNED ? pinned.live : registered.live;
}

void memory_each(void (*visit)(const struct allocation *a, void *context), void *context) {
  const struct table *const tables[] = {&device, &pinned};
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < tables[k]->count; i++) visit(&tables[k]->at[i], context);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  cudaError_t error = cucc_enter("cudaMemGetInfo");
  if (error) return error;
  if (!free_bytes || !total_bytes) return cucc_fail(cudaErrorInvalidValue);
  *total_bytes = memory_total();
  *free_bytes = *total_bytes - memory_live(SPACE_DEVICE);
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **pointer, void *host, unsigned int flags) {
  cudaError_t error = cucc_enter("cudaHostGetDevicePointer");
  if (error) return error;
  if (!pointer || flags || !memory_pinned((uintptr_t)host, 1)) return cucc_fail(cudaErrorInvalidValue);
  *pointer = host; /* one address space: the mapped pointer is the host's */
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  struct allocation a;
  cudaError_t error = cucc_enter("cudaHostGetFlags");
  if (error) return error;
  if (!flags || !memory_pinned((uintptr_t)host, 1) || !memory_find((uintptr_t)host, &a))
    return cucc_fail(cudaErrorInvalidValue);
  *flags = a.flags | cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  cudaError_t error = cucc_enter("cudaPointerGetAttributes");
  if (error) return error;
  if (!attributes) return cucc_fail(cudaErrorInvalidValue);
  struct allocation a;
  const uintptr_t address = (uintptr_t)pointer;
  *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
  if (memory_find(address, &a) && !a.freed && address - a.start < a.size) {
    attributes->type = is_device(address) ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
    attributes->device = a.device;
    attributes->devicePointer = (void *)pointer;
    attributes->hostPointer = is_device(address) ? NULL : (void *)pointer;
  } else
    attributes->hostPointer = (void *)pointer;
  return cudaSuccess;
}

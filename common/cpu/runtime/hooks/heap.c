/*
 * malloc, free, new and delete as kernels call them: from a heap of the device, of 8 MiB as on the hardware.
 * On the host the same names are those of the C library.
 *
 * In the checked build cuda_runtime.h renames malloc and its relatives to the functions here, and the
 * operators stand in for the C++ library's; in the fast build a kernel may use the host's heap, and does.
 * Pieces are powers of two, each after a header that says which; freed ones wait in a list for the next of
 * their size.
 *
 * On the host an allocation can be made to fail (cucc_fail_memory): it asks for more than there is.
 */
#include "base/base.h"
#if CUCC_CHECKED
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cucc.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "checker/bad_copy.h"

#define HEAP_BYTES ((size_t)8 << 20)
#define LEAST      5 /* 32 bytes, the header's 16 included */
#define MOST       23

struct chunk {
  size_t power; /* its size, header included, is 2^power */
  struct chunk *next_free;
};
struct heap {
  uintptr_t start, used;
  struct chunk *free[MOST + 1];
};
static struct heap heaps[8]; /* by device */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __thread int until_failure; /* allocations of this thread on the host; 0: none fails */
static __thread int failures;

void *cucc_malloc(size_t size);
void *cucc_calloc(size_t count, size_t size);
void *cucc_realloc(void *old, size_t size);
void cucc_free(void *pointer);

/* A piece that is given out again is new: it counts as never written, and its last owner's accesses are no
 * race. */
static void forget(const struct chunk *p) {
  const size_t offset = (uintptr_t)p - ARENA_BASE, size = (size_t)1 << p->power;
  memset(&ARENA_CELLS[offset / 4], 0, size / 4 * sizeof *ARENA_CELLS);
}

static void *take(size_t size) {
  const int device = cucc_worker->launch->device;
  struct heap *h = &heaps[device];
  size_t power = LEAST;
  while (power <= MOST && ((size_t)1 << power) < size + 16) power++;
  if (power > MOST || size > HEAP_BYTES) return NULL;
  pthread_mutex_lock(&lock);
  if (!h->start) h->start = memory_for_variables(device, HEAP_BYTES);
  struct chunk *p = h->start ? h->free[power] : NULL;
  if (p) {
    h->free[power] = p->next_free;
    forget(p);
  } else if (h->start && h->used + ((size_t)1 << power) <= HEAP_BYTES) {
    p = (struct chunk *)(h->start + h->used);
    h->used += (size_t)1 << power;
    p->power = power;
  }
  pthread_mutex_unlock(&lock);
  return p ? (char *)p + 16 : NULL;
}

static struct heap *heap_of(const void *pointer) {
  for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++)
    if (heaps[i].start && (uintptr_t)pointer - heaps[i].start < HEAP_BYTES) return &heaps[i];
  return NULL;
}

static void give(struct heap *h, void *pointer) {
  struct chunk *p = (struct chunk *)((char *)pointer - 16);
  pthread_mutex_lock(&lock);
  p->next_free = h->free[p->power];
  h->free[p->power] = p;
  pthread_mutex_unlock(&lock);
}

/* A pointer of the device that is no chunk of a heap, or one that the host frees, is a mistake. The host's
 * own memory goes back as the host has it. */
static void release(void *pointer, void (*host)(void *), uintptr_t site) {
  struct heap *h = cucc_worker ? heap_of(pointer) : NULL;
  if (h)
    give(h, pointer);
  else if (in_arena((uintptr_t)pointer))
    check_bad_free("free", (uintptr_t)pointer, SPACE_REGISTERED, site);
  else
    host(pointer);
}

int cucc_fail_memory(int number) {
  const int failed = failures;
  until_failure = number;
  failures = 0;
  return failed;
}

/* The size to ask the host for. */
static size_t on_host(size_t size) {
  if (LIKELY(!until_failure)) return size;
  if (until_failure > 1) return until_failure--, size;
  failures++;
  return PTRDIFF_MAX;
}

void *cucc_malloc(size_t size) { return cucc_worker ? take(size) : malloc(on_host(size)); }

void *cucc_calloc(size_t count, size_t size) {
  if (!cucc_worker) return calloc(count, on_host(size));
  void *p = size && count > SIZE_MAX / size ? NULL : take(count * size);
  return p ? memset(p, 0, count * size) : NULL;
}

void *cucc_realloc(void *old, size_t size) {
  if (!cucc_worker) return realloc(old, on_host(size));
  void *p = take(size);
  if (p && old) {
    const size_t had = ((size_t)1 << ((struct chunk *)((char *)old - 16))->power) - 16;
    memcpy(p, old, had < size ? had : size);
    release(old, free, CALLER);
  }
  return p;
}

void cucc_free(void *pointer) { release(pointer, free, CALLER); }

/* The operators, by their names in object files; on the host, those of the C++ library, which throw. */
#define OPERATOR_NEW(NAME)                                                                                   \
  void *NAME(size_t size);                                                                                   \
  void *NAME(size_t size) {                                                                                  \
    static void *(*host)(size_t);                                                                            \
    if (cucc_worker) return take(size);                                                                      \
    if (!host) host = (void *(*)(size_t))dlsym(RTLD_NEXT, #NAME);                                            \
    return host ? host(on_host(size)) : malloc(on_host(size));                                               \
  }
#define OPERATOR_DELETE(NAME, HOST, ...)                                                                     \
  void NAME(__VA_ARGS__);                                                                                    \
  void NAME(__VA_ARGS__) {                                                                                   \
    static void (*host)(void *);                                                                             \
    if (!host) host = (void (*)(void *))dlsym(RTLD_NEXT, #HOST);                                             \
    release(pointer, host ? host : free, CALLER);                                                            \
  }
OPERATOR_NEW(_Znwm)
OPERATOR_NEW(_Znam)
OPERATOR_DELETE(_ZdlPv, _ZdlPv, void *pointer)
OPERATOR_DELETE(_ZdaPv, _ZdaPv, void *pointer)
OPERATOR_DELETE(_ZdlPvm, _ZdlPv, void *pointer, size_t size __attribute__((unused)))
OPERATOR_DELETE(_ZdaPvm, _ZdaPv, void *pointer, size_t size __attribute__((unused)))

#endif

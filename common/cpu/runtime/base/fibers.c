/*
 * The stacks that fibers run on: mapped by the slab, below each an inaccessible guard, kept for later blocks.
 * A stack's pages come into being when they are first touched, so 1024 threads that use 64 KiB each take
 * 64 MiB for each block that runs at the same time.
 *
 * A guard costs two entries in the system's table of mappings, which usually holds 65530 for a process.
 * Stacks beyond GUARDED do without; they are needed only where hundreds of large blocks wait at once.
 */
#include "base/fibers.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/valgrind.h"

#define STACK ((size_t)256 << 10)
/* An odd number of pages from one stack to the next, or they fight for the same places of the tables of
 * pages. */
#define GUARD   (FIBER_GUARD + WB_PAGE)
#define SLAB    32
#define GUARDED 24000

struct slab {
  struct slab *next;
  char *memory;
  int count;
  struct fiber fibers[SLAB];
};
static struct slab *slabs;
static struct fiber *spare;
static int stacks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t slab_size(const struct slab *s) { return (size_t)s->count * (GUARD + STACK); }

/* With the lock held. */
static bool add_slab(void) {
  struct slab *s = calloc(1, sizeof *s);
  if (!s) return false;
  s->count = SLAB;
  do /* where addresses run out, a smaller one */
    s->memory =
        mmap(NULL, slab_size(s), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  while (s->memory == MAP_FAILED && (s->count /= 2) > 0);
  if (s->memory == MAP_FAILED) {
    free(s);
    return false;
  }
  const bool guarded = stacks < GUARDED;
  if (!guarded) madvise(s->memory, slab_size(s), MADV_NOHUGEPAGE);
  for (int i = 0; i < s->count; i++) {
    struct fiber *f = &s->fibers[i];
    char *low = s->memory + (size_t)i * (GUARD + STACK);
    if (guarded) mprotect(low, GUARD, PROT_NONE); /* where the system allows no more: without */
    f->low = (uintptr_t)low + GUARD;
    /* Stacks whose tops all lie at the same place of a page would fight for the same lines of the cache. */
    f->high = f->low + STACK - (size_t)i * 128;
    VALGRIND_STACK_REGISTER(f->low, f->high);
    f->next_free = spare;
    spare = f;
  }
  stacks += s->count;
  s->next = slabs;
  slabs = s;
  return true;
}

struct fiber *fiber_take(struct fiber **free_fibers) {
  if (!*free_fibers) {
    pthread_mutex_lock(&lock);
    if (spare || add_slab()) {
      struct fiber *last = spare;
      for (int i = 1; i < SLAB && last->next_free; i++) last = last->next_free;
      *free_fibers = spare;
      spare = last->next_free;
      last->next_free = NULL;
    }
    pthread_mutex_unlock(&lock);
  }
  struct fiber *f = *free_fibers;
  if (f) *free_fibers = f->next_free;
  return f;
}

void fiber_give(struct fiber **free_fibers, struct fiber *f) {
  f->next_free = *free_fibers;
  *free_fibers = f;
}

void fibers_give_back(struct fiber **free_fibers) {
  pthread_mutex_lock(&lock);
  for (struct fiber *f; (f = *free_fibers);) {
    *free_fibers = f->next_free;
    f->context.sp = NULL; /* it belonged to this worker */
    f->next_free = spare;
    spare = f;
  }
  pthread_mutex_unlock(&lock);
}

void fibers_trim(void) {
  pthread_mutex_lock(&lock);
  for (struct slab *s = slabs; s; s = s->next) {
    madvise(s->memory, slab_size(s), MADV_DONTNEED);
    for (int i = 0; i < s->count; i++) s->fibers[i].context.sp = NULL;
  }
  pthread_mutex_unlock(&lock);
}

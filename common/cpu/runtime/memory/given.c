/* Arrays that a caller gave to the code in question: their names, and the sizes of those in host memory, which
 * the runtime would not know. */
#include "memory/given.h"

#include "memory/arena.h"
#include "cucc.h"

#define NEAR      ((size_t)72 << 10) /* bytes on each side in which there is nothing else */
#define GIVEN_MAX 16

static struct given arrays[GIVEN_MAX];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void cucc_array(const void *start, size_t bytes, const char *name) {
  pthread_mutex_lock(&lock);
  if (count < GIVEN_MAX) arrays[count++] = (struct given){(uintptr_t)start, bytes, name};
  pthread_mutex_unlock(&lock);
}

void cucc_no_arrays(void) {
  pthread_mutex_lock(&lock);
  count = 0;
  pthread_mutex_unlock(&lock);
}

static size_t distance(const struct given *g, uintptr_t address) {
  return address < g->start             ? g->start - address
         : address - g->start < g->size ? 0
                                        : address - g->start - g->size;
}

bool given_find(uintptr_t address, struct given *array) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count && !found; i++) {
    found = address == arrays[i].start || address - arrays[i].start < arrays[i].size;
    *array = arrays[i];
  }
  pthread_mutex_unlock(&lock);
  return found;
}

bool given_left(uintptr_t address, size_t size, struct given *array) {
  size_t least = NEAR;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count; i++) {
    if (in_arena(arrays[i].start)) continue; /* the runtime knows where it ends */
    const size_t d = distance(&arrays[i], address);
    if (d >= least) continue;
    least = d;
    *array = arrays[i];
  }
  pthread_mutex_unlock(&lock);
  return least < NEAR && (address < array->start || address - array->start > array->size ||
                          size > array->size - (address - array->start));
}

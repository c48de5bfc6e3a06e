/* What the files about memory know of each other: arena.c memory.c managed.c stream_memory.c copy.c
 * copy_rows.c symbol.c. */
#ifndef CUCC_MEMORY_H
#define CUCC_MEMORY_H
#include "runtime.h"

/* ------------------------------------------------------------------ arena.c: each call takes its lock */

/* Finds room for a new allocation of a->size bytes and sets a->start; 0 when there is none, or when more than
 * `most` bytes of its kind would be in use. */
uintptr_t arena_add(struct allocation *a, size_t most);
/* Frees the allocation of this kind that starts there; false when there is none. A site of 0 leaves the one
 * that is known. `freed` is called before the place can be given to another allocation. */
bool arena_free(uintptr_t address, enum space space, uintptr_t site,
                void (*freed)(uintptr_t address, size_t size));
/* Changes the live allocation that starts there; false when there is none. */
bool arena_update(uintptr_t address, void (*change)(struct allocation *a, void *context), void *context);
cudaError_t arena_register(const struct allocation *a);
bool arena_unregister(uintptr_t start);

/* ------------------------------------------------------------------ memory.c */

/* A call that allocates: size, space, flags, call and site are given, the rest is filled in. */
cudaError_t memory_allocate(struct allocation *a, void **pointer);
/* Memory of a device for its values of the program's variables: no call frees it. 0 when there is none. */
uintptr_t memory_for_variables(int device, size_t size);

/* ------------------------------------------------------------------ copy.c */

struct transfer_request {
  const char *call;
  void *dst;
  const void *src; /* NULL: fill with value */
  int value;
  size_t bytes; /* of a row */
  struct rows rows;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
  bool wait;
  uintptr_t site;
};
/* Checks the request and queues it; returns when the call that it stands for would. */
cudaError_t copy_transfer(const struct transfer_request *r);

#endif

/* What the files about memory know of each other: memory.c, copy.c, symbol.c. */
#ifndef CUCC_MEMORY_H
#define CUCC_MEMORY_H
#include "runtime.h"

/* ------------------------------------------------------------------ copy.c */

struct transfer_request {
  const char *call;
  void *dst;
  const void *src; /* NULL: fill with value */
  int value;
  size_t bytes;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
  bool wait;
  uintptr_t site;
};
/* Checks the request and queues it; returns when the call that it stands for would. */
cudaError_t copy_transfer(const struct transfer_request *r);

/* ------------------------------------------------------------------ memory.c */

/* Memory of a device for its values of the program's variables: no call frees it. 0 when there is none. */
uintptr_t memory_for_variables(int device, size_t size);

#endif

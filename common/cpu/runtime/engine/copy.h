#ifndef CUCC_ENGINE_COPY_H
#define CUCC_ENGINE_COPY_H

#include "base/base.h"
#include "state/op.h"

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

/* What is known of kernels, as include/cucc/launch.h declares it for C++. */
#ifndef CUCC_ENGINE_KERNELS_H
#define CUCC_ENGINE_KERNELS_H

#include "base/base.h"

struct cucc_kernel {
  const void *(*address)(void);
  const void *function;
  const char *name, *file;
  int line;
  void (*run)(const void *closure);
  size_t closure_size;
  void (*pack)(void *closure, const void *function, void *const *arguments);
  int parameters;
  const size_t *parameter_sizes, *parameter_alignments;
  struct cucc_kernel *next;
};

extern struct cucc_kernel *cucc_kernels; /* newest first */
void cucc_register_kernels(struct cucc_kernel *const *start, struct cucc_kernel *const *stop);
/* The kernel at this address, or NULL. */
const struct cucc_kernel *cucc_kernel_of(const void *function);

#endif

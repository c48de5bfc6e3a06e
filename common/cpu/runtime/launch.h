/* Launches as launch.c takes them: what include/cucc/launch.h declares for C++, for the runtime's own files.
 */
#ifndef CUCC_RUNTIME_LAUNCH_H
#define CUCC_RUNTIME_LAUNCH_H

#include "block.h"

struct cucc_launch_request {
  const char *file, *name;
  int line;
  uint3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  void (*run)(const void *closure);
  unsigned flags;       /* CUCC_COOPERATIVE, CUCC_RETURNS */
  const void *function; /* NULL when unknown */
};
cudaError_t cucc_launch(const struct cucc_launch_request *request, const void *closure, size_t size);

struct cucc_kernel {
  const void *(*address)(void);
  const void *function;
  const char *name, *file;
  int line;
  void (*run)(const void *closure);
  size_t closure_size;
  void (*pack)(void *closure, void *const *arguments);
  int parameters;
  const size_t *parameter_sizes;
  struct cucc_kernel *next;
};
extern struct cucc_kernel *cucc_kernels; /* newest first; written before main and by dlopen */
void cucc_register_kernels(struct cucc_kernel *const *start, struct cucc_kernel *const *stop);
const struct cucc_kernel *cucc_kernel_of(const void *function);
/* A launch of a registered kernel, asked for at `site`; the arguments are copied. */
cudaError_t launch_by_address(const void *function, dim3 grid, dim3 block, void **arguments,
                              size_t shared_bytes, cudaStream_t stream, unsigned flags, uintptr_t site);

#endif

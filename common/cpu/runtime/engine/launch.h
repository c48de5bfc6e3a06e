/* Launches as the engine takes them: what include/cucc/launch.h declares for C++, for the runtime's own
 * files. */
#ifndef CUCC_ENGINE_LAUNCH_H
#define CUCC_ENGINE_LAUNCH_H

#include "base/base.h"
#include "engine/kernels.h"

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

/* How much dynamic shared memory kernels were allowed, by their address, and by their name without namespace
   and template arguments: a launch by <<< >>> knows no more. */
struct allowance {
  const void *function;
  char name[96];
  size_t bytes;
  struct allowance *next;
};
/* The largest dynamic shared memory that a launch of this kernel may ask for; NULL: of an unknown one. */
size_t launch_shared_limit(const void *function);
cudaError_t cucc_launch(const struct cucc_launch_request *request, const void *closure, size_t size);
/* A launch of a registered kernel, asked for at `site`; the arguments are copied. */
cudaError_t launch_by_address(const void *function, dim3 grid, dim3 block, void **arguments,
                              size_t shared_bytes, cudaStream_t stream, unsigned flags, uintptr_t site);
/* Whether the `count` entries are pointers to arguments of these sizes; an error, with a finding, if not. */
cudaError_t cucc_arguments(const char *name, int count, const size_t *sizes, void *const *arguments,
                           const char *file, int line);
extern struct allowance *launch_allowances;
extern pthread_mutex_t allowances_lock;

#endif

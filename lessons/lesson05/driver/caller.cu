/*
 * caller.cu: see caller.h. In CUDA C, so that the CPU backend checks its accesses as it does the learner's.
 */
#include "caller.h"
#include "baselines.h"
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ELEMENTS (1 << 19)

/* Reads h_out as any caller would, waits for the device, and restores the contents that it read. */
static cudaError_t keep_what_is_there(void *h_out, size_t size_bytes) {
  void *seen = malloc(size_bytes);
  if (!seen) return cudaErrorMemoryAllocation;
  memcpy(seen, h_out, size_bytes);
  const cudaError_t error = cudaDeviceSynchronize();
  memcpy(h_out, seen, size_bytes);
  free(seen);
  return error;
}

int call_and_look(const wb_case *c, int (*function)(const wb_case *), size_t work_count) {
  const size_t n = c->size.n[N];
  if (n == 0 || n > MOST_ELEMENTS) return function(c);
  wb_case mine = *c;
  wb_own_calls(1);
  const cudaError_t allocated = cudaMalloc(&mine.array[D_WORK], work_count * sizeof(int32_t));
  wb_own_calls(0);
  if (allocated) return allocated;
  int status = function(&mine);
  const cudaError_t waited = keep_what_is_there(mine.array[H_OUT], n * sizeof(int32_t));
  if (!status) status = waited;
  const cudaError_t freed = cudaFree(mine.array[D_WORK]);
  return status ? status : freed;
}

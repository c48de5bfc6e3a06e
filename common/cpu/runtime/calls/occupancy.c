/* Calls that ask how many blocks of a kernel a multiprocessor holds. */
#include "base/base.h"

#include "base/occupancy.h"
#include "state/state.h"
#include "engine/entry.h"
#include "engine/launch.h"

static cudaError_t max_active(const char *call, int *blocks, const void *kernel, int block_size,
                              size_t dynamic_shared_bytes) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!kernel) return cucc_fail(cudaErrorInvalidDeviceFunction);
  if (!blocks || block_size < 1) return cucc_fail(cudaErrorInvalidValue);
  *blocks = dynamic_shared_bytes > launch_shared_limit(kernel)
                ? 0
                : occupancy_blocks(block_size, dynamic_shared_bytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          size_t dynamic_shared_bytes) {
  return max_active("cudaOccupancyMaxActiveBlocksPerMultiprocessor", blocks, kernel, block_size,
                    dynamic_shared_bytes);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  if (flags & ~(unsigned)cudaOccupancyDisableCachingOverride) return cucc_fail(cudaErrorInvalidValue);
  return max_active("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, kernel, block_size,
                    dynamic_shared_bytes);
}

/* What each of so many blocks can have while all of them fit. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                      int block_size) {
  cudaError_t error = cucc_enter("cudaOccupancyAvailableDynamicSMemPerBlock");
  if (error) return error;
  if (!kernel) return cucc_fail(cudaErrorInvalidDeviceFunction);
  if (!bytes || blocks < 1 || blocks > occupancy_blocks(block_size, 0))
    return cucc_fail(cudaErrorInvalidValue);
  const size_t share = SHARED_SM / (size_t)blocks / SHARED_STEP * SHARED_STEP - SHARED_RESERVED;
  const size_t most = launch_shared_limit(kernel);
  *bytes = share < most ? share : most;
  return cudaSuccess;
}

/*
 * How many blocks of a kernel a multiprocessor holds at a time, with the figures of compute capability 8.0:
 * 64 warps, 32 blocks, 164 KiB of shared memory, of which each block costs 1 KiB more than it asks for. A
 * kernel here has no registers and the size of its static shared memory is not known, so neither limits.
 */
#include "block.h"

#define WARPS_MAX   64
#define BLOCKS_MAX  32
#define SHARED_SM   ((size_t)164 << 10)
#define SHARED_STEP ((size_t)128) /* shared memory is given in portions of */

int occupancy_blocks(int threads, size_t dynamic_shared_bytes) {
  if (threads < 1 || threads > MAX_THREADS) return 0;
  const size_t shared =
      (dynamic_shared_bytes + SHARED_RESERVED + SHARED_STEP - 1) / SHARED_STEP * SHARED_STEP;
  int n = WARPS_MAX / ((threads + 31) / 32);
  if (n > (int)(SHARED_SM / shared)) n = (int)(SHARED_SM / shared);
  return n < BLOCKS_MAX ? n : BLOCKS_MAX;
}

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

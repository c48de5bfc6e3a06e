/* Part of cuda_runtime_api.h: How many blocks of a kernel a multiprocessor holds. Runtime:
 * runtime/occupancy.c. The C++ forms, with kernels by name, are in occupancy.h. */
#ifndef CUCC_API_OCCUPANCY_H
#define CUCC_API_OCCUPANCY_H

#define cudaOccupancyDefault                0x00
#define cudaOccupancyDisableCachingOverride 0x01

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          size_t dynamic_shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                      int block_size);

#endif

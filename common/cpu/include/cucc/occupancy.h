/* The occupancy calls' C++ forms: kernels by name, and the search for a block size. */
#ifndef CUCC_OCCUPANCY_H
#define CUCC_OCCUPANCY_H

#define CUCC_FORWARD static inline __attribute__((always_inline)) cudaError_t

template <class K>
CUCC_FORWARD cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K *kernel, int block_size,
                                                           size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void *>(kernel),
                                                       block_size, dynamic_shared_bytes);
}
template <class K>
CUCC_FORWARD cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, K *kernel, int block_size,
                                                                    size_t dynamic_shared_bytes,
                                                                    unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void *>(kernel), block_size, dynamic_shared_bytes, flags);
}
template <class K>
CUCC_FORWARD cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, K *kernel, int blocks, int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void *>(kernel), blocks,
                                                   block_size);
}

/* The block size, of those that are whole warps, with the most threads on a multiprocessor (the largest, of
 * equals), and the number of blocks that fill the device. `shared_of(block_size)` gives the dynamic shared
 * memory; limit 0: as many threads as the device allows. */
template <class K, class F>
CUCC_FORWARD cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid_size, int *block_size,
                                                                     K *kernel, F shared_of, int limit = 0,
                                                                     unsigned int flags = 0) {
  int device = 0, most = 0, multiprocessors = 0, threads = 0, blocks = 0;
  if (!grid_size || !block_size || !kernel) return cudaErrorInvalidValue;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  if (!error) error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (limit <= 0 || limit > most) limit = most;
  for (int size = (limit + 31) / 32 * 32; !error && size > 0; size -= 32) {
    const int tried = size < limit ? size : limit;
    int n = 0;
    error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, kernel, tried, shared_of(tried), flags);
    if (n * tried <= threads) continue;
    threads = n * tried;
    blocks = n;
    *block_size = tried;
  }
  *grid_size = blocks * multiprocessors;
  return error;
}
template <class K, class F>
CUCC_FORWARD cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size, int *block_size, K *kernel,
                                                            F shared_of, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, shared_of,
                                                                 limit, cudaOccupancyDefault);
}
template <class K>
CUCC_FORWARD cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size, K *kernel,
                                                         size_t shared_bytes = 0, int limit = 0,
                                                         unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      grid_size, block_size, kernel, [=](int) { return shared_bytes; }, limit, flags);
}
template <class K>
CUCC_FORWARD cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, K *kernel,
                                                size_t shared_bytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, kernel, shared_bytes, limit,
                                                     cudaOccupancyDefault);
}
#undef CUCC_FORWARD

#endif

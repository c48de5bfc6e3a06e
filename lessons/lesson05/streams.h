/*
 * lesson05, streams: what you write in streams.cu.
 *
 * All four functions do the same to n elements: h_out[i] = scramble(h_in[i], rounds), computed on the device.
 * They differ in which operations wait for which.
 *
 * Pointers that start with h_ are host memory, those with d_ device memory; n, chunk and batch count
 * elements. d_work is device memory that you may use as you like: you need not allocate any. When a
 * function returns, h_out is complete, and everything that the function created is destroyed. It returns
 * cudaSuccess or the first CUDA error that occurred. n may be 0: then there is nothing to do.
 */
#ifndef STREAMS_H
#define STREAMS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* Callers never ask for more streams or buffers than this. */
#define MAX_STREAMS 32

#ifdef __CUDACC__
#define FOR_HOST_AND_DEVICE static __host__ __device__ inline
#else
#define FOR_HOST_AND_DEVICE static inline
#endif

/*
 * The work on one element: `rounds` steps of Marsaglia's xorshift generator (Journal of Statistical Software
 * 8(14), 2003). Only shifts and exclusive ors, so every machine gets the same bits. More rounds are more work
 * for the same bytes, so the kernel can be made as long as you like.
 */
FOR_HOST_AND_DEVICE uint32_t scramble(uint32_t x, int rounds) {
  for (int r = 0; r < rounds; r++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Task 1. One stream, chunk by chunk: copy a chunk in, run the kernel on it, copy it out; all of them queued,
 * then one wait at the end. h_in and h_out are page-locked (pinned). d_work has room for one chunk. chunk >=
 * 1; the last chunk may be shorter.
 */
cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds);

/*
 * Task 2. The same chunks, dealt out in turn to `streams` streams (1 to MAX_STREAMS), so that the copies of
 * one chunk run at the same time as the kernel of another. h_in and h_out are pinned. d_work has room for
 * streams * chunk elements.
 */
cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds);

/*
 * Task 3. h_in and h_out are ordinary, pageable memory, as from a file or another library. Batches of `batch`
 * elements (the last may be shorter) go through `buffers` pinned staging buffers (1 to MAX_STREAMS) that you
 * allocate, of one batch each: while the device works on some, the host fills another. d_work has room for
 * buffers * batch elements.
 */
cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds);

/*
 * Go further. As task 2, but you choose the chunks and the streams. d_work has room for n elements. It should
 * take as long as the harness's own pipeline with its best chunk.
 */
cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds);

#ifdef __cplusplus
}
#endif
#endif

/* The copies of <cuda_pipeline.h>, for clang: what they load and store, without the hardware's background. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

static __forceinline__ __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                                               size_t zeros = 0) {
  if (zeros > 0)
    for (size_t i = 0; i < size; i++) ((char *)to)[i] = i + zeros < size ? ((const char *)from)[i] : 0;
  else if (size == 4)
    *(unsigned *)to = *(const unsigned *)from;
  else if (size == 8)
    *(uint2 *)to = *(const uint2 *)from;
  else
    *(uint4 *)to = *(const uint4 *)from;
}
static __forceinline__ __device__ void __pipeline_commit() {}
static __forceinline__ __device__ void __pipeline_wait_prior(size_t) {}

#endif

/* Copies from global to shared memory in the background. Each is done at once, but reading what it
 * copies before __pipeline_wait_prior is a finding (cucc/arriving.h). Another thread must then still wait at
 * a barrier. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cuda_runtime.h"

#include "cucc/arriving.h"

#define CUCC_PIPELINE static inline __attribute__((always_inline))

namespace cucc {
/* One access of the whole width, as the device makes it. The last `zeros` bytes are not read and become 0. */
template <class T> CUCC_PIPELINE void copy_of_pipeline(void *to, const void *from, size_t zeros) {
  T value{};
  if (zeros == 0)
    value = *static_cast<const T *>(from);
  else
    for (size_t i = 0; i + zeros < sizeof(T); i++)
      reinterpret_cast<char *>(&value)[i] = static_cast<const char *>(from)[i];
  *static_cast<T *>(to) = value;
  cucc_copy_started(to, sizeof(T));
}
} // namespace cucc

/* `size`: 4, 8 or 16 bytes, of which the last `zeros` become 0. Both pointers are multiples of the size. */
CUCC_PIPELINE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
  if (size == 4)
    ::cucc::copy_of_pipeline<unsigned>(to, from, zeros);
  else if (size == 8)
    ::cucc::copy_of_pipeline<uint2>(to, from, zeros);
  else if (size == 16)
    ::cucc::copy_of_pipeline<uint4>(to, from, zeros);
  else
    __trap(); /* nvcc: an assertion */
}
CUCC_PIPELINE void __pipeline_commit() { cucc_copies_commit(); }
CUCC_PIPELINE void __pipeline_wait_prior(size_t prior) { cucc_copies_wait(prior); }

#undef CUCC_PIPELINE
#endif

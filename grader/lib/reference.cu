/* A kernel and its launch, and nothing else: what the compiler adds to every file shows in the object that it
 * makes of this. grader/lib/inspect.bash compares a learner's object with it. */
#include <cuda_runtime.h>

static __global__ void nothing_kernel(float *d_x) { d_x[threadIdx.x] = 0; }

cudaError_t nothing(float *d_x) {
  nothing_kernel<<<1, 1>>>(d_x);
  return cudaGetLastError();
}

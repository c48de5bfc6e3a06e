// expect: memcheck: -
// says: second; 65536 bytes of dynamic shared memory, 49152 are possible; cudaFuncSetAttribute
/* More than 48 KiB of shared memory is asked for one kernel, and another is launched with it, too. */
#include "program.h"

template <int K> __global__ void first(float *x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = K;
  x[threadIdx.x] = tile[threadIdx.x];
}
__global__ void second(float *x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = 2 * tile[threadIdx.x];
}

int main() {
  const int bytes = 65536;
  float *x;
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaFuncSetAttribute(first<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
#ifdef FIXED
  CHECK(cudaFuncSetAttribute(second, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
#endif
  first<3><<<1, 32, bytes>>>(x);
  second<<<1, 32, bytes>>>(x); // <- at
  cudaDeviceSynchronize();
  cudaFree(x);
}

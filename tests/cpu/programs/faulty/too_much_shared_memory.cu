// expect: memcheck: ?
// says: kernel reverse was not launched: 65536 bytes of dynamic shared memory, 49152 are possible
// says: cudaFuncSetAttribute
/* 64 KiB of shared memory have to be asked for. */
#include "program.h"

__global__ void reverse(int *x, int n) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = tile[n - 1 - i];
}

int main() {
  const int n = 16384;
  int *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMemset(x, 0, n * sizeof *x));
#ifdef FIXED
  CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof *x));
#endif
  reverse<<<1, 256, n * sizeof *x>>>(x, n); // <- at
  cudaDeviceSynchronize();
  cudaFree(x);
}

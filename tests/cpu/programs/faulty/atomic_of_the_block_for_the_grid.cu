// expect: racecheck: count
// says: global memory that a thread of another block
/* An atomic function with the scope of a block: atomic among the threads of one block only. */
#include "program.h"

#ifdef FIXED
#define SCOPE __NV_THREAD_SCOPE_DEVICE
#else
#define SCOPE __NV_THREAD_SCOPE_BLOCK
#endif

__global__ void count(const int *in, unsigned *found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) __nv_atomic_fetch_add(found, 1, __NV_ATOMIC_RELAXED, SCOPE); // <- at
}

int main() {
  const int n = 200;
  int h[n], *in;
  unsigned *found;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&found, sizeof *found));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(found, 0, sizeof *found));
  count<<<4, 64>>>(in, found, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(found));
}

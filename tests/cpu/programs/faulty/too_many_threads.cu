// expect: memcheck: ?
// says: kernel add_one was not launched: 2048 threads per block, 1024 are possible; cudaGetLastError
/* One block for all 2048 elements. The launch fails and is not checked. */
#include "program.h"

__global__ void add_one(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  const int n = 2048;
  int *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMemset(x, 0, n * sizeof *x));
#ifdef FIXED
  add_one<<<n / 256, 256>>>(x);
#else
  add_one<<<1, n>>>(x); // <- at
#endif
  cudaDeviceSynchronize();
  cudaFree(x);
}

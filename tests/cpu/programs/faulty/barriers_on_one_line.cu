// expect: synccheck: split
// says: wait at different barriers; move it out of the branch
/* Two barriers, one for each half of the block, on one line. */
#include "program.h"

__global__ void split(int *p) {
  p[threadIdx.x] = threadIdx.x;
#ifdef FIXED
  __syncthreads();
#else
  // clang-format off
  if (threadIdx.x < 32) __syncthreads(); else __syncthreads(); // <- at
    // clang-format on
#endif
  p[threadIdx.x + 64] = p[63 - threadIdx.x];
}

int main() {
  int *p;
  CHECK(cudaMalloc(&p, 128 * sizeof *p));
  split<<<1, 64>>>(p);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(p));
}

// expect: synccheck: split
// says: wait at different barriers; move it out of the branch
/* Each branch has a barrier, but not the same one. */
#include "program.h"

__global__ void split(int *p) {
  if (threadIdx.x < 32) {
    p[threadIdx.x] = 1;
#ifndef FIXED
    __syncthreads(); // <- at
#endif
  } else {
    p[threadIdx.x] = 2;
#ifndef FIXED
    __syncthreads(); // <- at
#endif
  }
#ifdef FIXED
  __syncthreads();
#endif
  p[threadIdx.x + 64] = p[63 - threadIdx.x];
}

int main() {
  int *p;
  CHECK(cudaMalloc(&p, 128 * sizeof *p));
  split<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}

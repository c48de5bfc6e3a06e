// expect: memcheck: reverse
// says: of 64 elements|outside of shared memory; smaller than the block
/* The tile was made for 64 threads, the launch has 128. */
#include "program.h"
#ifdef FIXED
#define TILE 128
#else
#define TILE 64
#endif

__global__ void reverse(int *p) {
  __shared__ int tile[TILE];
  tile[threadIdx.x] = p[threadIdx.x]; // <- at
  __syncthreads();
  p[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x]; // <- at
}

int main() {
  int h[128] = {0}, *p;
  CHECK(cudaMalloc(&p, sizeof h));
  CHECK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 128>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}

// expect: racecheck+initcheck: reverse
// says: shared memory that another
// says: missing __syncthreads between filling shared memory and using it|__syncwarp
/* No barrier between filling the tile and reading another thread's element. */
#include "program.h"

__global__ void reverse(int *p) {
  __shared__ int tile[128];
  tile[threadIdx.x] = p[threadIdx.x]; // <- at
#ifdef FIXED
  __syncthreads();
#endif
  p[threadIdx.x] = tile[127 - threadIdx.x]; // <- at
}

int main() {
  int h[128] = {0}, *p;
  CHECK(cudaMalloc(&p, sizeof h));
  CHECK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 128>>>(p);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(p));
}

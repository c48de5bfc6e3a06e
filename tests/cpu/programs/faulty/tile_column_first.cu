// expect: memcheck: flip
// says: is outside of an array of 8 elements, in thread (; of block (0,0,0); x and y exchanged: tile[y][x]
/* 8 rows of 32 columns, but x, the column, stands first. */
#include "program.h"

__global__ void flip(int *p) {
  __shared__ int tile[8][32];
  const int i = threadIdx.y * 32 + threadIdx.x;
#ifdef FIXED
  tile[threadIdx.y][threadIdx.x] = p[i];
  __syncthreads();
  p[i] = tile[7 - threadIdx.y][threadIdx.x];
#else
  tile[threadIdx.x][threadIdx.y] = p[i]; // <- at
  __syncthreads();
  p[i] = tile[threadIdx.x][7 - threadIdx.y]; // <- at
#endif
}

int main() {
  int *p;
  CHECK(cudaMalloc(&p, 256 * sizeof *p));
  CHECK(cudaMemset(p, 0, 256 * sizeof *p));
  flip<<<1, dim3(32, 8)>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}

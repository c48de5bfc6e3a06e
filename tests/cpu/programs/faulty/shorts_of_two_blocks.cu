// expect: racecheck warning: fill
// says: writes global memory that; another block|without synchronisation
/* Blocks that fill an odd number of 16-bit elements each, and one of their neighbour's. */
#include "program.h"

__global__ void fill(unsigned short *x, int part) {
#ifdef FIXED
  const int own = part;
#else
  const int own = part + 1;
#endif
  for (int i = threadIdx.x; i < own; i += blockDim.x)
    x[blockIdx.x * part + i] = (unsigned short)blockIdx.x; // <- at
}

int main() {
  const int part = 37, blocks = 5;
  unsigned short *x, back[part * blocks];
  CHECK(cudaMalloc(&x, sizeof back + sizeof *x));
  fill<<<blocks, 32>>>(x, part);
  CHECK(cudaMemcpy(back, x, sizeof back, cudaMemcpyDeviceToHost));
#ifdef FIXED
  for (int i = 0; i < part * blocks; i++) expect("element", i, back[i], i / part);
#endif
  CHECK(cudaFree(x));
}

// expect: racecheck: smear
// says: global memory that; in the same kernel|of the same block|of another block; without synchronisation between them
/* One byte per thread, which its neighbour of the same word, too, reads. */
#include "program.h"

__global__ void smear(unsigned char *x, int n) {
  const int i = threadIdx.x;
  const unsigned char next = x[i + 1 < n ? i + 1 : i]; // <- at
#ifdef FIXED
  __syncthreads();
#endif
  x[i] = next; // <- at
}

int main() {
  const int n = 128;
  unsigned char *x;
  CHECK(cudaMalloc(&x, n));
  CHECK(cudaMemset(x, 1, n));
  smear<<<1, n>>>(x, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}

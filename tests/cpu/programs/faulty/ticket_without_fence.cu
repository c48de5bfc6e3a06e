// expect: racecheck: sum
// says: global memory that a thread of another block
/* The last block reads the others' sums, but nothing makes them visible before the ticket. */
#include "program.h"

__global__ void sum(int *partial, unsigned int *tickets, int *total) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x; // <- at
#ifdef FIXED
    __threadfence();
#endif
    if (atomicAdd(tickets, 1u) == gridDim.x - 1) {
      int t = 0;
      for (int b = 0; b < gridDim.x; b++) t += ((volatile int *)partial)[b]; // <- at
      *total = t;
    }
  }
}

int main() {
  int *partial, *total;
  unsigned int *tickets;
  CHECK(cudaMalloc(&partial, 8 * sizeof *partial));
  CHECK(cudaMalloc(&tickets, sizeof *tickets));
  CHECK(cudaMalloc(&total, sizeof *total));
  CHECK(cudaMemset(tickets, 0, sizeof *tickets));
  sum<<<8, 32>>>(partial, tickets, total);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(partial));
  CHECK(cudaFree(tickets));
  CHECK(cudaFree(total));
}

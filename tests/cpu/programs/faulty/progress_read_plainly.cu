// expect: racecheck: work
// says: global memory that; a plain access to a value that others update atomically
/* Each block notes how far the others have come, by a plain read of the counter that all update. */
#include "program.h"

__global__ void work(int *done, int *seen) {
#ifdef FIXED
  if (threadIdx.x == 0) seen[blockIdx.x] = atomicAdd(done, 0);
#else
  if (threadIdx.x == 0) seen[blockIdx.x] = *done; // <- at
#endif
  __syncthreads();
  atomicAdd(done, 1); // <- at
}

int main() {
  int *done, *seen;
  CHECK(cudaMalloc(&done, sizeof *done));
  CHECK(cudaMalloc(&seen, 4 * sizeof *seen));
  CHECK(cudaMemset(done, 0, sizeof *done));
  work<<<4, 64>>>(done, seen);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(done));
  CHECK(cudaFree(seen));
}

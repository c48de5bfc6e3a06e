// expect: racecheck: count
// says: shared memory that another; `slot`; before it is filled again
/* The second call clears the slot while slow threads still read the first sum from it. */
#include "program.h"

__device__ int block_sum(int value, int *slot) {
  if (threadIdx.x == 0) *slot = 0; // <- at
  __syncthreads();
  atomicAdd(slot, value);
  __syncthreads();
#ifdef FIXED
  const int sum = *slot;
  __syncthreads();
  return sum;
#else
  return *slot; // <- at
#endif
}

__global__ void count(int *out) {
  __shared__ int slot;
  const int all = block_sum(1, &slot);
  out[threadIdx.x] = all + block_sum(threadIdx.x % 2, &slot);
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  count<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
}

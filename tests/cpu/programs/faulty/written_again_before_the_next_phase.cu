// expect: racecheck: steps
// says: shared memory that
/* One array instead of two: a thread stores its value of the next step while others read that of this one. */
#include "program.h"
#include <cuda/barrier>

__global__ void steps(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t == 0) init(&all, 64);
  __syncthreads();
  values[t] = t;
  for (int step = 0; step < 4; step++) {
    all.arrive_and_wait();
    const int next = values[(t + 33) % 64] + 1; // <- at
#ifdef FIXED
    all.arrive_and_wait();
#endif
    values[t] = next; // <- at
  }
  out[t] = values[t];
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  steps<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
}

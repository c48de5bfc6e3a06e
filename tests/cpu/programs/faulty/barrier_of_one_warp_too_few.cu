// expect: racecheck: exchange
// says: shared memory that
/* The barrier expects one warp, and two arrive: the phase ends when half of the threads are there. */
#include "program.h"
#include <cuda/barrier>

#ifdef FIXED
#define EXPECTED 64
#else
#define EXPECTED 32
#endif

__global__ void exchange(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t == 0) init(&ready, EXPECTED);
  __syncthreads();
  part[t] = t; // <- at
  ready.arrive_and_wait();
  out[t] = part[t ^ 32]; // <- at
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  exchange<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
}

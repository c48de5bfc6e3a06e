// expect: racecheck+synccheck: exchange
// says: uses a cuda::barrier or cuda::pipeline before its init()|shared memory that another; a __syncthreads() between|__syncthreads() between
/* A thread may arrive before the first one has initialised the barrier. */
#include "program.h"
#include <cuda/barrier>

__global__ void exchange(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t == 0) init(&ready, 64); // <- at
#ifdef FIXED
  __syncthreads();
#endif
  part[t] = t;
  ready.arrive_and_wait(); // <- at
  out[t] = part[t ^ 32];
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  exchange<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  CHECK(cudaFree(out));
}

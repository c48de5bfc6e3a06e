// expect: synccheck: exchange
// says: wait for a phase of a cuda::barrier; 32 of its 64 arrivals are missing; waits
/* One warp waits at a barrier for the other one, which waits at __syncthreads for the first. */
#include "program.h"
#include <cuda/barrier>

__global__ void exchange(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t == 0) init(&ready, 64);
  __syncthreads();
  part[t] = t;
#ifdef FIXED
  ready.arrive_and_wait();
#else
  if (t < 32)
    ready.arrive_and_wait(); // <- at
  else
    __syncthreads(); // <- at
#endif
  out[t] = part[t ^ 32];
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  exchange<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  CHECK(cudaFree(out));
}

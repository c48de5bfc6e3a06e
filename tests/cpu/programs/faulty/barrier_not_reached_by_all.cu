// expect: synccheck: sum
// says: can never go on: 59 threads wait for a phase of a cuda::barrier; 5 of its 64 arrivals are missing; without arrive()
/* Threads without work return before the barrier, which expects all of them. */
#include "program.h"
#include <cuda/barrier>

__global__ void sum(const int *in, int *out, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int part[64];
  if (threadIdx.x == 0) init(&all, blockDim.x);
  __syncthreads();
  const int i = threadIdx.x;
  if (i >= n) {
#ifdef FIXED
    part[i] = 0;
    all.arrive_and_drop();
#endif
    return;
  }
  part[i] = in[i];
  all.arrive_and_wait(); // <- at
  if (i == 0)
    for (int k = 1; k < n; k++) part[0] += part[k];
  if (i == 0) out[0] = part[0];
}

int main() {
  int *in, *out;
  CHECK(cudaMalloc(&in, 64 * sizeof *in));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemset(in, 0, 64 * sizeof *in));
  sum<<<1, 64>>>(in, out, 59);
  cudaDeviceSynchronize();
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

// expect: memcheck: shift
// says: immediately past the end of its array
/* A thread is stopped for its fault; those that wait for it at a barrier are stopped, too, without a report. */
#include "program.h"
#include <cuda/barrier>

__global__ void shift(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t == 0) init(&all, 64);
  __syncthreads();
#ifdef FIXED
  part[t] = in[(t + 1) % 64];
#else
  part[t] = in[t + 1]; // <- at
#endif
  all.arrive_and_wait();
  out[t] = part[63 - t];
}

int main() {
  int *in, *out;
  CHECK(cudaMalloc(&in, 64 * sizeof *in));
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  CHECK(cudaMemset(in, 0, 64 * sizeof *in));
  shift<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

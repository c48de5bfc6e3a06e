// expect: racecheck: exchange
// says: shared memory that another lane|shared memory that another thread|shared memory that a thread
/* A thread may use its own values between arriving and waiting, but not yet those of the others. */
#include "program.h"
#include <cuda/barrier>
#include <utility>

__global__ void exchange(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t == 0) init(&ready, 64);
  __syncthreads();
  part[t] = t; // <- at
  auto token = ready.arrive();
#ifdef FIXED
  ready.wait(std::move(token));
  out[t] = part[63 - t];
#else
  out[t] = part[63 - t]; // <- at
  ready.wait(std::move(token));
#endif
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  exchange<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
}

// expect: racecheck: reverse
// says: shared memory that another thread of its block; without a __syncwarp
/* The first lane of each warp arrives for all of them, but nothing says that the others have stored by then. */
#include "program.h"
#include <cuda/barrier>

__global__ void reverse(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t == 0) init(&ready, 2);
  __syncthreads();
  part[t] = t; // <- at
#ifdef FIXED
  __syncwarp();
#endif
  if (t % 32 == 0) (void)ready.arrive();
  ready.wait_parity(false);
  out[t] = part[63 - t]; // <- at
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  reverse<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
}

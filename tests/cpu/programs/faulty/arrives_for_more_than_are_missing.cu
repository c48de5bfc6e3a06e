// expect: synccheck: collect
// says: arrives at a cuda::barrier with a count of 32, but its phase expects only; init() with a count smaller
/* The lanes arrive one by one, and each of them with the count of its whole warp. */
#include "program.h"
#include <cuda/barrier>

__global__ void collect(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> done;
  __shared__ int part[32];
  const int t = threadIdx.x;
  if (t == 0) init(&done, 40);
  __syncthreads();
  if (t < 32) {
    part[t] = t;
    __syncwarp();
#ifdef FIXED
    if (t == 0)
#endif
      (void)done.arrive(32); // <- at
  } else {
    done.arrive_and_wait();
    out[t - 32] = part[t - 32] + part[31];
  }
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, 8 * sizeof *out));
  collect<<<1, 40>>>(out);
  cudaDeviceSynchronize();
  CHECK(cudaFree(out));
}

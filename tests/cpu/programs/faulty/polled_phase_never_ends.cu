// expect: synccheck: collect
// says: the kernel does not end
// with: CUCC_KERNEL_LIMIT=0.5
/* A thread asks again and again whether the workers are done; but the barrier expects it as well. */
#include "program.h"
#include <cuda/barrier>

__global__ void collect(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> done;
  __shared__ int part[32];
  const int t = threadIdx.x;
#ifdef FIXED
  if (t == 0) init(&done, 32);
#else
  if (t == 0) init(&done, 33);
#endif
  __syncthreads();
  if (t < 32) {
    part[t] = t;
    (void)done.arrive();
  } else {
    bool ready = false;
    while (!ready) ready = done.try_wait_parity_for(false, cuda::std::chrono::microseconds(1)); // <- at
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += part[i];
    *out = sum;
  }
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, sizeof *out));
  collect<<<1, 33>>>(out);
  cudaDeviceSynchronize();
  CHECK(cudaFree(out));
}

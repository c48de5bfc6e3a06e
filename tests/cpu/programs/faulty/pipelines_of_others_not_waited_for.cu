// expect: racecheck+initcheck: reverse
// says: tile
/* Each thread has waited for its own copies only; the others may not have come so far. */
#include "program.h"
#include <cuda/pipeline>

__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[t], &in[t], sizeof(int), pipe); // <- at
  pipe.producer_commit();
  pipe.consumer_wait();
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = tile[63 - t]; // <- at
  pipe.consumer_release();
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 64>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

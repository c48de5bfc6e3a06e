// expect: initcheck: count
// says: of shared memory that was never written; starts as garbage
/* The counter of the block is never set to zero. */
#include "program.h"

__global__ void count(const int *in, int *out) {
  __shared__ int positive;
#ifdef FIXED
  if (threadIdx.x == 0) positive = 0;
  __syncthreads();
#endif
  if (in[threadIdx.x] > 0) atomicAdd(&positive, 1); // <- at
  __syncthreads();
  if (threadIdx.x == 0) *out = positive; // <- at
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; i++) h[i] = i - 32;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, 64>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

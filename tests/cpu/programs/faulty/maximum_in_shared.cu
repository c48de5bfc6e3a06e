// expect: racecheck: maximum
// says: shared memory that another; `best`; a sum or maximum that needs an atomic function
/* All threads compare with the one maximum of the block and write it. */
#include "program.h"

__global__ void maximum(const int *in, int *out, int n) {
  __shared__ int best;
  if (threadIdx.x == 0) best = in[0];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
#ifdef FIXED
    atomicMax(&best, in[i]);
#else
    if (in[i] > best) best = in[i]; // <- at
#endif
  __syncthreads();
  if (threadIdx.x == 0) *out = best;
}

int main() {
  int h[512], *in, *out;
  for (int i = 0; i < 512; i++) h[i] = i * 37 % 512;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  maximum<<<1, 128>>>(in, out, 512);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

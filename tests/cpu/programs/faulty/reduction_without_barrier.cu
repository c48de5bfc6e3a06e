// expect: racecheck: sum
// says: shared memory that another thread of its block; missing __syncthreads
/* The barrier after each halving was forgotten. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  __shared__ int s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned int w = 128; w >= 32; w /= 2) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w]; // <- at
#ifdef FIXED
    __syncthreads();
#endif
  }
  if (threadIdx.x < 32) out[threadIdx.x] = s[threadIdx.x];
}

int main() {
  int h[256] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, 32 * sizeof(int)));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 256>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

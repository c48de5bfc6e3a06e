// expect: memcheck+racecheck: sum
// says: is outside of an array of 128 elements|shared memory that another
/* Every thread adds its partner, those in the upper half as well: they have none. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
#ifdef FIXED
    if (t < stride)
#endif
      s[t] += s[t + stride]; // <- at
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

int main() {
  int h[128] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// expect: memcheck: copy4: not a multiple of 16; float4
/* Four floats at once, from the second element on. */
#include "program.h"

__global__ void copy4(const float *in, float *out, int n4) {
  int i = threadIdx.x;
  if (i < n4) ((float4 *)out)[i] = *(const float4 *)&in[4 * i]; // <- at
}

int main() {
  float h[64] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  copy4<<<1, 32>>>(in, out, 15);
#else
  copy4<<<1, 32>>>(in + 1, out, 15);
#endif
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

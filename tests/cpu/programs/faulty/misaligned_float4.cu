// expect: memcheck: add4
// says: not a multiple of 16 (as float4); cast to a wider type
/* Four floats at once, from the second element on. */
#include "program.h"

__global__ void add4(const float *in, float *out, int n4) {
  const float4 *in4 = (const float4 *)in;
  int i = threadIdx.x;
  if (i < n4) out[i] = in4[i].x + in4[i].y + in4[i].z + in4[i].w; // <- at
}

int main() {
  float h[64] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  add4<<<1, 32>>>(in, out, 15);
#else
  add4<<<1, 32>>>(in + 1, out, 15);
#endif
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

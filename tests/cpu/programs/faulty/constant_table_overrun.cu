// expect: memcheck: weigh
// says: index 5 is outside of an array of 5 elements; <= for <
/* A filter of five weights, and a loop over -2 to 3. */
#include "program.h"

__constant__ float weights[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

__global__ void weigh(const float *in, float *out, int n) {
  int i = threadIdx.x;
  float sum = 0;
#ifdef FIXED
  for (int k = -2; k <= 2; k++)
#else
  for (int k = -2; k <= 3; k++)
#endif
    if (i + k >= 0 && i + k < n) sum += weights[k + 2] * in[i + k]; // <- at
  out[i] = sum;
}

int main() {
  const int n = 64;
  float h[n] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  weigh<<<1, n>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// expect: memcheck: convolve
// says: element 5 of 5|outside of the __constant__ variable|outside of an array of 5 elements
/* A filter of five taps, used with <=. */
#include "program.h"

__constant__ float taps[5];

__global__ void convolve(const float *in, float *out, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#ifdef FIXED
  for (int k = 0; k < count; k++) sum += taps[k] * in[i + k];
#else
  for (int k = 0; k <= count; k++) sum += taps[k] * in[i + k]; // <- at
#endif
  out[i] = sum;
}

int main() {
  const int n = 100;
  float h[n + 5], *in, *out;
  const float filter[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  for (int i = 0; i < n + 5; i++) h[i] = 1;
  CHECK(cudaMemcpyToSymbol(taps, filter, sizeof filter));
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, n * sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  convolve<<<1, 128>>>(in, out, n, 5);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// expect: memcheck: median
// says: index 3 is outside of an array of 3 elements; <= for <
/* A window of three, and a loop to three. */
#include "program.h"

__global__ void median(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 2) return;
  int window[3];
#ifdef FIXED
  for (int k = 0; k < 3; k++)
#else
  for (int k = 0; k <= 3; k++)
#endif
    window[k] = in[i - 1 + k]; // <- at
  int low = min(window[0], window[1]), high = max(window[0], window[1]);
  out[i] = max(low, min(high, window[2]));
}

int main() {
  const int n = 64;
  int h[n] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  median<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

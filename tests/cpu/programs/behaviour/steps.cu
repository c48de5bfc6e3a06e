/* A kernel to stop in with a debugger. */
#include <stdio.h>
__global__ void scale(float *data, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float old = data[i];
    data[i] = old * factor;
  }
}
int main() {
  float h[100], *d;
  for (int i = 0; i < 100; i++) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  scale<<<4, 32>>>(d, 2.0f, 100);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h[50] != 100;
}

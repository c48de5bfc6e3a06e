/* What a learner's file looks like to the harness: a function of C
   that uses the device, rightly or wrongly. */
#include "learner.h"

__global__ void add_one(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] += 1.0f;
}

extern "C" void good(float *x, int n) {
  float *d;
  cudaMalloc(&d, n * sizeof *d);
  cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice);
  add_one<<<1, 128>>>(d, n - 1);
  cudaMemcpy(x, d, n * sizeof *d, cudaMemcpyDeviceToHost);
  cudaFree(d);
}

extern "C" void bad(float *x, int n) {
  float *d;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&d, n * sizeof *d);
  cudaMemcpyAsync(d, x, n * sizeof *d, cudaMemcpyHostToDevice, stream);
  add_one<<<1, 128, 0, stream>>>(d, n);
  cudaStreamSynchronize(stream);
}

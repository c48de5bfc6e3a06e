/* A grid-stride loop: fewer threads than elements, y updated in place. */
#include "program.h"

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 20000;
  float *h = new float[n], *x, *y;
  for (int i = 0; i < n; i++) h[i] = (float)(i % 17);
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMalloc(&y, n * sizeof *y));
  CHECK(cudaMemcpy(x, h, n * sizeof *x, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(y, x, n * sizeof *x, cudaMemcpyDeviceToDevice));
  saxpy<<<8, 128>>>(n, 2.0f, x, y);
  saxpy<<<5, 96>>>(n, 1.0f, x, y); /* another launch, other threads own the same elements */
  CHECK(cudaMemcpy(h, y, n * sizeof *y, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("y", i, h[i], 4.0 * (i % 17));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  delete[] h;
}

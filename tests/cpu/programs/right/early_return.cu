/* Threads past the end return at once: without a barrier after it,
   and with one that only live threads reach. */
#include "program.h"

__global__ void half(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] *= 0.5f;
}

__global__ void neighbour(const float *in, float *out, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  if (i >= n) return;
  s[i] = in[i];
  __syncthreads();
  out[i] = s[(i + 1) % n];
}

int main() {
  const int n = 50;
  float h[n], *d, *e;
  for (int i = 0; i < n; i++) h[i] = (float)i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&e, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  half<<<3, 32>>>(d, n);
  neighbour<<<1, 64>>>(d, e, n);
  CHECK(cudaMemcpy(h, e, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("out", i, h[i], 0.5 * ((i + 1) % n));
  CHECK(cudaFree(d));
  CHECK(cudaFree(e));
}

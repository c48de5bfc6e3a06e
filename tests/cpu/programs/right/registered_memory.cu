/* Memory of aligned_alloc, pinned afterwards and polled for with cudaStreamQuery. */
#include "program.h"

__global__ void negate(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = -x[i];
}

int main() {
  const int n = 4096;
  int *h = (int *)aligned_alloc(4096, n * sizeof *h), *d;
  cudaStream_t stream;
  CHECK(cudaHostRegister(h, n * sizeof *h, cudaHostRegisterDefault));
  CHECK(cudaMalloc(&d, n * sizeof *d));
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMemcpyAsync(d, h, n * sizeof *h, cudaMemcpyHostToDevice, stream));
  negate<<<n / 256, 256, 0, stream>>>(d, n);
  CHECK(cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost, stream));
  cudaError_t state;
  while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady) {
  }
  CHECK(state);
  for (int i = 0; i < n; i++) expect("h", i, h[i], -i);
  CHECK(cudaHostUnregister(h));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(d));
  free(h);
}

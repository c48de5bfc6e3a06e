/* Memory of several devices: each has its own variables, its own arrays and its own figures; copies between
 * them. With one device the program has nothing to do. */
// with: CUCC_DEVICES=3
#include "program.h"

__device__ int number;

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = number + i;
}

int main() {
  const int n = 500;
  int devices, h[n], *a, *b, value;
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2) return 0;
  for (int d = 0; d < 2; d++) {
    value = 1000 * (d + 1);
    CHECK(cudaSetDevice(d));
    CHECK(cudaMalloc(d ? &b : &a, n * sizeof(int)));
    CHECK(cudaMemcpyToSymbol(number, &value, sizeof value));
  }
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, a));
  expect("device", 0, attributes.device, 0);
  CHECK(cudaPointerGetAttributes(&attributes, b));
  expect("device", 1, attributes.device, 1);
  CHECK(cudaSetDevice(0));
  fill<<<2, 256>>>(a, n);
  CHECK(cudaSetDevice(1));
  fill<<<2, 256>>>(b, n);
  CHECK(cudaMemcpyFromSymbol(&value, number, sizeof value));
  expect("number", 1, value, 2000);
  CHECK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  expect("b", 7, h[7], 2007);
  CHECK(cudaMemcpyPeer(b, 1, a, 0, n * sizeof(int)));
  CHECK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("copied", i, h[i], 1000 + i);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  fill<<<2, 256, 0, stream>>>(b, n);
  CHECK(cudaMemcpyPeerAsync(a, 0, b, 1, n * sizeof(int), stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDefault));
  expect("a", 9, h[9], 2009);
  expect("no such device", 0, cudaMemcpyPeer(a, devices, b, 1, 4), cudaErrorInvalidDevice);
  cudaGetLastError();
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

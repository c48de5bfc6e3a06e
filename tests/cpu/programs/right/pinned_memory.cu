/* The host waits for its stream before it reads what came back, and before it writes the buffer again. */
#include "program.h"

__global__ void add_one(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

int main() {
  const int n = 777;
  int *h, *d;
  cudaStream_t stream;
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  CHECK(cudaMalloc(&d, n * sizeof *d));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < n; i++) h[i] = i * round;
    CHECK(cudaMemcpyAsync(d, h, n * sizeof *h, cudaMemcpyHostToDevice, stream));
    add_one<<<7, 128, 0, stream>>>(d, n);
    CHECK(cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++) expect("h", i, h[i], i * round + 1);
  }
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
}

/* Chunks over several streams: copy in, compute, copy out, from
   pinned memory; buffers used again and again. */
#include "program.h"

__global__ void square(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}

int main() {
  const int streams = 3, chunk = 1000, chunks = 8, n = chunk * chunks - 123;
  float *h_in, *h_out, *d[streams];
  cudaStream_t stream[streams];
  CHECK(cudaMallocHost(&h_in, n * sizeof(float)));
  CHECK(cudaHostAlloc(&h_out, n * sizeof(float), cudaHostAllocDefault));
  for (int i = 0; i < n; i++) h_in[i] = (float)(i % 50);
  for (int s = 0; s < streams; s++) {
    CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaMalloc(&d[s], chunk * sizeof(float)));
  }
  for (int c = 0; c < chunks; c++) {
    int s = c % streams, first = c * chunk, count = first + chunk < n ? chunk : n - first;
    CHECK(cudaMemcpyAsync(d[s], h_in + first, count * sizeof(float), cudaMemcpyHostToDevice, stream[s]));
    square<<<(count + 255) / 256, 256, 0, stream[s]>>>(d[s], count);
    CHECK(cudaMemcpyAsync(h_out + first, d[s], count * sizeof(float), cudaMemcpyDeviceToHost, stream[s]));
  }
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) expect("out", i, h_out[i], (double)(i % 50) * (i % 50));
  for (int s = 0; s < streams; s++) {
    CHECK(cudaStreamDestroy(stream[s]));
    CHECK(cudaFree(d[s]));
  }
  CHECK(cudaFreeHost(h_in));
  CHECK(cudaFreeHost(h_out));
}

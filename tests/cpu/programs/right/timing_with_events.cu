/* Time taken with events, buffers freed and allocated again, memory cleared by memset. */
#include "program.h"

__global__ void count(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i]++;
}

int main() {
  const int n = 1000;
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int round = 0; round < 3; round++) {
    int *d, h[n];
    float ms = -1.0f;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMemset(d, 0, sizeof h));
    CHECK(cudaEventRecord(start));
    for (int i = 0; i <= round; i++) count<<<4, 256>>>(d, n);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (!(ms >= 0.0f)) return 1;
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) expect("h", i, h[i], round + 1);
    CHECK(cudaFree(d));
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}

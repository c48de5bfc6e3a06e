// expect: racecheck: scale
// says: global memory that scale in stream; cudaStreamWaitEvent
/* Two chunks, two streams, and one device buffer for both. */
#include "program.h"

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f; // <- at
}

int main() {
  const int n = 128;
  float *buffer[2];
  cudaStream_t stream[2];
  CHECK(cudaMalloc(&buffer[0], n * sizeof(float)));
  CHECK(cudaMalloc(&buffer[1], n * sizeof(float)));
  for (int s = 0; s < 2; s++) {
    CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaMemset(buffer[s], 0, n * sizeof(float)));
  }
  CHECK(cudaDeviceSynchronize());
#ifdef FIXED
  for (int s = 0; s < 2; s++) scale<<<1, n, 0, stream[s]>>>(buffer[s], n);
#else
  for (int s = 0; s < 2; s++) scale<<<1, n, 0, stream[s]>>>(buffer[0], n);
#endif
  CHECK(cudaDeviceSynchronize());
  for (int s = 0; s < 2; s++) {
    CHECK(cudaFree(buffer[s]));
    CHECK(cudaStreamDestroy(stream[s]));
  }
}

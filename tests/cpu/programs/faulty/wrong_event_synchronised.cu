// expect: racecheck: -
// says: the host reads pinned memory; before this work was queued
/* The host waits for the event of the first half and reads both. */
#include "program.h"

int main() {
  const int n = 64;
  int *h, *d, sum = 0;
  cudaStream_t stream;
  cudaEvent_t half[2];
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  CHECK(cudaMalloc(&d, n * sizeof *d));
  CHECK(cudaMemset(d, 0, n * sizeof *d));
  for (int i = 0; i < 2; i++) {
    CHECK(cudaEventCreate(&half[i]));
    CHECK(cudaMemcpyAsync(h + i * n / 2, d + i * n / 2, n / 2 * sizeof *h, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventRecord(half[i], stream));
  }
#ifdef FIXED
  CHECK(cudaEventSynchronize(half[1]));
#else
  CHECK(cudaEventSynchronize(half[0]));
#endif
  for (int i = 0; i < n; i++) sum += h[i]; // <- at
  if (sum) printf("%d\n", sum);
  for (cudaEvent_t e : half) CHECK(cudaEventDestroy(e));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
}

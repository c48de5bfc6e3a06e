/* Two streams take turns on one array, ordered by one event that is recorded again and again; the host polls
 * the last. */
#include "program.h"

__global__ void step(int *x, int n, int a, int b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = a * x[i] + b;
}

int main() {
  const int n = 300, turns = 6;
  int *x, *h;
  cudaStream_t streams[2];
  cudaEvent_t done;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  for (cudaStream_t &s : streams) CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming | cudaEventBlockingSync));
  CHECK(cudaMemsetAsync(x, 0, n * sizeof *x, streams[0]));
  CHECK(cudaEventRecord(done, streams[0]));
  for (int t = 0; t < turns; t++) {
    CHECK(cudaStreamWaitEvent(streams[t % 2], done, 0));
    step<<<(n + 63) / 64, 64, 0, streams[t % 2]>>>(x, n, 2, t);
    CHECK(cudaEventRecord(done, streams[t % 2]));
  }
  CHECK(cudaStreamWaitEvent(streams[0], done, 0));
  CHECK(cudaMemcpyAsync(h, x, n * sizeof *h, cudaMemcpyDeviceToHost, streams[0]));
  CHECK(cudaEventRecord(done, streams[0]));
  cudaError_t error;
  while ((error = cudaEventQuery(done)) == cudaErrorNotReady)
    expect("no last error", 0, cudaPeekAtLastError(), 0);
  CHECK(error);
  int want = 0;
  for (int t = 0; t < turns; t++) want = 2 * want + t;
  for (int i = 0; i < n; i++) expect("h", i, h[i], want);
  for (cudaStream_t s : streams) CHECK(cudaStreamDestroy(s));
  CHECK(cudaEventDestroy(done));
  CHECK(cudaFree(x));
  CHECK(cudaFreeHost(h));
}

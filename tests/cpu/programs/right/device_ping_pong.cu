// with: CUCC_DEVICES=2
/* Two devices take turns on an array that goes to and fro by peer copies, ordered by events. */
#include "program.h"

__global__ void step(int *x, int n, int a, int b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = a * x[i] + b;
}

int main() {
  const int n = 500, turns = 6;
  int devices, want = 0, h[n], *x[2];
  cudaStream_t streams[2];
  cudaEvent_t sent[2];
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2) return 0;
  for (int d = 0; d < 2; d++) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaMalloc(&x[d], sizeof h));
    CHECK(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&sent[d], cudaEventDisableTiming));
  }
  CHECK(cudaSetDevice(0));
  CHECK(cudaMemsetAsync(x[0], 0, sizeof h, streams[0]));
  for (int t = 0; t < turns; t++) {
    const int d = t % 2, other = 1 - d;
    CHECK(cudaSetDevice(d));
    if (t) CHECK(cudaStreamWaitEvent(streams[d], sent[other], 0));
    step<<<(n + 127) / 128, 128, 0, streams[d]>>>(x[d], n, 2, t);
    CHECK(cudaMemcpyPeerAsync(x[other], other, x[d], d, sizeof h, streams[d]));
    CHECK(cudaEventRecord(sent[d], streams[d]));
    want = 2 * want + t;
  }
  CHECK(cudaEventSynchronize(sent[(turns - 1) % 2]));
  CHECK(cudaMemcpy(h, x[turns % 2], sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("h", i, h[i], want);
  for (int d = 0; d < 2; d++) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaEventDestroy(sent[d]));
    CHECK(cudaStreamDestroy(streams[d]));
    CHECK(cudaFree(x[d]));
  }
}

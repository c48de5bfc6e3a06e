// with: CUCC_DEVICES=4
/* An all-reduce around a ring of devices: in each round every device sends on what it got, and adds it. */
#include "program.h"

__global__ void add(int *sum, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += x[i];
}

int main() {
  const int n = 300, most = 4;
  int devices, h[n], *sum[most], *pass[most][2];
  cudaStream_t streams[most];
  cudaEvent_t sent[most], added[most];
  CHECK(cudaGetDeviceCount(&devices));
  if (devices > most) devices = most;
  for (int d = 0; d < devices; d++) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaStreamCreate(&streams[d]));
    CHECK(cudaEventCreateWithFlags(&sent[d], cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&added[d], cudaEventDisableTiming));
    CHECK(cudaMalloc(&sum[d], sizeof h));
    for (int k = 0; k < 2; k++) CHECK(cudaMalloc(&pass[d][k], sizeof h));
    for (int i = 0; i < n; i++) h[i] = 1000 * d + i;
    CHECK(cudaMemcpy(sum[d], h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(pass[d][0], h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(added[d], streams[d]));
  }
  for (int round = 0; round + 1 < devices; round++) {
    const int from = round % 2, to = 1 - from;
    for (int d = 0; d < devices; d++) { /* the next one must have used what lies there */
      const int next = (d + 1) % devices;
      CHECK(cudaSetDevice(d));
      CHECK(cudaStreamWaitEvent(streams[d], added[next], 0));
      CHECK(cudaMemcpyPeerAsync(pass[next][to], next, pass[d][from], d, sizeof h, streams[d]));
      CHECK(cudaEventRecord(sent[d], streams[d]));
    }
    for (int d = 0; d < devices; d++) {
      CHECK(cudaSetDevice(d));
      CHECK(cudaStreamWaitEvent(streams[d], sent[(d + devices - 1) % devices], 0));
      add<<<(n + 63) / 64, 64, 0, streams[d]>>>(sum[d], pass[d][to], n);
      CHECK(cudaEventRecord(added[d], streams[d]));
    }
  }
  for (int d = 0; d < devices; d++) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, sum[d], sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
      expect("sum", i, h[i], 1000.0 * devices * (devices - 1) / 2 + 1.0 * devices * i);
  }
  for (int d = 0; d < devices; d++) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(streams[d]));
    CHECK(cudaEventDestroy(sent[d]));
    CHECK(cudaEventDestroy(added[d]));
    CHECK(cudaFree(sum[d]));
    for (int *p : pass[d]) CHECK(cudaFree(p));
  }
}

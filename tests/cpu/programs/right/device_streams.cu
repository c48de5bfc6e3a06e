// with: CUCC_DEVICES=4
/* Each device has its own default stream, streams and events; events order work across devices. */
#include "program.h"

__global__ void fill(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value + i;
}

int main() {
  const int n = 300, most = 4;
  int devices, current, *d[most], h[n];
  cudaStream_t streams[most];
  cudaEvent_t filled[most];
  CHECK(cudaGetDeviceCount(&devices));
  if (devices > most) devices = most;
  expect("no such device", 0, cudaSetDevice(1000), cudaErrorInvalidDevice);
  expect("last error", 0, cudaGetLastError(), cudaErrorInvalidDevice);
  expect("negative", 0, cudaSetDevice(-1), cudaErrorInvalidDevice);
  cudaGetLastError();
  for (int i = 0; i < devices; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaGetDevice(&current));
    expect("current", i, current, i);
    CHECK(cudaMalloc(&d[i], sizeof h));
    CHECK(cudaStreamCreateWithFlags(&streams[i], i % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
    CHECK(cudaStreamGetDevice(streams[i], &current));
    expect("stream's device", i, current, i);
    CHECK(cudaEventCreate(&filled[i]));
    fill<<<3, 128, 0, streams[i]>>>(d[i], n, 1000 * i);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(filled[i], streams[i]));
  }
  for (int i = 0; i < devices; i++) { /* each copy waits for the work of the device before it */
    const int other = (i + devices - 1) % devices;
    CHECK(cudaSetDevice(i));
    CHECK(cudaStreamWaitEvent(streams[i], filled[other], 0));
    CHECK(cudaMemcpyAsync(h, d[other], sizeof h, cudaMemcpyDeviceToHost, streams[i]));
    CHECK(cudaStreamSynchronize(streams[i]));
    for (int k = 0; k < n; k++) expect("h", k, h[k], 1000 * other + k);
  }
  for (int i = 0; i < devices;
       i++) { /* the default stream of a device orders itself with its blocking streams */
    CHECK(cudaSetDevice(i));
    if (i % 2 == 0) {
      fill<<<3, 128, 0, streams[i]>>>(d[i], n, 5);
      fill<<<3, 128>>>(d[i], n, i);
      CHECK(cudaMemcpy(h, d[i], sizeof h, cudaMemcpyDeviceToHost));
      for (int k = 0; k < n; k++) expect("default stream", k, h[k], i + k);
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(filled[i]));
    CHECK(cudaStreamDestroy(streams[i]));
    CHECK(cudaFree(d[i]));
  }
}

/* Eight threads of the host, each with streams and events of its own, queue, wait and allocate at the same
 * time. */
#include "program.h"

#include <thread>
#include <vector>

__global__ void add(int *x, int n, int what) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += what;
}

__global__ void turn_round(int *x) {
  __shared__ int tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = tile[63 - threadIdx.x];
}

static void work(int thread) {
  const int n = 256, rounds = 5;
  cudaStream_t streams[2];
  cudaEvent_t done;
  int *d, *h;
  for (auto &s : streams) CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < n; i++) h[i] = i;
    CHECK(cudaMalloc(&d, n * sizeof *d));
    CHECK(cudaMemcpyAsync(d, h, n * sizeof *d, cudaMemcpyHostToDevice, streams[0]));
    add<<<4, 64, 0, streams[0]>>>(d, n, thread);
    CHECK(cudaEventRecord(done, streams[0]));
    CHECK(cudaStreamWaitEvent(streams[1], done, 0));
    turn_round<<<4, 64, 0, streams[1]>>>(d);
    CHECK(cudaMemcpyAsync(h, d, n * sizeof *d, cudaMemcpyDeviceToHost, streams[1]));
    CHECK(cudaStreamSynchronize(streams[1]));
    for (int i = 0; i < n; i++) expect("h", i, h[i], i / 64 * 64 + 63 - i % 64 + thread);
    CHECK(cudaFree(d));
  }
  CHECK(cudaGetLastError());
  CHECK(cudaFreeHost(h));
  CHECK(cudaEventDestroy(done));
  for (auto s : streams) CHECK(cudaStreamDestroy(s));
}

int main() {
  std::vector<std::thread> team;
  for (int t = 0; t < 8; t++) team.emplace_back(work, t);
  for (auto &t : team) t.join();
  CHECK(cudaDeviceSynchronize());
}

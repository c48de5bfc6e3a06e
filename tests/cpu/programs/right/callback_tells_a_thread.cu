/* The host learns from a function in a stream that the work before it is done, without a call of CUDA: by a
 * flag, and by a thread that this function starts. */
#include "program.h"
#include <atomic>
#include <thread>

__global__ void twice(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

const int n = 500;

struct work {
  int *h, *d;
  long sum = 0;
  std::thread consumer;
  std::atomic<bool> done{false};
  void add() {
    for (int i = 0; i < n; i++) sum += h[i];
  }
  void queue(cudaStream_t stream, int first) {
    CHECK(cudaMallocHost(&h, n * sizeof *h));
    CHECK(cudaMalloc(&d, n * sizeof *d));
    for (int i = 0; i < n; i++) h[i] = first + i;
    CHECK(cudaMemcpyAsync(d, h, n * sizeof *h, cudaMemcpyHostToDevice, stream));
    twice<<<(n + 127) / 128, 128, 0, stream>>>(d, n);
    CHECK(cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost, stream));
  }
  void end(int first) {
    expect("sum", first, (double)sum, 2.0 * (first * n + n * (n - 1) / 2));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
  }
};

static void set_flag(void *argument) { ((work *)argument)->done = true; }

static void CUDART_CB start_thread(cudaStream_t, cudaError_t status, void *argument) {
  CHECK(status);
  work *w = (work *)argument;
  w->consumer = std::thread([w] { w->add(); });
  w->done = true;
}

static void wait_for(const work &w) {
  while (!w.done) std::this_thread::yield();
}

int main() {
  cudaStream_t streams[2];
  work a, b;
  for (cudaStream_t &stream : streams) CHECK(cudaStreamCreate(&stream));
  a.queue(streams[0], 1);
  CHECK(cudaLaunchHostFunc(streams[0], set_flag, &a));
  wait_for(a);
  a.add();
  a.end(1);
  b.queue(streams[1], 7);
  CHECK(cudaStreamAddCallback(streams[1], start_thread, &b, 0));
  wait_for(b);
  b.consumer.join();
  b.end(7);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
}

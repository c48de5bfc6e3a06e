/* A function of the host runs in its place in the stream: after the copy that it reads. */
#include "program.h"

struct job {
  const int *data;
  int n;
  long long sum;
};

static void add_up(void *argument) {
  job *j = (job *)argument;
  for (int i = 0; i < j->n; i++) j->sum += j->data[i];
}

__global__ void iota(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

int main() {
  const int n = 640;
  int *h, *d;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  CHECK(cudaMalloc(&d, n * sizeof *d));
  job j = {h, n, 0};
  iota<<<n / 64, 64, 0, stream>>>(d, n);
  CHECK(cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaLaunchHostFunc(stream, add_up, &j));
  CHECK(cudaStreamSynchronize(stream));
  expect("sum", 0, (double)j.sum, n * (n - 1) / 2);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
}

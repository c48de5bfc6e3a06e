/* Memory that is allocated and freed in a stream: used there, and in another stream after an event. */
#include "program.h"

__global__ void fill(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value + i;
}

__global__ void add(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}

int main() {
  const int n = 1000;
  static int h[n];
  int *a, *b, *pooled;
  cudaStream_t one, two;
  cudaEvent_t made, used;
  cudaMemPool_t pool;
  unsigned long long threshold = ~0ull, in_use;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&made));
  CHECK(cudaEventCreate(&used));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  expect("threshold", 0, threshold == ~0ull, 1);
  for (int round = 0; round < 20; round++) {
    CHECK(cudaMallocAsync(&a, n * sizeof *a, one));
    CHECK(cudaMallocAsync(&b, n * sizeof *b, one));
    CHECK(cudaMemsetAsync(b, 0, n * sizeof *b, one));
    CHECK(cudaEventRecord(made, one));
    CHECK(cudaStreamWaitEvent(two, made, 0));
    fill<<<(n + 127) / 128, 128, 0, two>>>(a, n, round);
    add<<<(n + 127) / 128, 128, 0, two>>>(a, b, n);
    CHECK(cudaEventRecord(used, two));
    CHECK(cudaStreamWaitEvent(one, used, 0));
    CHECK(cudaFreeAsync(a, one));
    CHECK(cudaMemcpyAsync(h, b, n * sizeof *b, cudaMemcpyDeviceToHost, one));
    CHECK(cudaFreeAsync(b, one));
    CHECK(cudaStreamSynchronize(one));
    for (int i = 0; i < n; i++) expect("h", i, h[i], i + round);
  }
  CHECK(cudaMallocFromPoolAsync(&pooled, n * sizeof *pooled, pool, one));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &in_use));
  expect("in use", 0, in_use >= n * sizeof *pooled, 1);
  CHECK(cudaStreamSynchronize(one));
  fill<<<(n + 127) / 128, 128, 0, two>>>(pooled, n, 0); /* the host has waited for the allocation */
  CHECK(cudaStreamSynchronize(two));
  CHECK(cudaFree(pooled));
  CHECK(cudaMemPoolTrimTo(pool, 0));
  CHECK(cudaEventDestroy(made));
  CHECK(cudaEventDestroy(used));
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
}

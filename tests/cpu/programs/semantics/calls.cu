// with: CUCC_CHECK=none
/* What calls return when they are used wrongly, as an H200 with CUDA 13 does it. Prints nothing when all is
 * equal. */
#include "../program.h"

__global__ void touch(int *p) {
  extern __shared__ int s[];
  s[0] = 1;
  p[0] = s[0];
}

/* A call that fails must say so by its value, and once by cudaGetLastError. */
static void returns(const char *what, cudaError_t got, cudaError_t want) {
  expect(what, 0, got, want);
  expect(what, 1, cudaPeekAtLastError(), want);
  expect(what, 2, cudaGetLastError(), want);
  expect(what, 3, cudaGetLastError(), cudaSuccess);
}

static void launch_returns(const char *what, dim3 grid, dim3 block, size_t shared, int *p) {
  touch<<<grid, block, shared>>>(p);
  returns(what, cudaPeekAtLastError(), cudaErrorInvalidValue);
}

static void launches(int *p) {
  launch_returns("1025 threads", 1, 1025, 4, p);
  launch_returns("grid.y 65536", dim3(1, 65536), 1, 4, p);
  launch_returns("block.z 65", 1, dim3(1, 1, 65), 4, p);
  launch_returns("no block", 0, 1, 4, p);
  launch_returns("no thread", 1, 0, 4, p);
  launch_returns("49153 bytes of shared memory", 1, 1, 49153, p);
}

static void memory(int *p) {
  const size_t most = 8 << 20;
  int *host = (int *)calloc(1, most), *q;
  void *huge;
  expect("too much", 0, cudaMalloc(&huge, (size_t)1 << 60), cudaErrorMemoryAllocation);
  touch<<<1, 1, 4>>>(p); /* good, and the error stays */
  returns("too much", cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  returns("wrong direction", cudaMemcpy(host, p, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  returns("past the end", cudaMemcpy(p, host, most, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  returns("free of host memory", cudaFree(host), cudaErrorInvalidValue);
  returns("free of the middle", cudaFree(p + 4), cudaErrorInvalidValue);
  CHECK(cudaMalloc(&q, 64));
  CHECK(cudaFree(q));
  returns("free of the freed", cudaFree(q), cudaErrorInvalidValue);
  CHECK(cudaFree(NULL));
  CHECK(cudaHostAlloc(&q, 64, cudaHostAllocMapped));
  int *mapped;
  CHECK(cudaHostGetDevicePointer(&mapped, q, 0));
  expect("mapped pointer is the host's", 0, mapped == q, 1);
  CHECK(cudaFreeHost(q));
  free(host);
}

static void others(int *p) {
  cudaEvent_t a, b;
  float ms;
  int count;
  CHECK(cudaGetDeviceCount(&count));
  returns("unknown device", cudaSetDevice(count), cudaErrorInvalidDevice);
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  returns("time of events never recorded", cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(a));
  CHECK(cudaEventDestroy(b));
  touch<<<1, 1, 4>>>(p);
  if (cudaStreamQuery(0) == cudaErrorNotReady) expect("not ready", 0, cudaPeekAtLastError(), cudaSuccess);
  CHECK(cudaDeviceSynchronize());
}

int main() {
  int *p;
  CHECK(cudaMalloc(&p, 64));
  launches(p);
  memory(p);
  others(p);
  CHECK(cudaFree(p));
}

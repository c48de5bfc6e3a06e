/* Error codes as an H200 with CUDA 13 gives them. Prints nothing when all are as they should be. */
#include "program.h"

__global__ void touch(int *p) {
  extern __shared__ int s[];
  s[0] = 1;
  p[0] = 1;
}

static void launch_fails(const char *what, dim3 grid, dim3 block, size_t shared, int *p) {
  touch<<<grid, block, shared>>>(p);
  expect(what, 0, cudaPeekAtLastError(), cudaErrorInvalidValue);
  expect(what, 1, cudaGetLastError(), cudaErrorInvalidValue);
  expect(what, 2, cudaGetLastError(), cudaSuccess);
}

int main() {
  int *p, value;
  float ms;
  void *huge;
  cudaEvent_t a, b;
  CHECK(cudaMalloc(&p, 64));
  launch_fails("1025 threads", 1, 1025, 4, p);
  launch_fails("grid.y 65536", dim3(1, 65536), 1, 4, p);
  launch_fails("block.z 65", 1, dim3(1, 1, 65), 4, p);
  launch_fails("no block", 0, 1, 4, p);
  launch_fails("no thread", 1, 0, 4, p);
  launch_fails("49153 bytes of shared memory", 1, 1, 49153, p);

  expect("no memory", 0, cudaMalloc(&huge, (size_t)1 << 60), cudaErrorMemoryAllocation);
  touch<<<1, 1, 4>>>(p); /* good, and the error stays */
  expect("no memory", 1, cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  expect("no memory", 2, cudaGetLastError(), cudaErrorMemoryAllocation);
  expect("no memory", 3, cudaGetLastError(), cudaSuccess);

  expect("unknown device", 0, cudaSetDevice(7), cudaErrorInvalidDevice);
  cudaGetLastError();
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  expect("unrecorded", 0, cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  CHECK(cudaFree(NULL));
  CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  expect("value", 0, value, 1);
  touch<<<1, 1, 4>>>(p);
  if (cudaStreamQuery(0) == cudaErrorNotReady)
    expect("not ready is not recorded", 0, cudaPeekAtLastError(), cudaSuccess);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(a));
  CHECK(cudaEventDestroy(b));
  CHECK(cudaFree(p));
}

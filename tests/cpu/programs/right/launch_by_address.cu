/* Kernels launched by their address: cudaLaunchKernel and cudaLaunchKernelExC, arguments as pointers, and the
 * dynamic shared memory that one kernel is allowed and another is not. */
#include "program.h"
#include <string.h>

struct pair {
  float scale;
  int shift;
};

__global__ void fill(float *out, struct pair p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = p.scale * (float)i + (float)p.shift;
}

__global__ void reverse_in_block(float *data) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void nothing() {}

static void host_function() {}

int main() {
  const int n = 1000;
  float *d, h[1000];
  struct pair p = {0.5f, 3};
  int count = n;
  CHECK(cudaMalloc(&d, n * sizeof(float)));

  void *arguments[] = {&d, &p, &count};
  CHECK(cudaLaunchKernel((const void *)fill, dim3(4), dim3(256), arguments, 0, 0));
  p.scale = 100; /* values were taken at the call */
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("filled", i, h[i], 0.5 * i + 3);

  cudaLaunchConfig_t config;
  memset((void *)&config, 0, sizeof config);
  config.gridDim = dim3(1);
  config.blockDim = dim3(100);
  config.dynamicSmemBytes = 100 * sizeof(float);
  void *one[] = {&d};
  CHECK(cudaLaunchKernelExC(&config, (const void *)reverse_in_block, one));
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; i++) expect("reversed", i, h[i], 0.5 * (99 - i) + 3);

  CHECK(cudaLaunchKernel((const void *)nothing, dim3(1), dim3(1), NULL, 0, 0));
  CHECK(cudaDeviceSynchronize());

  /* 64 KiB for one kernel are not for the other */
  CHECK(cudaFuncSetAttribute((const void *)reverse_in_block, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             65536));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)reverse_in_block));
  expect("allowed bytes", 0, attributes.maxDynamicSharedSizeBytes, 65536);
  CHECK(cudaLaunchKernel((const void *)reverse_in_block, dim3(1), dim3(100), one, 65536, 0));
  expect("too much for nothing", 0, cudaLaunchKernel((const void *)nothing, dim3(1), dim3(1), NULL, 65536, 0),
         cudaErrorInvalidValue);
  expect("last error", 0, cudaGetLastError(), cudaErrorInvalidValue);
  expect("not a kernel", 0, cudaLaunchKernel((const void *)host_function, dim3(1), dim3(1), NULL, 0, 0),
         cudaErrorInvalidResourceHandle);
  expect("last error", 1, cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
  return 0;
}

/* What CUDA 12 has and CUDA 13 has no more, or with other arguments: members of cudaDeviceProp, the number of a
 * device as a place of managed memory, the width of shared memory's banks, names of CUDA 4. */
#include "program.h"

__global__ void fill(int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  const int n = 1000;
  int device, value, *data;
  cudaDeviceProp prop;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&prop, device));
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device));
  expect("clock", 0, prop.clockRate, value);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, device));
  expect("clock", 1, prop.memoryClockRate, value);
  expect("copies beside kernels", 0, prop.deviceOverlap, 1);
  expect("its mode", 0, prop.computeMode, cudaComputeModeDefault);
  expect("no limit of time", 0, prop.kernelExecTimeoutEnabled, 0);

  cudaSharedMemConfig banks;
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  CHECK(cudaDeviceGetSharedMemConfig(&banks));
  expect("banks", 0, banks, cudaSharedMemBankSizeFourByte);
  CHECK(cudaFuncSetSharedMemConfig(fill, cudaSharedMemBankSizeFourByte));

  CHECK(cudaMallocManaged(&data, n * sizeof *data));
  CHECK(cudaMemAdvise(data, n * sizeof *data, cudaMemAdviseSetPreferredLocation, device));
  CHECK(cudaMemPrefetchAsync(data, n * sizeof *data, device));
  fill<<<(n + 255) / 256, 256>>>(data, n);
  CHECK(cudaMemPrefetchAsync(data, n * sizeof *data, cudaCpuDeviceId, NULL));
  CHECK(cudaThreadSynchronize());
  for (int i = 0; i < n; i++) expect("data", i, data[i], i);
  CHECK(cudaFree(data));
  CHECK(cudaThreadExit());
}

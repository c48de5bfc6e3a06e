/* Kernels that templates make, launched by their address, and asked for their attributes. */
#include "program.h"

template <int DEPTH, class T> __global__ void add_depth(T *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += DEPTH;
}

template <class T> static __global__ void twice(T *x) { x[threadIdx.x] *= 2; }

template <int DEPTH> static cudaError_t run(float *x, int n) {
  void *arguments[] = {&x, &n};
  return cudaLaunchKernel((const void *)add_depth<DEPTH, float>, dim3(1), dim3(32), arguments, 0, nullptr);
}

int main() {
  const int n = 20;
  float *x;
  int blocks = 0;
  cudaFuncAttributes attributes;
  CHECK(cudaMallocManaged(&x, 32 * sizeof *x));
  for (int i = 0; i < 32; i++) x[i] = i;
  CHECK((run<3>(x, n)));
  CHECK((run<4>(x, n)));
  CHECK((run<3>(x, n)));
  void *one[] = {&x}, *const by_reference = (void *)&twice<float>;
  CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(&twice<float>), dim3(1), dim3(32), one, 0, 0));
  CHECK(cudaLaunchKernel(by_reference, dim3(1), dim3(16), one, 0, 0));
  CHECK(cudaLaunchKernel(twice<float>, dim3(1), dim3(8), one, 0, 0));
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)twice<float>));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice<float>, 64, 0));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++) expect("x", i, x[i], (i + (i < n ? 10 : 0)) * (i < 8 ? 8 : i < 16 ? 4 : 2));
  CHECK(cudaFree(x));
}

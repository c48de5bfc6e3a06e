/* Objects of cuda::atomic in device memory: values are assigned to them, also of other types, and read. */
#include "program.h"
#include <cuda/atomic>

using flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void raise_flags(flag *flags, cuda::atomic<float> *level, cuda::atomic<unsigned> *sum) {
  flags[threadIdx.x] = 1;
  if (threadIdx.x == 0) *level = 2;
  *sum += threadIdx.x;
}

__global__ void sum_up(const flag *flags, const cuda::atomic<float> *level, int *out) {
  int sum = 0;
  for (int i = 0; i < 32; i++) sum += flags[i];
  out[0] = sum;
  out[1] = static_cast<int>(*level);
}

int main() {
  flag *d_flags;
  cuda::atomic<float> *d_level;
  cuda::atomic<unsigned> *d_sum;
  int *d_out, out[2];
  unsigned sum;
  CHECK(cudaMalloc(&d_flags, 32 * sizeof *d_flags));
  CHECK(cudaMalloc(&d_level, sizeof *d_level));
  CHECK(cudaMalloc(&d_sum, sizeof *d_sum));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemset(d_flags, 0, 32 * sizeof *d_flags));
  CHECK(cudaMemset(d_sum, 0, sizeof *d_sum));
  raise_flags<<<1, 32>>>(d_flags, d_level, d_sum);
  sum_up<<<1, 1>>>(d_flags, d_level, d_out);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  expect("flags", 0, out[0], 32);
  expect("level", 0, out[1], 2);
  expect("sum", 0, sum, 496);
  CHECK(cudaFree(d_flags));
  CHECK(cudaFree(d_level));
  CHECK(cudaFree(d_sum));
  CHECK(cudaFree(d_out));
}

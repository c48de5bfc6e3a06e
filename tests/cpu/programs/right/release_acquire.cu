/* Release and acquire by the operations themselves, without a fence: a flag between blocks, and a lock. */
#include "program.h"
#ifndef CUCC // nvcc has no builtins of g++ in device code
#include <cuda/atomic>
#define LOAD(p)     cuda::atomic_ref<int>(*(p)).load(cuda::memory_order_acquire)
#define STORE(p, v) cuda::atomic_ref<int>(*(p)).store(v, cuda::memory_order_release)
#define TAKE(p)     cuda::atomic_ref<int>(*(p)).exchange(1, cuda::memory_order_acquire)
#else
#define LOAD(p)     __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define TAKE(p)     __atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE)
#endif

__global__ void pass(int *data, int *flag, int *out) {
  __shared__ int seen;
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 5;
    __syncthreads();
    if (threadIdx.x == 0) STORE(flag, 1);
  } else {
    if (threadIdx.x == 0) {
      while (LOAD(flag) != 1)
        ;
      seen = 1;
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x ^ 1] + seen;
  }
}
__global__ void locked(int *lock, int *value) {
  bool done = false;
  while (!done) {
    if (TAKE(lock) == 0) {
      *value = *value + 1;
      STORE(lock, 0);
      done = true;
    }
  }
}
int main() {
  int *data, *flag, *out, r[64], v;
  CHECK(cudaMalloc(&data, 256));
  CHECK(cudaMalloc(&flag, 12));
  CHECK(cudaMalloc(&out, 256));
  CHECK(cudaMemset(flag, 0, 12));
  pass<<<2, 64>>>(data, flag, out);
  locked<<<3, 40>>>(flag + 1, flag + 2);
  CHECK(cudaMemcpy(r, out, 256, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&v, flag + 2, 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) expect("r", i, r[i], (i ^ 1) * 5 + 1);
  expect("v", 0, v, 120);
  CHECK(cudaFree(data));
  CHECK(cudaFree(flag));
  CHECK(cudaFree(out));
}

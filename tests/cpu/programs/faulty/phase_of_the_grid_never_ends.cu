// expect: synccheck: meet
// says: the kernel does not end
// with: CUCC_KERNEL_LIMIT=0.5
/* A barrier of the grid expects all threads, but one thread of each block arrives. */
#include "program.h"
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_device>;

enum { BLOCKS = 3, THREADS = 32 };

#ifdef FIXED
#define EXPECTED BLOCKS
#else
#define EXPECTED (BLOCKS * THREADS)
#endif

__global__ void begin(barrier *all) { init(all, EXPECTED); }

__global__ void meet(barrier *all, int *values, int *out) {
  const int b = blockIdx.x, t = threadIdx.x;
  values[b * THREADS + t] = b;
  __syncthreads();
  if (t == 0) all->arrive_and_wait(); // <- at
  __syncthreads();
  out[b * THREADS + t] = values[(b + 1) % BLOCKS * THREADS + t];
}

int main() {
  barrier *all;
  int *values, *out;
  CHECK(cudaMalloc(&all, sizeof *all));
  CHECK(cudaMalloc(&values, BLOCKS * THREADS * sizeof *values));
  CHECK(cudaMalloc(&out, BLOCKS * THREADS * sizeof *out));
  begin<<<1, 1>>>(all);
  void *arguments[] = {&all, &values, &out};
  CHECK(cudaLaunchCooperativeKernel((void *)meet, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
  cudaDeviceSynchronize();
  CHECK(cudaFree(all));
  CHECK(cudaFree(values));
  CHECK(cudaFree(out));
}

/* A cuda::barrier of thread_scope_device in global memory: one thread of each block arrives, and the blocks read
   what the others have stored. */
#include "program.h"
#include <cuda/barrier>
#include <utility>
using barrier = cuda::barrier<cuda::thread_scope_device>;

enum { BLOCKS = 5, THREADS = 32, STEPS = 6 };

__global__ void begin(barrier *all) { init(all, BLOCKS); }

__global__ void steps(barrier *all, int *values, int *out) {
  const int b = blockIdx.x, t = threadIdx.x;
  values[b * THREADS + t] = b * THREADS + t;
  for (int step = 0; step < STEPS; step++) {
    __syncthreads();
    if (t == 0) {
      barrier::arrival_token token = all->arrive();
      all->wait(std::move(token));
    }
    __syncthreads();
    const int *now = values + step % 2 * BLOCKS * THREADS;
    int *next = values + (step + 1) % 2 * BLOCKS * THREADS;
    next[b * THREADS + t] = now[(b + 1) % BLOCKS * THREADS + THREADS - 1 - t] + 1;
  }
  out[b * THREADS + t] = values[b * THREADS + t];
}

int main() {
  barrier *all;
  int *values, *out, h[BLOCKS * THREADS];
  CHECK(cudaMalloc(&all, sizeof *all));
  CHECK(cudaMalloc(&values, 2 * sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  begin<<<1, 1>>>(all);
  void *arguments[] = {&all, &values, &out};
  CHECK(cudaLaunchCooperativeKernel((void *)steps, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < BLOCKS * THREADS; i++)
    expect("out", i, h[i], (i / THREADS + STEPS) % BLOCKS * THREADS + i % THREADS + STEPS);
  CHECK(cudaFree(all));
  CHECK(cudaFree(values));
  CHECK(cudaFree(out));
}

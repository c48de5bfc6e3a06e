// expect: racecheck: expand
// says: global memory that; atomic function|__syncthreads|__syncwarp
/* The next frontier's length is counted up by all threads, with ++. */
#include "program.h"

__global__ void expand(const int *distance, int level, int n, int *queue, int *length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && distance[i] == level) {
#ifdef FIXED
    int slot = atomicAdd(length, 1);
#else
    int slot = (*length)++; // <- at
#endif
    queue[slot] = i; // <- at
  }
}

int main() {
  const int n = 128;
  int h[n], *distance, *queue, *length;
  for (int i = 0; i < n; i++) h[i] = i % 2;
  CHECK(cudaMalloc(&distance, sizeof h));
  CHECK(cudaMalloc(&queue, sizeof h));
  CHECK(cudaMalloc(&length, sizeof *length));
  CHECK(cudaMemcpy(distance, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(length, 0, sizeof *length));
  expand<<<2, 64>>>(distance, 1, n, queue, length);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(distance));
  CHECK(cudaFree(queue));
  CHECK(cudaFree(length));
}

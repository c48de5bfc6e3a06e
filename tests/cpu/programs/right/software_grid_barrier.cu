/* Blocks wait for each other at a barrier made of an atomic counter, as programs did before cooperative
 * launches. Works where all blocks fit on the device at once: 16 do everywhere. */
#include "program.h"

#define BLOCKS  16
#define THREADS 64

__device__ void grid_barrier(unsigned *arrived, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < (round + 1) * gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
}

/* Each round, every block adds up what its neighbours wrote in the round before. */
__global__ void diffuse(int *a, int *b, unsigned *arrived, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int round = 0; round < rounds; round++) {
    const int *from = round % 2 ? b : a;
    int *to = round % 2 ? a : b;
    to[i] = (from[(i + n - THREADS) % n] + from[i] + from[(i + THREADS) % n]) % 1000003;
    grid_barrier(arrived, round);
  }
}

int main() {
  const int n = BLOCKS * THREADS, rounds = 6;
  static int h[2][BLOCKS * THREADS], got[BLOCKS * THREADS];
  int *a, *b;
  unsigned *arrived;
  for (int i = 0; i < n; i++) h[0][i] = i * 31 % 997;
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMalloc(&arrived, sizeof(unsigned)));
  CHECK(cudaMemset(arrived, 0, sizeof(unsigned)));
  CHECK(cudaMemcpy(a, h[0], n * sizeof(int), cudaMemcpyHostToDevice));
  diffuse<<<BLOCKS, THREADS>>>(a, b, arrived, rounds);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(got, a, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < n; i++)
      h[(round + 1) % 2][i] =
          (h[round % 2][(i + n - THREADS) % n] + h[round % 2][i] + h[round % 2][(i + THREADS) % n]) % 1000003;
  for (int i = 0; i < n; i++) expect("diffused", i, got[i], h[0][i]);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(arrived));
  return 0;
}

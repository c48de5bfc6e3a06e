// expect: initcheck: reverse_in_blocks
// says: of shared memory that was never written; not every thread fills
/* Threads without an element go home before the tile is full, and the others wait for their part. */
#include "program.h"

#define BLOCK 64

__global__ void reverse_in_blocks(const int *in, int *out, int n) {
  __shared__ int tile[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
#ifdef FIXED
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (i >= n) return;
#else
  if (i >= n) return;
  tile[t] = in[i];
  __syncthreads();
#endif
  out[i] = tile[BLOCK - 1 - t]; // <- at
}

int main() {
  const int n = 100;
  int h[n] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse_in_blocks<<<2, BLOCK>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

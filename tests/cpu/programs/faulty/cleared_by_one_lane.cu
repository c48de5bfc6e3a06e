// expect: racecheck+initcheck: count
// says: shared memory that another thread of its block; a plain access to a value that others update
/* Lane 0 clears the block's counter; __syncwarp makes its own warp wait, and no other. */
#include "program.h"

__global__ void count(const int *in, int *out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0; // <- at
#ifdef FIXED
  __syncthreads();
#else
  __syncwarp();
#endif
  if (in[threadIdx.x] > 2) atomicAdd(&counter, 1); // <- at
  __syncthreads();
  if (threadIdx.x == 0) *out = counter;
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, 64>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

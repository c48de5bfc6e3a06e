// expect: synccheck: sum_rows
// says: wait at different barriers; branch or loop that not all threads
/* The rows have different lengths, and the barrier stands in the loop over a row. */
#include "program.h"

__global__ void sum_rows(const int *length, int *out) {
  int t = threadIdx.x, sum = 0, longest = 0;
  for (int r = 0; r < 32; r++) longest = max(longest, length[r]);
#ifdef FIXED
  for (int c = 0; c < longest; c++) {
    if (c < length[t]) sum += c;
    __syncthreads();
  }
#else
  for (int c = 0; c < length[t]; c++) {
    sum += c;
    __syncthreads(); // <- at
  }
#endif
  __syncthreads(); // <- at
  out[t] = sum;
}

int main() {
  int h[32], *length, *out;
  for (int i = 0; i < 32; i++) h[i] = 1 + i % 3;
  CHECK(cudaMalloc(&length, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(length, h, sizeof h, cudaMemcpyHostToDevice));
  sum_rows<<<1, 32>>>(length, out);
  cudaDeviceSynchronize();
  cudaFree(length);
  cudaFree(out);
}

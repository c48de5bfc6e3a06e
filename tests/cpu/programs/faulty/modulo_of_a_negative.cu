// expect: memcheck: shift
// says: reads 4 bytes, 4 bytes before the start; element -1 of 64; i - 1
/* (0 - 1) % n is -1 in C, not n - 1. */
#include "program.h"

__global__ void shift(const int *in, int *out, int n) {
  int i = threadIdx.x;
#ifdef FIXED
  out[i] = in[(i + n - 1) % n];
#else
  out[i] = in[(i - 1) % n]; // <- at
#endif
}

int main() {
  int h[64] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  shift<<<1, 64>>>(in, out, 64);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

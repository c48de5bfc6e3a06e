// expect: memcheck: add_one
// says: bytes 0 to 15, the array has 12 bytes
/* A float4 of an array of three floats. */
#include "program.h"

__global__ void add_one(float *p, int n) {
#ifdef FIXED
  if (threadIdx.x < n) p[threadIdx.x]++;
#else
  if (threadIdx.x < (n + 3) / 4) *(float4 *)p = make_float4(1, 1, 1, 1); // <- at
#endif
}

int main() {
  float *p;
  CHECK(cudaMalloc(&p, 3 * sizeof *p));
  CHECK(cudaMemset(p, 0, 3 * sizeof *p));
  add_one<<<1, 32>>>(p, 3);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(p));
}

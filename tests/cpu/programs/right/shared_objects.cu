/* Objects with constructors in shared memory: half numbers and a class of the program's. g++ keeps a guard
   next to such a variable, which all threads look at; that is no race. */
#include <cuda_fp16.h>

#include "program.h"

struct pair {
  float a, b;
  pair() = default;
  __device__ pair(float x) : a(x), b(-x) {}
};
struct cell {
  int value;
  __device__ cell() {}
};

__global__ void mirror(float *out) {
  __shared__ half2 halves[64];
  __shared__ half one[64];
  __shared__ pair pairs[64];
  __shared__ cell cells[64];
  const int i = threadIdx.x, j = 63 - i;
  halves[i] = __float2half2_rn((float)i);
  one[i] = __float2half(0.5f);
  pairs[i] = pair((float)i);
  cells[i].value = i;
  __syncthreads();
  out[blockIdx.x * 64 + i] = __low2float(halves[j]) + __half2float(one[j]) + pairs[j].b + cells[j].value;
}

int main() {
  float h[256], *out;
  CHECK(cudaMalloc(&out, sizeof h));
  mirror<<<4, 64>>>(out);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; i++) expect("out", i, h[i], 63 - i % 64 + 0.5);
  CHECK(cudaFree(out));
}

// expect: memcheck: root
// says: executes __trap; thread (5,0,0) of block (0,0,0); error 719
/* A kernel that ends itself by __trap when its input makes no sense: it does. */
#include "program.h"

__global__ void root(const float *in, float *out) {
  const float x = in[threadIdx.x];
  if (x < 0.0f) __trap(); // <- at
  out[threadIdx.x] = sqrtf(x);
}

int main() {
  const int n = 32;
  float h[n], *in, *out;
#ifdef FIXED
  for (int i = 0; i < n; i++) h[i] = i;
#else
  for (int i = 0; i < n; i++) h[i] = i == 5 ? -1 : i;
#endif
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  root<<<1, n>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != (h[5] < 0 ? cudaErrorLaunchFailure : cudaSuccess)) printf("%s\n", cudaGetErrorName(error));
  cudaFree(in);
  cudaFree(out);
}

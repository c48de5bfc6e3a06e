// expect: memcheck: scale<256>
// says: is one of 512 in its block; __launch_bounds__(256)
/* A kernel that promises blocks of 256 threads at most is launched with 512: it does not run. */
#include "program.h"

template <int MOST> __global__ void __launch_bounds__(MOST, 2) scale(float *x, float factor) { // <- at
  x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

int main() {
#ifdef FIXED
  const int threads = 256;
#else
  const int threads = 512;
#endif
  const int n = 1024;
  float *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMemset(x, 0, n * sizeof *x));
  scale<256><<<n / threads, threads>>>(x, 2);
  cudaError_t error = cudaGetLastError(); /* a GPU says it here, the CPU backend when it has run */
  if (!error) error = cudaDeviceSynchronize();
  if (error != (threads > 256 ? cudaErrorInvalidValue : cudaSuccess)) printf("%s\n", cudaGetErrorName(error));
  cudaFree(x);
}

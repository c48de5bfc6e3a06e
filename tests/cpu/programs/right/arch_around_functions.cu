/* __CUDA_ARCH__ around functions of the device: the host's compilation has no use for them. */
#include "program.h"

#if __CUDA_ARCH__ >= 700
__device__ int twice(int x) { return 2 * x; }

template <class T> __device__ __forceinline__ T thrice(T x) {
#ifdef __CUDA_ARCH__
  return 3 * x;
#else
  return x;
#endif
}
#endif

#ifdef __CUDA_ARCH__
__device__ int of_the_device() { return 1; }
#else
__device__ int of_the_device() { return 0; }
#endif

/* What the host uses, too, is answered as for the host. */
#ifdef __CUDA_ARCH__
#define SIDE "device"
static char side() { return 'd'; }
#else
#define SIDE "host"
static char side() { return 'h'; }
#endif

__global__ void fill(int *x) {
#if __CUDA_ARCH__ >= 700
  x[0] = twice(4);
  x[1] = thrice(5);
#endif
  x[2] = of_the_device();
}

int main() {
  int *x, h[3];
  CHECK(cudaMalloc(&x, sizeof h));
  fill<<<1, 1>>>(x);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  expect("twice", 0, h[0], 8);
  expect("thrice", 0, h[1], 15);
  expect("device", 0, h[2], 1);
  expect("host", 0, side(), SIDE[0]);
  CHECK(cudaFree(x));
}

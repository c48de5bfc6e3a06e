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

/* The condition is false: nothing of the group is there, and the host still has no __CUDA_ARCH__. */
#if __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *sum, double x) {
  const double before = *sum;
  *sum += x;
  return before;
}
#endif
static char after_false_if() {
#ifdef __CUDA_ARCH__
  return 'd';
#else
  return 'h';
#endif
}

#ifndef __CUDA_ARCH__
__device__ int in_else() { return 0; }
#else
__device__ int in_else() {
#if __CUDA_ARCH__ >= 700
  return 1;
#else
  return 0;
#endif
}
__device__ int also_in_else() { return 1; }
#endif /* __CUDA_ARCH__ */
#ifdef __CUDA_ARCH__
static char after_else() { return 'd'; }
#else
static char after_else() { return 'h'; }
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
  x[3] = in_else() + also_in_else();
}

int main() {
  int *x, h[4];
  CHECK(cudaMalloc(&x, sizeof h));
  fill<<<1, 1>>>(x);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  expect("twice", 0, h[0], 8);
  expect("thrice", 0, h[1], 15);
  expect("device", 0, h[2], 1);
  expect("else", 0, h[3], 2);
  expect("host", 0, side(), SIDE[0]);
  expect("after a false #if", 0, after_false_if(), 'h');
  expect("after an #else", 0, after_else(), 'h');
  CHECK(cudaFree(x));
}

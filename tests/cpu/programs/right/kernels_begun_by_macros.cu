/* Kernels whose __global__ or template comes from a macro, launched by their address, and asked for what they need. */
#include "program.h"

#define KERNEL      __global__ void
#define GLOBAL      __global__
#define BOUNDED(n)  __global__ void __launch_bounds__(n)
#define C_KERNEL    extern "C" __global__ void
#define NAMED(name) static __global__ void name
#define GENERIC     template <class T>
#define OVER(...)   template <__VA_ARGS__>
#define ON_DEVICE   __device__ __forceinline__

ON_DEVICE float twice(float x) { return 2 * x; }

KERNEL one(float *x) { x[threadIdx.x] += 1; }
static GLOBAL void two(float *x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
BOUNDED(32) three(float *x) { x[threadIdx.x] += 3; }
C_KERNEL four(float *x) { x[threadIdx.x] *= 4; }
template <class T> KERNEL five(T *x) { x[threadIdx.x] += 5; }
template <class T> BOUNDED(64) six(T *x) { x[threadIdx.x] *= 6; }
namespace inner {
KERNEL seven(float *x) { x[threadIdx.x] += 7; }
} // namespace inner
#define INSTANCE(T) template __global__ void five<T>(T *);
INSTANCE(float)
__device__ int unrelated = 3;
INSTANCE(double)
NAMED(eight)(float *x) { x[threadIdx.x] += 8; }
GENERIC __global__ void nine(T *x) { x[threadIdx.x] += 9; }
OVER(class T, int N) static __global__ void ten(T *x) { x[threadIdx.x] *= N; }

template <class K> static void launch(K kernel, float *d) {
  void *arguments[] = {&d};
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)kernel));
  CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, 0));
}

int main() {
  float *d, h[32];
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemset(d, 0, sizeof h));
  launch(one, d);         // 1
  launch(two, d);         // 2
  launch(three, d);       // 5
  launch(four, d);        // 20
  launch(five<float>, d); // 25
  launch(six<float>, d);  // 150
  launch(inner::seven, d);
  launch(eight, d);
  launch(nine<float>, d);
  launch(ten<float, 10>, d);
  one<<<1, 32>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect("x", i, h[i], 1741);
  int value;
  CHECK(cudaMemcpyFromSymbol(&value, unrelated, sizeof value));
  expect("variable", 0, value, 3);
  CHECK(cudaFree(d));
}

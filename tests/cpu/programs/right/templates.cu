/* Kernels as templates over type, size and functor; overloads; a namespace; a launch from a macro and through
 * a pointer; a default argument. */
#include "program.h"

namespace ops {
struct twice {
  template <class T> __host__ __device__ T operator()(T v) const { return v + v; }
};
template <class T, class F, int PER_THREAD> __global__ void map(const T *in, T *out, int n, F f) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
  for (int i = first; i < first + PER_THREAD && i < n; i++) out[i] = f(in[i]);
}
} // namespace ops

__global__ void fill(int *p, int n, int value = 7) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value;
}
__global__ void fill(double *p, int n, double value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value;
}

#define LAUNCH(kernel, n, ...)                                                                               \
  do {                                                                                                       \
    kernel<<<((n) + 63) / 64, 64>>>(__VA_ARGS__);                                                            \
    CHECK(cudaGetLastError());                                                                               \
  } while (0)

int main() {
  const int n = 333;
  int *i, *j, h[n];
  double *x, y[n];
  CHECK(cudaMalloc(&i, n * sizeof *i));
  CHECK(cudaMalloc(&j, n * sizeof *j));
  CHECK(cudaMalloc(&x, n * sizeof *x));
  fill<<<(n + 31) / 32, 32>>>(i, n);
  ops::map<int, ops::twice, 4><<<dim3((n + 127) / 128), 32>>>(i, j, n, ops::twice{});
  CHECK(cudaMemcpy(h, j, sizeof h, cudaMemcpyDeviceToHost));
  for (int k = 0; k < n; k++) expect("j", k, h[k], 14);
  LAUNCH(fill, n, x, n, 0.25);
  void (*pointer)(int *, int, int) = fill;
  /* a launch over several lines */
  // clang-format off
  pointer<<<(n + 63) / 64,
            64>>>(i,
                  n, 3);
  // clang-format on
  CHECK(cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(h, i, sizeof h, cudaMemcpyDeviceToHost));
  for (int k = 0; k < n; k++) expect("x", k, y[k], 0.25);
  for (int k = 0; k < n; k++) expect("i", k, h[k], 3);
  CHECK(cudaFree(i));
  CHECK(cudaFree(j));
  CHECK(cudaFree(x));
}

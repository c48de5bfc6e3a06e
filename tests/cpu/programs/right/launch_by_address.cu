// Kernels launched by their address with an array of pointers to the arguments: one that is known by its name
// alone, one of two overloads, one in a namespace, and a template.
#include "../program.h"

struct scale {
  double factor;
  char sign;
};

__global__ void fill(float *a, int n, scale s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = (float)(s.factor * (s.sign == '-' ? -i : i));
}

__global__ void add(float *a, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += b;
}

__global__ void add(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += b[i];
}

namespace {
template <typename T, int N> __global__ void multiply(T *a, int n) {
  extern __shared__ T tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = a[i] * N;
  if (i < n) a[i] = tile[threadIdx.x];
}
} // namespace

int main() {
  int n = 1000;
  float *a, *b, five = 5, host[1000];
  scale s = {0.5, '-'}, one = {1.0, '+'};
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  dim3 block(128), grid((n + 127) / 128);
  void *fill_a[] = {&a, &n, &s}, *fill_b[] = {&b, &n, &one};
  CHECK(cudaLaunchKernel(fill, grid, block, fill_a, 0, 0));
  CHECK(cudaLaunchKernel(fill, grid, block, fill_b));
  void *add_five[] = {&a, &five, &n}, *add_b[] = {&a, &b, &n}, *times[] = {&a, &n};
  void (*add_number)(float *, float, int) = add;
  CHECK(cudaLaunchKernel(add_number, grid, block, add_five, 0, 0));
  CHECK(cudaLaunchKernel(static_cast<void (*)(float *, const float *, int)>(add), grid, block, add_b));
  CHECK(cudaLaunchKernel(multiply<float, 3>, grid, block, times, 128 * sizeof(float), 0));
  CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("a", i, host[i], 3 * (-0.5 * i + 5 + i));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

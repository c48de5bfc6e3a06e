/* Plain first reads of loops with atomicCAS, far above it: through templates, memcpy and long updates. */
#include "program.h"
__device__ __forceinline__ double atomic_add(double *address, double val) {
  unsigned long long int *address_as_ull = (unsigned long long int *)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
template <typename T, typename F> __device__ inline T atomic_op(T *p, T v, F op) {
  static_assert(sizeof(T) == 4, "four bytes");
  int *q = reinterpret_cast<int *>(p);
  int old = *q;
  int assumed;
  do {
    assumed = old;
    T current;
    memcpy(&current, &assumed, sizeof current);
    T next = op(current, v);
    int bits;
    memcpy(&bits, &next, sizeof bits);
    old = atomicCAS(q, assumed, bits);
  } while (assumed != old);
  T r;
  memcpy(&r, &old, sizeof r);
  return r;
}
struct maximum {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct minimum {
  __device__ float operator()(float a, float b) const { return fminf(a, b); }
};
struct sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct pair_of {
  float value;
  int index;
};
__device__ __forceinline__ void argmax(unsigned long long *p, float value, int index) {
  unsigned long long seen = *p;
  pair_of mine = {value, index};
  for (;;) {
    pair_of there;
    memcpy(&there, &seen, sizeof there);
    float a = there.value;
    float b = mine.value;
    bool better = b > a;
    bool tie = b == a;
    if (tie) better = mine.index < there.index;
    if (!better) break;
    unsigned long long wish;
    memcpy(&wish, &mine, sizeof wish);
    unsigned long long got = atomicCAS(p, seen, wish);
    if (got == seen) break;
    seen = got;
  }
}
__global__ void all(const float *x, int n, double *d, float *f, unsigned long long *best) {
  __shared__ float block_max;
  if (threadIdx.x == 0) block_max = -1e30f;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomic_add(d, x[i]);
    atomic_op(f, x[i], maximum());
    atomic_op(f + 1, x[i], minimum());
    atomic_op(f + 2, x[i], sum());
    atomic_op(&block_max, x[i], maximum());
    argmax(best, x[i], i);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomic_op(f + 3, block_max, maximum());
}
int main() {
  const int n = 1000;
  float h[n], f[4] = {-1e30f, 1e30f, 0, -1e30f}, *x, *df;
  double *d, total, want = 0;
  pair_of b = {-1e30f, 1 << 30};
  unsigned long long *best;
  float mx = -1e30f, mn = 1e30f;
  int at = 0;
  for (int i = 0; i < n; i++) {
    h[i] = (float)(i * 7919 % 1009);
    want += h[i];
    if (h[i] > mx) mx = h[i], at = i;
    if (h[i] < mn) mn = h[i];
  }
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMalloc(&df, sizeof f));
  CHECK(cudaMalloc(&d, 8));
  CHECK(cudaMalloc(&best, 8));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d, 0, 8));
  CHECK(cudaMemcpy(best, &b, 8, cudaMemcpyHostToDevice));
  all<<<6, 96>>>(x, n, d, df, best);
  CHECK(cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&total, d, 8, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&b, best, 8, cudaMemcpyDeviceToHost));
  expect("sum", 0, total, want);
  expect("max", 0, f[0], mx);
  expect("min", 0, f[1], mn);
  expect("fsum", 0, f[2], want);
  expect("bmax", 0, f[3], mx);
  expect("arg", 0, b.index, at);
  CHECK(cudaFree(x));
  CHECK(cudaFree(df));
  CHECK(cudaFree(d));
  CHECK(cudaFree(best));
}

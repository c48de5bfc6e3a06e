// The forms in which kernels are written and launched in other people's programs: specifiers in any order,
// namespaces, templates, lambdas, macros that hold a launch or a part of one. flags: --extended-lambda
#include "../program.h"

#define BLOCKS_AND_THREADS(n)  ((n) + 127) / 128, 128
#define LAUNCH(kernel, n, ...) kernel<<<BLOCKS_AND_THREADS(n)>>>(__VA_ARGS__)
#define CONFIGURED(kernel, n)  kernel<<<((n) + 127) / 128, 128>>>
#define THREADS                <<<1, 128>>>

static __device__ int at() { return blockIdx.x * blockDim.x + threadIdx.x; }
constexpr __device__ int squared(int x) { return x * x; }
__host__ __device__ inline int halved(int x) {
#if defined(__CUDA_ARCH__)
  return x / 2;
#else
  return x / 2 + 1000;
#endif
}
int host_halved(int x) { return halved(x); }

__global__ static void one(int *a, int n) {
  if (at() < n) a[at()] += 1;
}
static __global__ void __launch_bounds__(128) two(int *a, int n) {
  if (at() < n) a[at()] += 2;
}
__global__ void __launch_bounds__(128, 2) three(int *__restrict__ a, const int n) {
  if (at() < n) a[at()] += 3;
}
template <typename T> __launch_bounds__(128) __global__ void four(T *a, int n) {
  if (at() < n) a[at()] += 4;
}
namespace {
template <typename T, int step, bool twice = false> __global__ void steps(T *a, int n) {
  if constexpr (twice) {
    if (at() < n) a[at()] += 2 * step;
  } else {
    if (at() < n) a[at()] += step;
  }
}
} // namespace
namespace outer::inner {
inline __global__ void five(int *a, int n = 1000) {
  if (at() < n) a[at()] += 5;
}
struct runner {
  static void run(int *a, int n) { five<<<8, 128>>>(a, n); }
};
} // namespace outer::inner
extern "C" __global__ void six(int *a, int n) {
  if (at() < n) a[at()] += 6;
}
template <class F> __global__ void each(int *a, int n, F f) {
  if (at() < n) a[at()] = f(a[at()]);
}
template <class T> __global__ void rotated(T *a) {
  extern __shared__ __align__(16) unsigned char raw[];
  T *tile = reinterpret_cast<T *>(raw);
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}
__global__ void split(int *sizes) {
#if __CUDA_ARCH__ >= 300
  if (threadIdx.x == 0) *sizes = halved(squared(20));
#else
  if (threadIdx.x == 0) *sizes = -1;
#endif
}

int main() {
  const int n = 1000;
  int *a, host[n];
  CHECK(cudaMalloc(&a, sizeof host));
  CHECK(cudaMemset(a, 0, sizeof host));
  one<<<(n + 127) / 128, 128>>>(a, n);
  two<<<dim3(8), dim3(128, 1, 1), 0>>>(a, n);
  three<<<8, 128, 0, 0>>>(a, n);
  four<int><<<8, 128>>>(a, n);
  four<<<8, 128, 0, cudaStreamDefault>>>(a, n);
  steps<int, 10><<<8, 128>>>(a, n);
  steps<int, 10, (3 > 2)><<<8, 128>>>(a, n);
  outer::inner::five<<<8, 128>>>(a, n);
  outer::inner::runner::run(a, n);
  six<<<8, 128>>>(a, n);
  // clang-format off
  steps<int, 10> << <8, 128>> > (a, n); /* as some editors leave it */
  // clang-format on
  LAUNCH(one, n, a, n);
  LAUNCH((steps<int, 100>), n, a, n);
  CONFIGURED(two, n)(a, n);
  three THREADS(a, 128);
  int factor = 3;
  each<<<8, 128>>>(a, n, [=] __device__(int x) { return x * factor; });
  each<<<8, 128>>>(a, n, [] __host__ __device__(int x) { return x - 1; });
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
  int sum = 1 + 2 + 3 + 4 + 4 + 10 + 20 + 5 + 5 + 6 + 10 + 1 + 100 + 2;
  for (int i = 0; i < n; i++) expect("a", i, host[i], 3 * (sum + (i < 128 ? 3 : 0)) - 1);
  for (int i = 0; i < 128; i++) host[i] = i;
  CHECK(cudaMemcpy(a, host, 128 * sizeof(int), cudaMemcpyHostToDevice));
  rotated<<<1, 128, 128 * sizeof(int)>>>(a);
  CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; i++) expect("rotated", i, host[i], (i + 1) % 128);
  split<<<1, 32>>>(a);
  CHECK(cudaMemcpy(host, a, sizeof(int), cudaMemcpyDeviceToHost));
  expect("halved on the device", 0, host[0], 200);
  expect("halved on the host", 0, host_halved(400), 1200);
  CHECK(cudaFree(a));
}

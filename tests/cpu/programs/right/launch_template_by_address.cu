/* Kernels that templates make, launched by their address and asked for their attributes: named in the call, and
   held in variables, tables, members and parameters. */
#include "program.h"

template <int DEPTH, class T> __global__ void add_depth(T *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += DEPTH;
}

template <class T> static __global__ void twice(T *x) { x[threadIdx.x] *= 2; }

namespace {
struct plus {
  template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T, class Op, int... MORE> __global__ void each(T *x, Op op, const T (*rows)[4], int n = 1) {
  if (threadIdx.x >= n) return;
  x[threadIdx.x] = op(x[threadIdx.x], T((MORE + ... + 0))) + (rows ? rows[0][0] : 0);
}
template <class T> __global__ void overloaded(T *x) { x[threadIdx.x] += 1; }
template <class T> __global__ void overloaded(T *x, int by) { x[threadIdx.x] += by; }
} // namespace

struct shift {
  float by;
};
/* The names of the parameters hide their types in the body. */
template <class T> __global__ void shifted(const shift *more, T *x, shift shift) {
  x[threadIdx.x] += shift.by + more->by;
}

namespace other {
__global__ void declared(float *x);
template <class... T> __global__ void all(T *...x) { ((x[threadIdx.x] += 1), ...); }
} // namespace other
__global__ void other::declared(float *x) { x[threadIdx.x] -= 1; }

template <> __global__ void twice<short>(short *x) { x[threadIdx.x] *= 4; }

using kernel_t = void (*)(float *);
struct job {
  kernel_t kernel;
  int threads;
};
template <class T> static const kernel_t table[] = {twice<T>, overloaded<T>};
template <class T> static kernel_t picked(int i) { return table<T>[i]; }
static void (*const kernels[])(float *, int) = {add_depth<1, float>, &add_depth<2, float>, overloaded<float>};
static const void *const addresses[] = {(const void *)other::declared, (const void *)twice<float>};

static void launch(const void *kernel, int threads, void **arguments) {
  CHECK(cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments, 0, nullptr));
}

template <int DEPTH> static cudaError_t run(float *x, int n) {
  void *arguments[] = {&x, &n};
  void (*kernel)(float *, int) = add_depth<DEPTH, float>;
  return cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, nullptr);
}

template <class Kernel> static void configured(Kernel kernel, float *x, int n) {
  int blocks = 0, size = 0, least = 0;
  cudaFuncAttributes attributes;
  void *arguments[] = {&x, &n};
  CHECK(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)kernel));
  expect("dynamic bytes", 0, attributes.maxDynamicSharedSizeBytes, 64 << 10);
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, 64, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 64 << 10));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, kernel, 0, 0));
  CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 64 << 10, nullptr));
  kernel<<<1, 32, 64 << 10>>>(x, n);
  CHECK(cudaGetLastError());
}

static void gives(float *x, double first, double last) {
  CHECK(cudaDeviceSynchronize());
  expect("first", 0, x[0], first);
  expect("last", 31, x[31], last);
  for (int i = 0; i < 32; i++) x[i] = 1;
}

static void specialised(float *x) {
  short *words = (short *)x;
  words[0] = 3;
  void (*special)(short *) = twice<short>;
  void *of_words[] = {&words};
  launch((const void *)special, 1, of_words);
  CHECK(cudaDeviceSynchronize());
  expect("special", 0, words[0], 12);
}

static void parameters_hide_types(float *x) {
  x[0] = 1, x[1] = 4;
  const shift by = {2}, *more = (const shift *)&x[1];
  void *hidden[] = {&more, &x, (void *)&by};
  launch((const void *)shifted<float>, 1, hidden);
  CHECK(cudaDeviceSynchronize());
  expect("shifted", 0, x[0], 7);
}

int main() {
  int n = 31, none = 0;
  float *x;
  CHECK(cudaMallocManaged(&x, 32 * sizeof *x));
  for (int i = 0; i < 32; i++) x[i] = 1;
  void *arguments[] = {&x, &n}, *const by_reference = (void *)&twice<float>;
  launch((const void *)add_depth<3, float>, 32, arguments);
  launch(reinterpret_cast<const void *>(&twice<float>), 32, arguments);
  launch(by_reference, 16, arguments);
  CHECK(cudaLaunchKernel(twice<float>, dim3(1), dim3(8), arguments, 0, 0));
  gives(x, 32, 2);
  CHECK((run<3>(x, n)));
  CHECK((run<4>(x, n)));
  CHECK((run<3>(x, n)));
  gives(x, 11, 1);

  auto held = &add_depth<5, float>;
  kernel_t deduced = twice;
  deduced<<<1, 32>>>(x);
  held<<<1, 32>>>(x, n);
  launch((const void *)held, 32, arguments);
  launch((void *)deduced, 32, arguments);
  gives(x, 24, 4);
  for (auto kernel : kernels) launch((const void *)kernel, 32, arguments);
  for (const void *kernel : addresses) launch(kernel, 32, arguments);
  kernels[1]<<<1, 32>>>(x, n);
  gives(x, 2 * (1 + 3 + 31 - 1) + 2, 2 * (1 + 31 - 1));
  const job j = {table<float>[0], 4};
  launch((const void *)j.kernel, j.threads, arguments);
  launch(reinterpret_cast<const void *>(table<float>[1]), 32, arguments);
  table<float>[1]<<<1, 32>>>(x);
  j.kernel<<<1, 32>>>(x);
  picked<float>(1)<<<1, 32>>>(x);
  static_cast<kernel_t>(overloaded)<<<1, 32>>>(x);
  gives(x, 10, 8);

  const float(*rows)[4] = nullptr;
  plus op;
  void (*unnamed)(float *, plus, const float(*)[4], int) = each<float, plus, 3, 4>;
  void *four[] = {&x, &op, &rows, &n};
  launch((const void *)unnamed, 32, four);
  unnamed<<<1, 32>>>(x, op, rows, 2);
  gives(x, 15, 1);
  void (*pack)(float *, float *) = other::all<float, float>;
  void *two[] = {&x, &x};
  launch((const void *)pack, 32, two);
  gives(x, 3, 3);
  configured(add_depth<6, float>, x, n);
  configured(held, x, none);
  gives(x, 13, 1);
  parameters_hide_types(x);
  specialised(x);
  CHECK(cudaFree(x));
}

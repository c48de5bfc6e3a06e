/* Macros that write kernels and functions, used with and without a semicolon, and words with parentheses in
 * front of declarations. */
#include "program.h"

#define REVERSE(NAME, T)                                                                                     \
  static __global__ void NAME##_kernel(T *x) {                                                               \
    __shared__ T s[32];                                                                                      \
    s[threadIdx.x] = x[threadIdx.x];                                                                         \
    __syncthreads();                                                                                         \
    x[threadIdx.x] = s[31 - threadIdx.x];                                                                    \
  }                                                                                                          \
  static void NAME(T *x) { NAME##_kernel<<<1, 32>>>(x); }

// clang-format off
REVERSE(reverse_float, float)
REVERSE(reverse_int, int)

/* A kernel directly after them, with what only kernels may have. */
static __global__ void add_neighbour(int *x) {
  __shared__ int s[32];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] += s[(threadIdx.x + 1) % 32];
}

REVERSE(reverse_double, double);
alignas(16) __device__ float table[4] = {1, 2, 3, 4};
__launch_bounds__(32) __global__ void from_table(float *x) { x[threadIdx.x] = table[threadIdx.x % 4]; }
REVERSE(reverse_unsigned, unsigned)
__constant__ int offset = 5;
decltype(1 + 1) five() { return 5; }
static __global__ void add_offset(int *x) { x[threadIdx.x] += offset; }

/* Kernels that a macro writes, launched by their addresses. */
#define COMMA ,
#define CHANGE(NAME, T, PARAMETERS, CHANGED)                                                                 \
  __global__ void __launch_bounds__(32) NAME(T *x PARAMETERS) { x[threadIdx.x] = CHANGED; }
CHANGE(set, float, , 7)
extern "C" {
CHANGE(scale_by, float, COMMA float by, x[threadIdx.x] * by)
}
#define CHANGE_ANY(NAME, CHANGED) template <class T> static __global__ void NAME(T *x) { x[threadIdx.x] CHANGED; }
CHANGE_ANY(increase, += 3)
#define EACH(NAME, PARAMETERS, CHANGED)                                                                      \
  static __global__ void NAME PARAMETERS { CHANGED; }
EACH(decrease, (float *x, float by), x[threadIdx.x] -= by)
// clang-format on

int main() {
  int *x;
  float *f;
  CHECK(cudaMallocManaged(&x, 32 * sizeof *x));
  CHECK(cudaMallocManaged(&f, 32 * sizeof *f));
  for (int i = 0; i < 32; i++) x[i] = i;
  reverse_int(x);
  add_neighbour<<<1, 32>>>(x);
  add_offset<<<1, 32>>>(x);
  from_table<<<1, 32>>>(f);
  reverse_float(f);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++) expect("x", i, x[i], 31 - i + (i == 31 ? 31 : 30 - i) + five());
  for (int i = 0; i < 32; i++) expect("f", i, f[i], 4 - i % 4);
  float by = 2;
  void *arguments[] = {&f, &by};
  CHECK(cudaLaunchKernel((const void *)set, dim3(1), dim3(32), arguments, 0, 0));
  CHECK(cudaLaunchKernel((const void *)scale_by, dim3(1), dim3(32), arguments, 0, 0));
  CHECK(cudaLaunchKernel((const void *)increase<float>, dim3(1), dim3(32), arguments, 0, 0));
  CHECK(cudaLaunchKernel((const void *)decrease, dim3(1), dim3(32), arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++) expect("by address", i, f[i], 7 * 2 + 3 - 2);
  reverse_unsigned((unsigned *)x);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(f));
  (void)reverse_double;
}
